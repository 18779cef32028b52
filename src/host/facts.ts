import { fact, type FactOf } from '../kernel/facts.ts';
import type { EventLog } from '../kernel/events.ts';

/** Facts about the gateway as a whole. */
export const hostFacts = {
  'gateway.started': fact<{ version: string; url?: string }>({
    audit: true,
    opening: true,
    line: ({ version, url }) => `Sluice ${version} started${url === undefined ? '' : ` at ${url}`}`,
  }),
  'gateway.stopped': fact<{ reason: string }>({ audit: true, line: ({ reason }) => `Stopping (${reason}).` }),
  'gateway.config_reloaded': fact<{ added: string[]; changed: string[]; removed: string[]; sections?: string[] }>({
    audit: true,
    line: ({ added, changed, removed }) =>
      `Reloaded the configuration.${listed('Added', added)}${listed('Changed', changed)}${listed('Removed', removed)}`,
  }),
  'gateway.config_rejected': fact<{ problems: string[] }>({
    status: 'failure',
    audit: true,
    level: 'error',
    line: ({ problems }) => `The changed configuration is invalid, the old one stays in effect: ${problems.join('; ')}`,
  }),
};

export type HostEvents = EventLog<FactOf<typeof hostFacts>>;

function listed(what: string, names: readonly string[]): string {
  return names.length === 0 ? '' : ` ${what}: ${names.join(', ')}.`;
}
