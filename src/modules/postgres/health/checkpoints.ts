import { ageText, percent } from './amounts.ts';
import { type Judgement, judged } from './judgement.ts';
import type { Scene } from './scene.ts';

export interface CheckpointCounts {
  readonly timed: number;
  /** Started early, mostly because max_wal_size was reached. */
  readonly requested: number;
  readonly maxWal: string;
  /** How long they have been counted. */
  readonly seconds: number;
}

/** With fewer checkpoints a share says nothing. */
const ENOUGH = 10;
const MOST_REQUESTED = 30;

export function judgeCheckpoints({ timed, requested, maxWal, seconds }: CheckpointCounts): Judgement {
  const all = timed + requested;
  const share = percent(requested, all);
  const bad = all >= ENOUGH && share >= MOST_REQUESTED;
  return judged(
    bad
      ? [
          {
            severity: 'warning',
            what: `${requested} of ${all} checkpoints (${share} %) in ${ageText(seconds)} came early: more is written than max_wal_size (${maxWal}) allows between two of them, and each writes whole pages again.`,
            fix: "ALTER SYSTEM SET max_wal_size = '…'; (double it) SELECT pg_reload_conf();",
          },
        ]
      : [],
    { bad: 'Writes force checkpoints.', ok: `${all} checkpoints in ${ageText(seconds)}, ${share} % of them early.` },
  );
}

const sql = (version: number) => `SELECT ${version >= 170_000 ? 'num_timed' : 'checkpoints_timed'}::float8 AS timed,
    ${version >= 170_000 ? 'num_requested' : 'checkpoints_req'}::float8 AS requested,
    current_setting('max_wal_size') AS "maxWal",
    extract(epoch FROM now() - coalesce(stats_reset, pg_postmaster_start_time()))::float8 AS seconds
  FROM ${version >= 170_000 ? 'pg_stat_checkpointer' : 'pg_stat_bgwriter'}`;

export async function lookAtCheckpoints({ run, server }: Scene): Promise<Judgement> {
  const { rows } = await run<CheckpointCounts>(sql(server.version));
  return judgeCheckpoints(rows[0] as CheckpointCounts);
}
