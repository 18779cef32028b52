import { counted, percent, sizeText } from './amounts.ts';
import { type Finding, type Judgement, judged } from './judgement.ts';
import { quotedIn } from './quoted.ts';
import type { Scene } from './scene.ts';

/** What the catalogue and the statistics of ANALYZE say about a table or a btree index. */
export interface Measured {
  readonly kind: 'table' | 'index';
  readonly schema: string;
  readonly name: string;
  readonly table: string;
  readonly pageBytes: number;
  readonly pages: number;
  readonly rows: number;
  /** Of the data of one row, on average. */
  readonly width: number;
  readonly columns: number;
  readonly hasNulls: boolean;
  readonly fillfactor: number;
  /** How many columns have no statistics, or none that this user may see. */
  readonly unmeasured: number;
}

const PAGE_HEADER = 24;
const BTREE_SPECIAL = 16;
const ITEM_POINTER = 4;
const TABLE_ROW_HEADER = 23;
const INDEX_ROW_HEADER = 8;
const META_PAGES = 1;

const aligned = (bytes: number): number => Math.ceil(bytes / 8) * 8;

/** How many pages the rows would take without gaps. */
export function neededPages(it: Measured): number {
  const bitmap = it.hasNulls ? Math.ceil(it.columns / 8) : 0;
  const header = it.kind === 'table' ? TABLE_ROW_HEADER + bitmap : INDEX_ROW_HEADER + bitmap;
  const row = ITEM_POINTER + aligned(header) + aligned(it.width);
  const room = (it.pageBytes - PAGE_HEADER - (it.kind === 'table' ? 0 : BTREE_SPECIAL)) * (it.fillfactor / 100);
  return Math.ceil((it.rows * row) / room) + (it.kind === 'table' ? 0 : META_PAGES);
}

export interface Waste {
  readonly bytes: number;
  /** Of the file. */
  readonly percent: number;
}

/** Estimated: within some ten percent for rows of usual types. */
export function wasteOf(it: Measured): Waste {
  const pages = Math.max(0, it.pages - neededPages(it));
  return { bytes: pages * it.pageBytes, percent: percent(pages, it.pages) };
}

const WARN = { bytes: 10 * 1024 ** 2, percent: 40 };
const CRITICAL = { bytes: 10 * 1024 ** 3, percent: 50 };

const reaches = (waste: Waste, limit: Waste): boolean => waste.bytes >= limit.bytes && waste.percent >= limit.percent;

export function judgeBloat(all: readonly Measured[]): Judgement {
  const measured = all.filter((it) => it.unmeasured === 0 && it.rows >= 0);
  const bloated = measured
    .map((it) => ({ it, waste: wasteOf(it) }))
    .filter(({ waste }) => reaches(waste, WARN))
    .sort((a, b) => b.waste.bytes - a.waste.bytes);
  const findings = bloated.map(({ it, waste }): Finding => {
    const name = quotedIn(it.schema, it.name);
    const size = sizeText(it.pages * it.pageBytes);
    return {
      severity: reaches(waste, CRITICAL) ? 'critical' : 'warning',
      what: `${it.kind === 'table' ? 'Table' : 'Index'} ${name} takes ${size}, about ${sizeText(waste.bytes)} (${waste.percent} %) of it empty. Scans read the gaps, too.`,
      fix:
        it.kind === 'index'
          ? `REINDEX INDEX CONCURRENTLY ${name};`
          : `VACUUM ${name}; reuses the gaps. VACUUM FULL ${name}; returns them, but locks the table; pg_repack does it without the lock.`,
    };
  });
  const total = bloated.reduce((sum, { waste }) => sum + waste.bytes, 0);
  const blind = all.length - measured.length;
  const left =
    blind > 0 ? ` ${blind} more cannot be estimated: no statistics (run ANALYZE), or no right to read the table.` : '';
  return judged(findings, {
    bad: `${counted(findings.length, 'table or index', 'tables and indexes')} waste about ${sizeText(total)} (estimated).${left}`,
    ok: `No table or btree index above 1 MB wastes much room (estimated, ${measured.length} looked at).${left}`,
  });
}

/** Below this nothing is worth a REINDEX. */
const SMALLEST_PAGES = 128;

