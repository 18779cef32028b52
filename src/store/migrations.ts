import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../kernel/errors.ts';
import { inTransaction } from './sqlite-connection.ts';

/** Marks the file as ours: "Slce". */
const APPLICATION_ID = 0x536c6365;

/** The n-th makes version n of the schema. Those that were released never change. */
const migrations: readonly string[] = [
  `CREATE TABLE catalogues (
     server TEXT PRIMARY KEY,
     fingerprint TEXT NOT NULL,
     value TEXT NOT NULL,
     saved_at TEXT NOT NULL
   ) STRICT;
   CREATE TABLE servers (
     name TEXT PRIMARY KEY,
     config TEXT NOT NULL,
     added_at TEXT NOT NULL,
     added_by TEXT NOT NULL
   ) STRICT;
   CREATE TABLE settings (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
   CREATE TABLE secrets (key TEXT PRIMARY KEY, value BLOB NOT NULL) STRICT;
   CREATE TABLE definitions (
     server TEXT NOT NULL,
     tool TEXT NOT NULL,
     hash TEXT NOT NULL,
     PRIMARY KEY (server, tool)
   ) STRICT, WITHOUT ROWID;
   -- No index besides the id: one on the random trace ids makes an insert, which every call pays for, five times
   -- as dear, and a scan in the worker takes 0.1 s for a million events.
   -- AUTOINCREMENT, because a cursor must not meet an id that was used before.
   CREATE TABLE events (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     at INTEGER NOT NULL,
     trace_id TEXT NOT NULL,
     event_type TEXT NOT NULL,
     status TEXT NOT NULL,
     data TEXT NOT NULL
   ) STRICT;`,
];

/** Brings the schema up to date, each step in a transaction of its own; several processes may try at once. */
export function migrate(db: DatabaseSync, file: string, steps: readonly string[] = migrations): void {
  while (needsMigration(db, file, steps.length)) {
    inTransaction(db, () => {
      // Another process may have been faster while this one waited for the lock.
      if (!needsMigration(db, file, steps.length)) return;
      const version = pragma(db, 'user_version');
      db.exec(steps[version] as string);
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version + 1}`);
    });
  }
}

function needsMigration(db: DatabaseSync, file: string, latest: number): boolean {
  const version = pragma(db, 'user_version');
  // In this order: another process may make the schema and the mark, in one step, between the two questions.
  if (!isEmpty(db) && pragma(db, 'application_id') !== APPLICATION_ID) {
    throw new AppError(
      'conflict',
      `${file} is a SQLite database of another program; it was left as it is. Name another file for the store, or move this one away.`,
    );
  }
  if (version > latest) {
    throw new AppError(
      'unsupported',
      `${file} was written by a newer sluice (schema ${version}; this one knows up to ${latest}). ` +
        'Start that version or a newer one, or name another file for the store.',
    );
  }
  return version < latest;
}

function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}

function pragma(db: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}
