import { AppError } from '../../kernel/errors.ts';
import { fittingItems } from '../../kernel/reply-size.ts';
import type { Postgres, Raw, Run, Transaction } from './connection.ts';
import { needReach } from './reach.ts';
import { parseSql } from './sql/parse.ts';
import { type Reading, readingOf } from './sql/read-only.ts';
import { cutInSql, valueOf } from './values.ts';

export interface Column {
  readonly name: string;
  readonly type: string;
}

export interface Table {
  /** Left out if there are so many that they would fill the reply. */
  readonly columns?: Column[];
  readonly rows: Record<string, unknown>[];
  readonly more?: true;
  readonly note?: string;
}

interface Typed {
  readonly name: string;
  readonly type: number;
  readonly typeName: string;
  readonly category: string;
}

/** Values are cut here before they leave the database. */
const LONGEST_VALUE = 3000;
export const DEFAULT_ROWS = 100;
export const MOST_ROWS = 1000;
const COLUMNS_BYTES = 1500;
/** What fits a reply of 8 KB that has everything twice, and what a caller gets who asks for more. */
const ROW_BYTES = 3000;
const LARGE_ROW_BYTES = 24_000;
const LARGE_REPLY_BYTES = 48_000;

/** Reads with SQL from outside: judged, then run in a transaction that only reads. */
export async function query(
  postgres: Postgres,
  { sql, params = [], limit }: { sql: string; params?: readonly unknown[] | undefined; limit?: number | undefined },
  signal: AbortSignal,
): Promise<Table> {
  const reading = readingOf(await parseSql(sql));
  const most = limit ?? DEFAULT_ROWS;
  const { raw, columns, cut } = await readRows(postgres, reading, { params, most }, signal);
  return tableOf(raw, columns, { most, cut, isLarge: limit !== undefined });
}

/** What a judged statement returns, at most so many rows and one more. */
async function readRows(
  postgres: Postgres,
  { statement, touched, isQuery }: Reading,
  { params, most }: { params: readonly unknown[]; most: number },
  signal: AbortSignal,
): Promise<{ raw: Raw; columns: readonly Typed[]; cut: boolean }> {
  return await postgres.read(async (run) => {
    await needReach(run, postgres.schemas, touched);
    return isQuery
      ? await chosen(run, statement.sql, params, most + 1)
      : await whole(run, statement.sql, params, most + 1);
  }, signal);
}

async function whole(run: Transaction, sql: string, params: readonly unknown[], most: number) {
  const raw = await run.raw(sql, params, most);
  return { raw, columns: await typed(run, raw.columns), cut: false };
}

/** Asks for the columns first, then for so many rows with long values cut, so that a huge value stays where it is. */
async function chosen(run: Transaction, sql: string, params: readonly unknown[], most: number) {
  const { columns: found } = await run.raw(`SELECT * FROM (\n${sql}\n) AS q LIMIT 0`, params, 0);
  const columns = await typed(run, found);
  const names = columns.map((_, at) => `c${at}`);
  const cuts = columns.map((column, at) => cutInSql(`c${at}`, column, LONGEST_VALUE));
  const named = names.length > 0 ? `(${names.join(', ')})` : '';
  const raw = await run.raw(`SELECT ${cuts.join(', ')} FROM (\n${sql}\n) AS q${named} LIMIT ${most}`, params, most);
  return { raw, columns, cut: true };
}

/** The columns with the names of their types. Two columns of one name get different ones. */
export async function typed(run: Run, columns: Raw['columns']): Promise<Typed[]> {
  const types = await typesOf(run, [...new Set(columns.map(({ type }) => type))]);
  // Not every reader of JSON takes this one for a name.
  const taken = new Set(['__proto__']);
  return columns.map(({ name, type }) => {
    let free = name;
    for (let number = 2; taken.has(free); number++) free = `${name}_${number}`;
    taken.add(free);
    return {
      name: free,
      type,
      typeName: types.get(type)?.name ?? 'unknown',
      category: types.get(type)?.category ?? '',
    };
  });
}

