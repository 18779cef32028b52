import type { Allowed } from '../../allowed.ts';
import type { Run } from '../connection.ts';
import type { IndexedTable } from './advise.ts';
import type { NamedTable } from './candidates.ts';
import type { Existing } from './index-sql.ts';
import { quoted, quotedIn } from './quoted.ts';

const TABLE = `SELECT c.oid::int8::float8 AS oid, n.nspname AS schema, c.relname AS name,
    greatest(c.reltuples, (SELECT s.n_live_tup FROM pg_stat_all_tables s WHERE s.relid = c.oid), 0)::float8 AS rows
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE c.oid = to_regclass($1) AND c.relkind IN ('r', 'p', 'm')`;

const COLUMNS = `SELECT attname AS name, format_type(atttypid, NULL) AS type FROM pg_attribute
  WHERE attrelid = $1::oid AND attnum > 0 AND NOT attisdropped`;

const INDEXES = `SELECT am.amname AS method, i.indpred IS NOT NULL AS "isPartial",
    ARRAY(SELECT pg_get_indexdef(c.oid, k, false) FROM generate_series(1, i.indnkeyatts) k ORDER BY k) AS keys
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_am am ON am.oid = c.relam
  WHERE i.indrelid = $1::oid AND i.indisvalid`;

/** Looks tables up, each once. A table out of reach is refused; what is no table is undefined. */
export function tableFinder(run: Run, reach: Allowed): (named: NamedTable) => Promise<IndexedTable | undefined> {
  const known = new Map<string, IndexedTable | undefined>();
  return async ({ schema, name }) => {
    const text = schema === undefined ? quoted(name) : quotedIn(schema, name);
    if (known.has(text)) return known.get(text);
    const { rows } = await run<{ oid: number; schema: string; name: string; rows: number }>(TABLE, [text]);
    const [found] = rows;
    const table = found && !isSystem(found.schema) ? await described(run, found) : undefined;
    if (table) reach.need(table.schema);
    known.set(text, table);
    return table;
  };
}

const isSystem = (schema: string): boolean => schema.startsWith('pg_') || schema === 'information_schema';

async function described(
  run: Run,
  { oid, schema, name, rows }: { oid: number; schema: string; name: string; rows: number },
): Promise<IndexedTable> {
  const { rows: columns } = await run<{ name: string; type: string }>(COLUMNS, [oid]);
  const { rows: existing } = await run<Existing>(INDEXES, [oid]);
  return { schema, name, rows, columns: new Map(columns.map((column) => [column.name, column.type])), existing };
}
