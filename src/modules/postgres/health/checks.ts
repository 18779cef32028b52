import { lookAtBloat } from './bloat.ts';
import { lookAtCache } from './cache.ts';
import { lookAtCheckpoints } from './checkpoints.ts';
import { lookAtConnections } from './connections.ts';
import { lookAtDuplicates } from './duplicate-indexes.ts';
import { lookAtInvalid } from './invalid-objects.ts';
import type { Judgement } from './judgement.ts';
import { lookAtLocks } from './locks.ts';
import { lookAtReplication } from './replication.ts';
import { guarded, type Scene, sqlState } from './scene.ts';
import { lookAtSequences } from './sequences.ts';
import { judgeSuperuser } from './superuser.ts';
import { lookAtTransactions } from './transactions.ts';
import { lookAtUnused } from './unused-indexes.ts';
import { lookAtVacuum } from './vacuum.ts';

export const checkNames = [
  'locks',
  'transactions',
  'connections',
  'vacuum',
  'bloat',
  'invalid_objects',
  'duplicate_indexes',
  'unused_indexes',
  'sequences',
  'replication',
  'cache',
  'checkpoints',
  'superuser',
] as const;
export type CheckName = (typeof checkNames)[number];

const checks: Readonly<Record<CheckName, (scene: Scene) => Promise<Judgement>>> = {
  locks: lookAtLocks,
  transactions: lookAtTransactions,
  connections: lookAtConnections,
  vacuum: lookAtVacuum,
  bloat: lookAtBloat,
  invalid_objects: lookAtInvalid,
  duplicate_indexes: lookAtDuplicates,
  unused_indexes: lookAtUnused,
  sequences: lookAtSequences,
  replication: lookAtReplication,
  cache: lookAtCache,
  checkpoints: lookAtCheckpoints,
  superuser: ({ server }) => Promise.resolve(judgeSuperuser(server)),
};

/** Runs a check. One that this user or this server does not allow leaves the others alone. */
export async function checked(name: CheckName, scene: Scene): Promise<Judgement> {
  try {
    return await guarded(scene.run, () => checks[name](scene));
  } catch (error) {
    const why = reasonOf(sqlState(error), scene.server.user);
    if (why === undefined) throw error;
    return { severity: 'unknown', summary: why, findings: [] };
  }
}

function reasonOf(state: string | undefined, user: string): string | undefined {
  switch (state) {
    case '42501':
      return `${user} may not look at this. GRANT pg_monitor TO ${user}; would allow it.`;
    case '42P01':
    case '42703':
    case '42883':
    case '0A000':
      return 'This server does not offer what the check reads.';
    case '55P03':
      return 'What the check reads is locked at the moment. Try again later.';
    default:
      return undefined;
  }
}