interface TypeInfo {
  readonly oid: number;
  readonly name: string;
  readonly category: string;
}

/** PostgreSQL's own types have fixed numbers below this and are the same everywhere. */
const FIRST_OWN = 10_000;
const builtIn = new Map<number, TypeInfo>();

async function typesOf(run: Run, oids: readonly number[]): Promise<ReadonlyMap<number, TypeInfo>> {
  const unknown = oids.filter((oid) => !builtIn.has(oid));
  if (unknown.length === 0) return builtIn;
  const { rows } = await run<TypeInfo>(
    `SELECT oid, format_type(oid, NULL) AS name,
       CASE WHEN oid = 'record'::regtype THEN 'C' ELSE typcategory END AS category
     FROM pg_catalog.pg_type WHERE oid = ANY ($1::oid[])`,
    [unknown],
  );
  for (const row of rows) if (row.oid < FIRST_OWN) builtIn.set(row.oid, row);
  return new Map([...builtIn, ...rows.map((row) => [row.oid, row] as const)]);
}

/** Rows as objects, as many as a reply can hold. With `cut`, each column is followed by the length of its whole value. */
export function tableOf(
  { rows: raw, count }: Pick<Raw, 'rows' | 'count'>,
  columns: readonly Typed[],
  { most, cut, isLarge }: { most: number; cut: boolean; isLarge: boolean },
): Table {
  let isCut = false;
  const rows = raw.slice(0, most).map((row) => {
    for (const longest of LENGTHS) {
      const shown = shownRow(row, columns, cut, longest);
      if (Buffer.byteLength(JSON.stringify(shown.row)) > (isLarge ? LARGE_ROW_BYTES : ROW_BYTES)) continue;
      isCut ||= shown.isCut;
      return shown.row;
    }
    throw new AppError('too_large', `A row of ${columns.length} columns does not fit a reply. Name fewer columns.`);
  });
  const heads = columns.map(({ name, typeName }) => ({ name, type: typeName }));
  const besides = JSON.stringify(heads).length <= COLUMNS_BYTES ? { columns: heads } : {};
  const shown = isLarge ? within(rows, LARGE_REPLY_BYTES) : fittingItems(rows, { ...besides, note: NOTES });
  const more = shown < count;
  const notes = [more ? MORE : '', isCut ? CUT : ''].filter((note) => note !== '');
  return {
    ...besides,
    rows: rows.slice(0, shown),
    ...(more && { more }),
    ...(notes.length > 0 && { note: notes.join(' ') }),
  };
}

/** A row that is too large is shown with shorter values. */
const LENGTHS = [LONGEST_VALUE, 2000, 1000, 500, 200, 80, 30];

function shownRow(row: readonly (string | null)[], columns: readonly Typed[], cut: boolean, most: number) {
  let isCut = false;
  const entries = columns.map(({ name, type, category }, at): [string, unknown] => {
    const length = cut ? row[at * 2 + 1] : undefined;
    const { value, isCut: shortened } = valueOf(row[cut ? at * 2 : at] ?? null, {
      type,
      // Only what was asked for as JSON is JSON.
      category: cut ? category : '',
      most,
      whole: length === null || length === undefined ? undefined : Number(length),
    });
    isCut ||= shortened;
    return [name, value];
  });
  return { row: Object.fromEntries(entries), isCut };
}

const MORE = 'There are more rows: continue with ORDER BY and OFFSET, or with WHERE on the last key; or set limit.';
const CUT = 'Long values are cut: read the rest with substring(column, from, length), or name fewer columns.';
const NOTES = `${MORE} ${CUT}`;

function within(rows: readonly unknown[], most: number): number {
  let left = most;
  const over = rows.findIndex((row) => {
    left -= Buffer.byteLength(JSON.stringify(row));
    return left < 0;
  });
  return over === -1 ? rows.length : Math.max(1, over);
}
