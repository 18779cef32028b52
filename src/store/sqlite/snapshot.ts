import { existsSync } from 'node:fs';
import { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../kernel/errors.ts';
import type { Migrations } from '../store.ts';
import { storeError } from './errors.ts';
import { refuseOtherSchema, versionsIn } from './migrations.ts';

export type SqliteValue = string | number | null | Uint8Array;
export type SqliteRow = Readonly<Record<string, SqliteValue>>;

/** An embedded store at one moment, whatever a running gateway writes meanwhile. Never changes it. */
export interface Snapshot extends Disposable {
  /** Of SQLite. */
  readonly version: string;
  /** Of the schema, by part. */
  readonly versions: ReadonlyMap<string, number>;
  /** Its tables, sorted by name, with the type of each column. */
  readonly tables: ReadonlyMap<string, ReadonlyMap<string, string>>;
  count(table: string): number;
  /** In the order in which they were added. `after` leaves out rows up to this id. */
  rows(table: string, columns: readonly string[], after?: number): Iterable<SqliteRow>;
  /** The highest id that the table ever had, even if that row is gone. */
  lastId(table: string): number;
  /** Whether somebody wrote to the file since. Ends the snapshot. */
  isOutdated(): boolean;
}

const BUSY_MS = 5000;
/** Tables of SQLite itself, and of its own indexes. */
const INTERNAL = /^sqlite_/;

/** With `parts`, refuses a file whose schema is not the one that this version makes. */
export function openSnapshot(file: string, parts?: ReadonlyMap<string, Migrations>): Snapshot {
  if (!existsSync(file)) throw new AppError('not_found', `There is no embedded store ${file}.`);
  let db: DatabaseSync | undefined;
  try {
    db = new DatabaseSync(file, { readOnly: true, timeout: BUSY_MS });
    const begun = dataVersion(db);
    // The first read decides which moment a read transaction shows.
    db.exec('BEGIN');
    if (parts) refuseOtherSchema(db, file, parts);
    return snapshotOf(db, begun);
  } catch (thrown) {
    db?.close();
    throw storeError(file, thrown);
  }
}

function snapshotOf(db: DatabaseSync, begun: number): Snapshot {
  const listed = db.prepare('PRAGMA table_list').all() as { schema: string; name: string; type: string; wr: number }[];
  const found = listed
    .filter(({ schema, name, type }) => schema === 'main' && type === 'table' && !INTERNAL.test(name))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  const withRowId = new Set(found.filter(({ wr }) => wr === 0).map(({ name }) => name));
  return {
    version: String(db.prepare('SELECT sqlite_version() AS version').get()?.version),
    versions: versionsIn(db),
    tables: new Map(
      found.map(({ name }) => {
        const columns = db.prepare(`PRAGMA table_info(${quoted(name)})`).all() as { name: string; type: string }[];
        return [name, new Map(columns.map((column) => [column.name, column.type]))];
      }),
    ),
    count: (table) => Number(db.prepare(`SELECT count(*) AS n FROM ${quoted(table)}`).get()?.n),
    rows(table, columns, after) {
      const where = after === undefined ? '' : 'WHERE id > ?';
      const order = after === undefined ? (withRowId.has(table) ? 'ORDER BY rowid' : '') : 'ORDER BY id';
      const sql = `SELECT ${columns.map(quoted).join(', ')} FROM ${quoted(table)} ${where} ${order}`;
      return db.prepare(sql).iterate(...(after === undefined ? [] : [after])) as Iterable<SqliteRow>;
    },
    lastId: (table) => Number(db.prepare('SELECT seq FROM sqlite_sequence WHERE name = ?').get(table)?.seq ?? 0),
    isOutdated() {
      db.exec('COMMIT');
      return dataVersion(db) !== begun;
    },
    [Symbol.dispose]: () => db.close(),
  };
}

const dataVersion = (db: DatabaseSync): number => Number(db.prepare('PRAGMA data_version').get()?.data_version);

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;
