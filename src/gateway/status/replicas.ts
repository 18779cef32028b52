import { isLoopback } from '../../kernel/plain-http.ts';
import type { Replica } from '../../kernel/shared.ts';
import type { GatewayStatus, Replicas, ReplicaStatus } from './status.ts';

/** All replicas, this one first, and a line for each problem of the others and between them. */
export function readReplicas(
  [self, ...others]: readonly Replica[],
  own: Pick<GatewayStatus, 'state' | 'problems'> & { sessions: number },
): Replicas {
  if (!self) return { replicas: [], problems: [] };
  const all = [self, ...others];
  return {
    replicas: [{ ...statusOf(self), state: own.state, sessions: own.sessions, self: true }, ...others.map(statusOf)],
    problems: [
      ...self.report.problems.filter((problem) => !own.problems.includes(problem)),
      ...others.flatMap(otherProblems),
      ...addressProblems(all),
      ...versionProblem(all),
    ],
  };
}

const named = ({ id, host }: Replica) => `replica ${id} (${host})`;

/** While a replica starts, that its servers do too is no problem. */
const otherProblems = (replica: Replica): string[] =>
  replica.report.state === 'starting' ? [] : replica.report.problems.map((problem) => `${named(replica)}: ${problem}`);

function statusOf({ id, host, url, version, startedAt, seenMs, leads, draining, report }: Replica): ReplicaStatus {
  return {
    id,
    host,
    ...(url !== undefined && { url }),
    version,
    startedAt,
    seenSeconds: Math.max(0, Math.round(seenMs / 1000)),
    state: report.state,
    problems: [...report.problems],
    sessions: report.sessions,
    leads: [...leads],
    ...(draining && { draining }),
  };
}

/** A loopback address leads other machines to themselves. */
function addressProblems(all: readonly Replica[]): string[] {
  if (new Set(all.map(({ host }) => host)).size < 2) return [];
  return all
    .filter(({ url }) => url !== undefined && isLoopback(new URL(url).hostname))
    .map(
      (replica) =>
        `${named(replica)}: replicas on other machines cannot reach it at ${replica.url}, so they cannot forward requests to its sessions. Set SLUICE_PEER_URL there.`,
    );
}

function versionProblem(all: readonly Replica[]): string[] {
  const versions = new Map<string, string[]>();
  for (const { id, version } of all) versions.set(version, [...(versions.get(version) ?? []), id]);
  if (versions.size < 2) return [];
  const each = [...versions].map(([version, ids]) => `${version} (${ids.join(', ')})`);
  return [`Replicas run different versions: ${each.join(', ')}. Finish the upgrade.`];
}
