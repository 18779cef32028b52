import { own } from '../../kernel/own.ts';
import type { SqliteRow, SqliteValue } from '../sqlite/snapshot.ts';
import { bitsOf } from './bits.ts';
import { type Database, type Session } from './connection.ts';
import { SCHEMA } from '../own-names.ts';

export interface Column {
  readonly name: string;
  readonly type: string;
  /** Whether the database counts it up. */
  readonly counts: boolean;
}

const MOST_ROWS = 5000;
const MOST_CHARACTERS = 4_000_000;
/** They say something about the database, not about what is stored in it. */
const ABOUT_ITSELF = new Set(['marks', 'part_versions', 'topics']);

/** The columns that can be written, by table. */
export async function columnsOf(database: Database): Promise<Map<string, Map<string, Column>>> {
  const rows = await database.rows<{ table: string; name: string; type: string; counts: boolean }>(
    `SELECT table_name AS table, column_name AS name, udt_name AS type, is_identity = 'YES' AS counts
     FROM information_schema.columns WHERE table_schema = '${SCHEMA}' AND is_generated = 'NEVER'
     ORDER BY table_name, ordinal_position`,
  );
  const tables = new Map<string, Map<string, Column>>();
  for (const { table, ...column } of rows)
    tables.set(table, (tables.get(table) ?? new Map<string, Column>()).set(column.name, column));
  return tables;
}

/** These tables, each after those that its rows refer to. */
export async function inOrder(database: Database, tables: readonly string[]): Promise<string[]> {
  const rows = await database.rows<{ table: string; parent: string }>(
    `SELECT child.relname AS table, parent.relname AS parent FROM pg_constraint c
     JOIN pg_class child ON child.oid = c.conrelid JOIN pg_class parent ON parent.oid = c.confrelid
     JOIN pg_namespace n ON n.oid = child.relnamespace
     WHERE c.contype = 'f' AND n.nspname = '${SCHEMA}' AND parent.oid <> child.oid`,
  );
  const ordered = new Set<string>();
  function add(table: string): void {
    for (const { parent } of rows.filter((row) => row.table === table)) add(parent);
    ordered.add(table);
  }
  for (const table of tables) add(table);
  return [...ordered].filter((table) => tables.includes(table));
}

/** The tables that are not empty. */
export async function tablesWithRows(database: Database): Promise<string[]> {
  const used: string[] = [];
  for (const table of (await columnsOf(database)).keys()) {
    if (ABOUT_ITSELF.has(table)) continue;
    const [row] = await database.once<{ used: boolean }>(`SELECT EXISTS (SELECT 1 FROM ${named(table)}) AS used`);
    if (row?.used) used.push(table);
  }
  return used;
}

/** Inserts rows in large batches. Returns how many texts had a NUL, which PostgreSQL cannot hold, and were changed. */
export async function insertRows(
  session: Session,
  table: string,
  columns: readonly Column[],
  rows: Iterable<SqliteRow>,
  inserted: (count: number) => void,
): Promise<number> {
  const arrays = columns.map(({ type }, index) => `$${index + 1}::${type}[]`);
  const sql = `INSERT INTO ${named(table)} (${columns.map(({ name }) => named(name)).join(', ')}) OVERRIDING SYSTEM VALUE
    SELECT * FROM unnest(${arrays.join(', ')})`;
  let cleaned = 0;
  let waiting: (SqliteValue | boolean)[][] = columns.map(() => []);
  let characters = 0;

  async function flush(): Promise<void> {
    const count = waiting[0]?.length ?? 0;
    if (count === 0) return;
    await session.change(sql, waiting as never);
    waiting = columns.map(() => []);
    characters = 0;
    inserted(count);
  }

  for (const row of rows) {
    for (const [index, { name, type }] of columns.entries()) {
      let value = own(row, name) ?? null;
      if (typeof value === 'string') {
        characters += value.length;
        if (value.includes('\0')) {
          value = value.replaceAll('\0', '\ufffd');
          cleaned++;
        }
      }
      waiting[index]?.push(valueFor(type, value));
    }
    if ((waiting[0]?.length ?? 0) >= MOST_ROWS || characters >= MOST_CHARACTERS) await flush();
  }
  await flush();
  return cleaned;
}

/** SQLite has no booleans, and keeps bits in bytes. */
function valueFor(type: string, value: SqliteValue): SqliteValue | boolean {
  if (type === 'bool' && typeof value === 'number') return value !== 0;
  if (!(value instanceof Uint8Array)) return value;
  return type === 'varbit' ? bitsOf(value) : Buffer.from(value);
}

/** After the rows were inserted: counters go on after them, and after `least`; the planner knows them. */
export async function settle(
  database: Database,
  tables: ReadonlyMap<string, ReadonlyMap<string, Column>>,
  least: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [table, columns] of tables)
    for (const { name, counts } of columns.values())
      if (counts)
        await database.once(
          `SELECT setval(pg_get_serial_sequence($1, $2), greatest(max(${named(name)}), $3, 1),
             greatest(max(${named(name)}), $3) > 0) FROM ${named(table)}`,
          [`${SCHEMA}.${named(table)}`, name, least.get(table) ?? 0],
        );
  // Until the database looks by itself, its planner takes a full table for an empty one.
  await database.once(`ANALYZE ${[...tables.keys()].map(named).join(', ')}`);
}

const named = (name: string): string => `"${name.replaceAll('"', '""')}"`;
