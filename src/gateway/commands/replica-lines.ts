import { cut, table } from '../../cli/table.ts';
import { shortDuration } from '../../host/short-duration.ts';
import type { Style, Terminal } from '../../host/terminal.ts';
import type { ReplicaStatus } from '../status/status.ts';

const colours: Record<ReplicaStatus['state'], Style> = {
  ok: 'green',
  starting: 'yellow',
  degraded: 'yellow',
  failed: 'red',
};

/** The replicas as a table, the one that answers first. */
export function replicaLines(
  replicas: readonly ReplicaStatus[],
  { width, paint }: Pick<Terminal, 'width' | 'paint'>,
  now: number,
): string[] {
  const rows = replicas.map((replica) => [
    replica.id,
    replica.host,
    replica.state,
    replica.version,
    shortDuration(now - Date.parse(replica.startedAt)),
    String(replica.sessions),
    noteOf(replica),
  ]);
  return table([['REPLICA', 'HOST', 'STATE', 'VERSION', 'UP', 'SESSIONS', 'DETAIL'], ...rows]).map((line, index) => {
    const state = replicas[index - 1]?.state;
    const shown = cut(line, width);
    return state ? shown.replace(` ${state} `, ` ${paint(colours[state], state)} `) : paint('bold', shown);
  });
}

function noteOf({ self, draining, seenSeconds, leads, url }: ReplicaStatus): string {
  return [
    ...(self ? ['answers this command'] : [`seen ${seenSeconds} s ago`]),
    ...(draining ? ['about to stop'] : []),
    ...(url === undefined ? [] : [`at ${url}`]),
    ...(leads.length > 0 ? [`leads ${leads.join(', ')}`] : []),
  ].join('; ');
}
