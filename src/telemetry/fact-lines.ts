import type { Fact } from '../kernel/events.ts';
import { own } from '../kernel/own.ts';

export type Level = 'debug' | 'info' | 'warn' | 'error';

export interface Line {
  readonly level: Level;
  readonly message: string;
}

type Of<T extends Fact['type']> = Extract<Fact, { type: T }>;
type Lines = { [T in Fact['type']]?: (fact: Of<T>) => Line };

const info = (message: string): Line => ({ level: 'info', message });
const warn = (message: string): Line => ({ level: 'warn', message });
const error = (message: string): Line => ({ level: 'error', message });
const debug = (message: string): Line => ({ level: 'debug', message });

/** The facts with words of their own; another is written as its type. */
const lines: Lines = {
  'gateway.started': ({ version, url }) => info(`Sluice ${version} started${url === undefined ? '' : ` at ${url}`}`),
  'gateway.stopped': ({ reason }) => info(`Stopping (${reason}).`),
  'gateway.backend_registered': ({ backend }) => debug(`The server ${backend} is configured`),
  'gateway.backend_started': ({ backend, tools, ms }) =>
    info(`The server ${backend} runs: ${tools} tools, after ${Math.round(ms)} ms`),
  'gateway.backend_failed': ({ backend, reason, retryInMs }) =>
    warn(`The server ${backend} failed: ${reason}${retryInMs === undefined ? '' : retried(reason, retryInMs)}`),
  'gateway.backend_degraded': ({ backend, reason }) => warn(`The server ${backend} is in trouble: ${reason}`),
  'gateway.backend_recovered': ({ backend }) => info(`The server ${backend} has recovered`),
  'gateway.backend_stopped': ({ backend, reason }) => info(`The server ${backend} was stopped: ${reason}`),
  'gateway.backend_removed': ({ backend }) => info(`The server ${backend} is gone`),
  'gateway.tool_changed': ({ backend, tool, held }) =>
    held
      ? warn(`The server ${backend} changed its tool ${tool}, which is held back until you accept it`)
      : info(`The server ${backend} changed its tool ${tool}`),
  'gateway.tool_accepted': ({ backend, tool }) => info(`The changed tool ${tool} of ${backend} was accepted`),
  'gateway.limit_reached': ({ limit, principal, times }) =>
    warn(`${principal} has reached a limit${times > 1 ? ` ${times} times more` : ''}: ${limit}`),
  'gateway.name_collision': ({ name, owners, remedy }) =>
    warn(`Two tools would be named ${name}, of ${owners.join(' and ')}. ${remedy}`),
  'gateway.tools_left_out': ({ source, tool, reason }) =>
    warn(`${tool === undefined ? 'Tools' : `The tool ${tool}`} of ${source} cannot be listed: ${reason}`),
  'gateway.config_reloaded': ({ added, changed, removed }) =>
    info(
      `The configuration was reloaded.${listed('Added', added)}${listed('Changed', changed)}${listed('Removed', removed)}`,
    ),
  'gateway.config_rejected': ({ problems }) =>
    error(`The changed configuration was not taken over, the old one stays: ${problems.join('; ')}`),
  'gateway.server_added': ({ backend, principal }) => info(`${principal} added the server ${backend}`),
  'gateway.server_removed': ({ backend, principal }) => info(`${principal} removed the server ${backend}`),
  'gateway.server_restarted': ({ backend, principal }) => info(`${principal} restarted the server ${backend}`),
  'key.created': ({ name, principal }) => info(`${principal} made the key ${name}`),
  'key.revoked': ({ name, principal }) => info(`${principal} revoked the key ${name}`),
  'auth.refused': ({ address, reason, times }) =>
    warn(`${address} was refused${times > 1 ? ` ${times} times` : ''}: ${reason}`),
  'webhook.failing': ({ webhook, reason }) => warn(`Events do not reach the webhook ${webhook}: ${reason}`),
  'webhook.recovered': ({ webhook, waiting }) =>
    info(`Events reach the webhook ${webhook} again; ${waiting} are waiting`),
  'webhook.event_set_aside': ({ webhook, event, reason }) =>
    warn(`The event ${event} was set aside, because the webhook ${webhook} refuses it: ${reason}`),
  'webhook.set_aside_dropped': ({ webhook, events }) =>
    warn(`${events} events that the webhook ${webhook} had refused were dropped: too many, or too old`),
  'webhook.full': ({ webhook, waiting }) =>
    error(`${waiting} events wait for the webhook ${webhook}: no room for more`),
  'webhook.resumed': ({ webhook }) => info(`There is room for events to the webhook ${webhook} again`),
  'webhook.events_skipped': ({ webhook, events }) => warn(`${events} events were not sent to the webhook ${webhook}`),
  'watch.lines_rejected': ({ file, bad, tooLong }) =>
    warn(`${bad + tooLong} lines of ${file} are no events and were passed over`),
  'watch.failed': ({ file, reason }) => warn(`${file} cannot be watched: ${reason}`),
  'watch.recovered': ({ file }) => info(`${file} is watched again`),
  'login.completed': ({ backend, issuer }) => info(`Signed in to ${backend} at ${issuer}`),
  'login.failed': ({ backend, reason }) => warn(`Signing in to ${backend} failed: ${reason}`),
  'login.refreshed': ({ backend }) => debug(`The sign-in to ${backend} was renewed`),
  'login.removed': ({ backend, principal }) => info(`${principal} signed out of ${backend}`),
  'n8n.instance_failed': ({ instance, reason }) => warn(`The n8n ${instance} does not work: ${reason}`),
  'n8n.instance_recovered': ({ instance, ms }) =>
    info(`The n8n ${instance} works again, after ${Math.round(ms / 1000)} s`),
  'n8n.local_failed': ({ instance, reason }) => warn(`The local n8n ${instance} is started again: ${reason}`),
  'bridge.discovery_failed': ({ instance, reason }) => warn(`The bridge cannot look at the n8n ${instance}: ${reason}`),
  'bridge.discovery_recovered': ({ instance }) => info(`The bridge sees the n8n ${instance} again`),
  'bridge.workflows_changed': ({ instance, count, via }) =>
    debug(`${count} workflows of the n8n ${instance} changed, as seen by ${via}`),
  'bridge.hook_refused': ({ instance, reason, times }) =>
    warn(`A hook of the n8n ${instance} was refused${times > 1 ? ` (${times} times)` : ''}: ${reason}`),
  'bridge.file_rejected': ({ file, reason }) => warn(`${file} makes no sense and was passed over: ${reason}`),
  'bridge.file_accepted': ({ file, workflows }) => info(`${file} tells of ${workflows} workflows of n8n`),
  'tool.call_received': ({ tool }) => debug(`${tool} was called`),
  'tool.call_completed': ({ tool, ms }) => debug(`${tool} answered after ${ms} ms`),
  'tool.call_failed': ({ tool, reason, ms, asked }) =>
    warn(asked === undefined ? `${tool} failed after ${ms} ms: ${reason}` : `The tool ${asked} was called: ${reason}`),
};

/** Reasons come from everywhere, and not all of them end as a sentence does. */
function retried(reason: string, ms: number): string {
  const when = ms === 0 ? 'now' : `in ${Math.ceil(ms / 1000)} s`;
  return `${/[.!?]$/.test(reason) ? '' : '.'} It is tried again ${when}.`;
}

function listed(what: string, names: readonly string[]): string {
  return names.length === 0 ? '' : ` ${what}: ${names.join(', ')}.`;
}

/** What the log says of a fact. */
export function lineFor(fact: Fact, failed: boolean): Line {
  const line = own(lines, fact.type) as ((known: Fact) => Line) | undefined;
  return line?.(fact) ?? (failed ? warn : info)(fact.type);
}
