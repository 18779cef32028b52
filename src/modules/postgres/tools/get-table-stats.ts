import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { type Relation, relationNamed } from '../catalog/relation.ts';
import type { Run } from '../connection.ts';
import { ageText, percent, sizeText } from '../health/amounts.ts';
import { measure, wasteOf } from '../health/bloat.ts';
import { guarded, impatient, sqlState } from '../health/scene.ts';
import { postgresTool } from '../tool.ts';

interface TableRow {
  readonly total: number;
  readonly heap: number;
  readonly indexes: number;
  readonly toast: number;
  readonly rows: number;
  readonly live: number | null;
  readonly dead: number | null;
  readonly seqScans: number | null;
  readonly seqRows: number | null;
  readonly indexScans: number | null;
  readonly inserted: number | null;
  readonly updated: number | null;
  readonly hot: number | null;
  readonly deleted: number | null;
  readonly hits: number | null;
  readonly reads: number | null;
  readonly vacuumed: number | null;
  readonly analyzed: number | null;
}

const TABLE = `SELECT pg_total_relation_size(c.oid)::float8 AS total, pg_relation_size(c.oid)::float8 AS heap,
    pg_indexes_size(c.oid)::float8 AS indexes,
    coalesce(pg_total_relation_size(nullif(c.reltoastrelid, 0)), 0)::float8 AS toast, c.reltuples::float8 AS rows,
    s.n_live_tup::float8 AS live, s.n_dead_tup::float8 AS dead, s.seq_scan::float8 AS "seqScans",
    s.seq_tup_read::float8 AS "seqRows", s.idx_scan::float8 AS "indexScans", s.n_tup_ins::float8 AS inserted,
    s.n_tup_upd::float8 AS updated, s.n_tup_hot_upd::float8 AS hot, s.n_tup_del::float8 AS deleted,
    (io.heap_blks_hit + coalesce(io.idx_blks_hit, 0))::float8 AS hits,
    (io.heap_blks_read + coalesce(io.idx_blks_read, 0))::float8 AS reads,
    extract(epoch FROM now() - greatest(s.last_vacuum, s.last_autovacuum))::float8 AS vacuumed,
    extract(epoch FROM now() - greatest(s.last_analyze, s.last_autoanalyze))::float8 AS analyzed
  FROM pg_class c LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid
  LEFT JOIN pg_statio_all_tables io ON io.relid = c.oid WHERE c.oid = $1::oid`;

const INDEXES = `SELECT s.indexrelname AS name, pg_relation_size(s.indexrelid)::float8 AS bytes,
    s.idx_scan::float8 AS scans, s.idx_tup_read::float8 AS rows, i.indisunique AS "isUnique",
    i.indisvalid AS "isValid", pg_get_indexdef(s.indexrelid) AS definition
  FROM pg_stat_all_indexes s JOIN pg_index i ON i.indexrelid = s.indexrelid
  WHERE s.relid = $1::oid ORDER BY s.idx_scan DESC, 1 LIMIT 200`;

const ago = (seconds: number | null): string => (seconds === null ? 'never' : `${ageText(seconds)} ago`);

/** Waits for nobody: sizes of a table need a lock, a weak one. */
async function sizes(run: Run, { oid, schema, name }: Relation): Promise<TableRow> {
  await impatient(run);
  try {
    const { rows } = await guarded(run, () => run<TableRow>(TABLE, [oid]));
    return rows[0] as TableRow;
  } catch (error) {
    if (sqlState(error) !== '55P03') throw error;
    throw new AppError(
      'conflict',
      `${schema}.${name} is locked by another session. postgres_list_locks with this table shows which.`,
      { cause: error },
    );
  }
}

export const getTableStats = postgresTool({
  name: 'postgres_get_table_stats',
  title: 'Get the statistics of a table',
  description:
    'Shows how large a table and each of its indexes are and how they are used: rows, dead rows, scans by index and without, writes, cache hits, last vacuum and analyze, estimated bloat.',
  phrases:
    'how large is this table; table size; which indexes of a table are used; sequential scans; dead tuples; when was the table vacuumed',
  effect: 'read',
  input: z.strictObject({ table: z.string().min(1).max(300).describe('orders or shop.orders') }),
  output: z.object({
    table: z.string(),
    size: z.object({ total: z.string(), table: z.string(), indexes: z.string(), toast: z.string() }),
    rows: z.int().optional().describe('Estimated'),
    dead_rows: z.int(),
    bloat: z.string().optional().describe('Estimated'),
    scans: z.object({ sequential: z.int(), rows_read_sequentially: z.int(), by_index: z.int() }),
    writes: z.object({ inserted: z.int(), updated: z.int(), hot_percent: z.int(), deleted: z.int() }),
    cache_hit_percent: z.int().optional(),
    last_vacuum: z.string(),
    last_analyze: z.string(),
    indexes: z.array(
      z.object({
        name: z.string(),
        definition: z.string(),
        size: z.string(),
        scans: z.int(),
        rows_read: z.int(),
        bloat: z.string().optional(),
        note: z.string().optional(),
      }),
    ),
    more_indexes: z.int().optional(),
  }),
  async run({ table }, postgres, { signal }) {
    return await postgres.read(async (run) => {
      const found = await relationNamed(run, postgres, table);
      const it = await sizes(run, found);
      const { rows: indexes } = await run<{
        name: string;
        bytes: number;
        scans: number;
        rows: number;
        isUnique: boolean;
        isValid: boolean;
        definition: string;
      }>(INDEXES, [found.oid]);
      const measured = await measure({ run, schemas: [found.schema] }, found.name);
      const bloatOf = (kind: 'table' | 'index', name: string) => {
        const one = measured.find((it) => it.kind === kind && it.name === name);
        if (!one || one.unmeasured > 0 || one.rows < 0) return {};
        const waste = wasteOf(one);
        return { bloat: `${sizeText(waste.bytes)} (${waste.percent} %)` };
      };
      const hits = it.hits ?? 0;
      const reads = it.reads ?? 0;
      const about = {
        table: `${found.schema}.${found.name}`,
        size: {
          total: sizeText(it.total),
          table: sizeText(it.heap),
          indexes: sizeText(it.indexes),
          toast: sizeText(it.toast),
        },
        ...(it.rows >= 0 && { rows: Math.round(it.rows) }),
        dead_rows: it.dead ?? 0,
        ...bloatOf('table', found.name),
        scans: {
          sequential: it.seqScans ?? 0,
          rows_read_sequentially: it.seqRows ?? 0,
          by_index: it.indexScans ?? 0,
        },
        writes: {
          inserted: it.inserted ?? 0,
          updated: it.updated ?? 0,
          hot_percent: percent(it.hot ?? 0, it.updated ?? 0),
          deleted: it.deleted ?? 0,
        },
        ...(hits + reads > 0 && { cache_hit_percent: percent(hits, hits + reads) }),
        last_vacuum: ago(it.vacuumed),
        last_analyze: ago(it.analyzed),
      };
      const uses = indexes.map(({ name, bytes, scans, rows, isUnique, isValid, definition }) => ({
        name,
        definition: definition.slice(0, 500),
        size: sizeText(bytes),
        scans,
        rows_read: rows,
        ...bloatOf('index', name),
        ...(!isValid ? { note: 'invalid' } : scans === 0 && !isUnique ? { note: 'never used' } : {}),
      }));
      const count = fittingItems(uses, about);
      return {
        ...about,
        indexes: uses.slice(0, count),
        ...(count < uses.length && { more_indexes: uses.length - count }),
      };
    }, signal);
  },
});