const OPTION = `coalesce((SELECT option_value::int FROM pg_options_to_table(c.reloptions)
  WHERE option_name = 'fillfactor'), %)`;

// relpages and reltuples are of the same moment. pg_relation_size() would wait for a table that somebody has locked.
const TABLES_MEASURED = `SELECT 'table' AS kind, n.nspname AS schema, c.relname AS name, c.relname AS table,
    current_setting('block_size')::int AS "pageBytes", s.pages::float8 AS pages, c.reltuples::float8 AS rows,
    coalesce(sum((1 - st.null_frac) * st.avg_width), 0)::float8 AS width,
    count(*)::int AS columns, coalesce(bool_or(st.null_frac > 0), false) AS "hasNulls",
    ${OPTION.replace('%', '100')} AS fillfactor, count(*) FILTER (WHERE st.attname IS NULL)::int AS unmeasured
  FROM (SELECT oid, relpages AS pages FROM pg_class
    WHERE relkind IN ('r', 'm') AND relpages >= ${SMALLEST_PAGES} AND relnamespace = ANY
      (SELECT oid FROM pg_namespace WHERE nspname = ANY($1)) AND ($2::text IS NULL OR relname = $2)
    ORDER BY relpages DESC LIMIT 500) s
  JOIN pg_class c ON c.oid = s.oid
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
  LEFT JOIN pg_stats st ON st.schemaname = n.nspname AND st.tablename = c.relname AND st.attname = a.attname
    AND NOT st.inherited
  GROUP BY n.nspname, c.relname, c.reltuples, c.reloptions, s.pages`;

const INDEXES_MEASURED = `SELECT 'index' AS kind, n.nspname AS schema, c.relname AS name, t.relname AS table,
    current_setting('block_size')::int AS "pageBytes", s.pages::float8 AS pages, c.reltuples::float8 AS rows,
    coalesce(sum((1 - st.null_frac) * st.avg_width), 0)::float8 AS width,
    count(*)::int AS columns, coalesce(bool_or(st.null_frac > 0), false) AS "hasNulls",
    ${OPTION.replace('%', '90')} AS fillfactor, count(*) FILTER (WHERE st.attname IS NULL)::int AS unmeasured
  FROM (SELECT c.oid, c.relpages AS pages FROM pg_class c
    JOIN pg_index i ON i.indexrelid = c.oid JOIN pg_class t ON t.oid = i.indrelid
    WHERE c.relkind = 'i' AND c.relpages >= ${SMALLEST_PAGES} AND c.relnamespace = ANY
      (SELECT oid FROM pg_namespace WHERE nspname = ANY($1)) AND ($2::text IS NULL OR t.relname = $2)
      AND c.relam = (SELECT oid FROM pg_am WHERE amname = 'btree') AND i.indisvalid
    ORDER BY c.relpages DESC LIMIT 500) s
  JOIN pg_class c ON c.oid = s.oid
  JOIN pg_namespace n ON n.oid = c.relnamespace
  JOIN pg_index i ON i.indexrelid = c.oid
  JOIN pg_class t ON t.oid = i.indrelid
  JOIN pg_attribute a ON a.attrelid = c.oid
  LEFT JOIN pg_attribute ta ON ta.attrelid = t.oid AND ta.attnum = i.indkey[a.attnum - 1] AND ta.attnum > 0
  LEFT JOIN pg_stats st ON st.schemaname = n.nspname AND NOT st.inherited
    AND st.tablename = CASE WHEN ta.attname IS NULL THEN c.relname ELSE t.relname END
    AND st.attname = coalesce(ta.attname, a.attname)
  GROUP BY n.nspname, c.relname, t.relname, c.reltuples, c.reloptions, s.pages`;

/** The tables and btree indexes that are large enough to matter, or those of one table. */
export async function measure(
  { run, schemas }: Pick<Scene, 'run' | 'schemas'>,
  table: string | null = null,
): Promise<Measured[]> {
  const { rows: tables } = await run<Measured>(TABLES_MEASURED, [schemas, table]);
  const { rows: indexes } = await run<Measured>(INDEXES_MEASURED, [schemas, table]);
  return [...tables, ...indexes];
}

export const lookAtBloat = async (scene: Scene): Promise<Judgement> => judgeBloat(await measure(scene));
