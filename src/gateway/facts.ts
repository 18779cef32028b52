import { fact, type FactOf } from '../kernel/facts.ts';
import type { EventLog } from '../kernel/events.ts';

/** Events about the servers behind the gateway and about their tools. */
export const gatewayFacts = {
  'gateway.backend_registered': fact<{ backend: string; transport: string }>({
    opening: true,
    level: 'debug',
    line: ({ backend }) => `The server ${backend} is configured`,
  }),
  'gateway.backend_started': fact<{ backend: string; tools: number; ms: number; protocol: string }>({
    opening: true,
    line: ({ backend, tools, ms }) =>
      `The server ${backend} is running: ${tools} tools, started in ${Math.round(ms)} ms`,
  }),
  'gateway.backend_failed': fact<{ backend: string; reason: string; retryInMs?: number }>({
    status: 'failure',
    opening: true,
    line: ({ backend, reason, retryInMs }) =>
      `The server ${backend} failed: ${reason}${retryInMs === undefined ? '' : retried(reason, retryInMs)}`,
  }),
  'gateway.backend_degraded': fact<{ backend: string; reason: string }>({
    status: 'failure',
    opening: true,
    line: ({ backend, reason }) => `The server ${backend} is degraded: ${reason}`,
  }),
  'gateway.backend_recovered': fact<{ backend: string }>({
    opening: true,
    line: ({ backend }) => `The server ${backend} has recovered`,
  }),
  'gateway.backend_stopped': fact<{ backend: string; reason: string }>({
    opening: true,
    line: ({ backend, reason }) => `The server ${backend} was stopped: ${reason}`,
  }),
  'gateway.backend_removed': fact<{ backend: string }>({
    opening: true,
    line: ({ backend }) => `The server ${backend} was removed`,
  }),
  'gateway.tool_changed': fact<{ backend: string; tool: string; held: boolean }>({
    level: ({ held }) => (held ? 'warn' : 'info'),
    line: ({ backend, tool, held }) =>
      held
        ? `The server ${backend} changed its tool ${tool}, which is held back until you accept it`
        : `The server ${backend} changed its tool ${tool}`,
  }),
  'gateway.tool_accepted': fact<{ backend: string; tool: string; principal: string }>({
    audit: true,
    line: ({ backend, tool }) => `The changed tool ${tool} of ${backend} was accepted`,
  }),
  'gateway.confirmation_decided': fact<{
    tool: string;
    caller: string;
    approved: boolean;
    note?: string;
    principal: string;
  }>({
    audit: true,
    line: ({ tool, caller, approved, principal }) =>
      `${principal} ${approved ? 'approved' : 'refused'} the call of ${tool} that ${caller} wants to make`,
  }),
  'gateway.server_added': fact<{ backend: string; transport: string; principal: string }>({
    audit: true,
    line: ({ backend, principal }) => `${principal} added the server ${backend}`,
  }),
  'gateway.server_removed': fact<{ backend: string; principal: string }>({
    audit: true,
    line: ({ backend, principal }) => `${principal} removed the server ${backend}`,
  }),
  'gateway.server_restarted': fact<{ backend: string; principal: string }>({
    audit: true,
    line: ({ backend, principal }) => `${principal} restarted the server ${backend}`,
  }),
  'gateway.tools_left_out': fact<{ source: string; tool?: string; reason: string }>({
    status: 'failure',
    line: ({ source, tool, reason }) =>
      `${tool === undefined ? 'Tools' : `The tool ${tool}`} of ${source} cannot be listed: ${reason}`,
  }),
  'gateway.name_collision': fact<{ name: string; owners: string[]; remedy: string }>({
    status: 'failure',
    line: ({ name, owners, remedy }) =>
      `Two tools would have the name ${name}, from ${owners.join(' and ')}. ${remedy}`,
  }),
};

export type GatewayEvents = EventLog<FactOf<typeof gatewayFacts>>;

/** Some reasons end with a full stop, some do not. */
function retried(reason: string, ms: number): string {
  const when = ms === 0 ? 'now' : `in ${Math.ceil(ms / 1000)} s`;
  return `${/[.!?]$/.test(reason) ? '' : '.'} Retrying ${when}.`;
}
