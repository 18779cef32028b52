import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../kernel/errors.ts';
import type { Progress } from '../../kernel/progress.ts';
import type { Pgvector } from './connect.ts';
import { quoted } from './sql.ts';

export interface Build {
  readonly name: string;
  /** The table as SQL. */
  readonly table: string;
  readonly sql: string;
  /** Whether an interrupted build left something of this name. */
  readonly leftOver: boolean;
}

const LOOK_MS = 500;
/** Of the time of a call. */
const SHARE = { building: 0.75, removing: 0.1 };

/** Builds an index while the table is used, and says how far it is. Removes what an interrupted build leaves. */
export async function builtIndex(
  pgvector: Pick<Pgvector, 'alone' | 'read' | 'timeoutMs' | 'schema'>,
  { name, table, sql, leftOver }: Build,
  signal: AbortSignal,
  progress: Progress,
): Promise<number> {
  const began = Date.now();
  const drop = `DROP INDEX CONCURRENTLY IF EXISTS ${quoted(pgvector.schema)}.${quoted(name)}`;
  if (leftOver) await pgvector.alone(drop, signal);
  const ended = new AbortController();
  const buildMs = Math.round(pgvector.timeoutMs * SHARE.building);
  // Time is left to remove what an interrupted build leaves.
  const limit = AbortSignal.timeout(buildMs);
  const watching = watch();
  try {
    await pgvector.alone(sql, AbortSignal.any([signal, limit]));
  } catch (error) {
    // It waits for others who use the table, and they may take longer.
    const limitMs = Math.round(pgvector.timeoutMs * SHARE.removing);
    const isGone = await pgvector.alone(drop, AbortSignal.timeout(limitMs)).then(
      () => true,
      () => false,
    );
    if (!limit.aborted || signal.aborted) throw error;
    throw new AppError(
      'too_large',
      `The index was not built within ${buildMs / 1000} s. ${isGone ? 'Nothing of it was kept.' : `What is there of ${name} is not valid: pgvector_drop_index removes it.`} Raise modules.pgvector.timeout in sluice.yaml, for example to 1h, and look for transactions that stay open.`,
      { cause: error },
    );
  } finally {
    ended.abort();
    await watching;
  }
  return Math.round((Date.now() - began) / 100) / 10;

  async function watch(): Promise<void> {
    let most = 0;
    while (!ended.signal.aborted) {
      await delay(LOOK_MS, undefined, { signal: ended.signal }).catch(() => {});
      if (ended.signal.aborted) return;
      const found = await pgvector
        .read(
          (run) =>
            run<{ phase: string; done: number; total: number }>(
              `SELECT phase, greatest(tuples_done, blocks_done)::float8 AS done, greatest(tuples_total, blocks_total)::float8 AS total
                 FROM pg_stat_progress_create_index WHERE relid = $1::regclass LIMIT 1`,
              [table],
            ),
          ended.signal,
        )
        .catch(() => undefined);
      const row = found?.rows[0];
      if (!row) continue;
      most = Math.max(most, row.total > 0 ? Math.floor((100 * row.done) / row.total) : 0);
      progress(Math.min(99, most), 100, row.phase);
    }
  }
}
