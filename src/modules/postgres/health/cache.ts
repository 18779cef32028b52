import { sizeText } from './amounts.ts';
import { type Judgement, judged } from './judgement.ts';
import type { Scene } from './scene.ts';

export interface CacheUse {
  readonly hits: number;
  readonly reads: number;
  readonly bufferBytes: number;
}

/** With fewer blocks a rate says nothing. */
const ENOUGH = 10_000;
const GOOD = 95;

export function judgeCache({ hits, reads, bufferBytes }: CacheUse): Judgement {
  const all = hits + reads;
  const rate = all === 0 ? 100 : Math.floor((hits / all) * 1000) / 10;
  const buffers = `shared_buffers is ${sizeText(bufferBytes)}`;
  if (all < ENOUGH) return judged([], { bad: '', ok: `Too few reads to judge the cache yet; ${buffers}.` });
  return judged(
    rate >= GOOD
      ? []
      : [
          {
            severity: 'warning',
            what: `Only ${rate} % of the blocks were in the buffer cache; ${buffers}. The rest came from the disk or the cache of the system.`,
            fix: "Find the queries that read most (postgres_list_top_queries by io) and index them, or raise shared_buffers to about 25 % of the memory: ALTER SYSTEM SET shared_buffers = '…'; and restart.",
          },
        ],
    { bad: `Buffer cache hit rate ${rate} %.`, ok: `Buffer cache hit rate ${rate} %; ${buffers}.` },
  );
}

const SQL = `SELECT blks_hit::float8 AS hits, blks_read::float8 AS reads,
    (SELECT setting::float8 * current_setting('block_size')::int FROM pg_settings WHERE name = 'shared_buffers')
      AS "bufferBytes"
  FROM pg_stat_database WHERE datname = current_database()`;

export async function lookAtCache({ run }: Scene): Promise<Judgement> {
  const { rows } = await run<CacheUse>(SQL);
  return judgeCache(rows[0] as CacheUse);
}
