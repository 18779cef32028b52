import type { DatabaseSync } from 'node:sqlite';
import { AppError } from '../../kernel/errors.ts';
import type { Migrations } from '../store.ts';
import { inTransaction } from './connection.ts';

/** Marks the file as ours: "Slce". */
const APPLICATION_ID = 0x536c6365;

/** Step n creates version n of the schema. Released steps never change. */
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
   CREATE TABLE secrets (key TEXT PRIMARY KEY, value TEXT NOT NULL) STRICT;
   CREATE TABLE definitions (
     server TEXT NOT NULL,
     tool TEXT NOT NULL,
     hash TEXT NOT NULL,
     PRIMARY KEY (server, tool)
   ) STRICT, WITHOUT ROWID;
   -- No index besides the id: one on the random trace ids makes an insert, which every call pays for, five times
   -- as dear. Digests of blocks of events, made in the background, tell which of them a query has to read.
   -- AUTOINCREMENT, because a cursor must not meet an id that was used before.
   CREATE TABLE events (
     id INTEGER PRIMARY KEY AUTOINCREMENT,
     at INTEGER NOT NULL,
     trace_id TEXT NOT NULL,
     event_type TEXT NOT NULL,
     status TEXT NOT NULL,
     data TEXT NOT NULL
   ) STRICT;`,
  `CREATE TABLE keys (
     id TEXT PRIMARY KEY,
     hash BLOB NOT NULL,
     value TEXT NOT NULL,
     revoked_at TEXT
   ) STRICT;`,
  `CREATE TABLE oauth (
     kind TEXT NOT NULL,
     id TEXT NOT NULL,
     uid TEXT,
     grant_id TEXT,
     payload TEXT NOT NULL,
     expires INTEGER,
     consumed INTEGER,
     PRIMARY KEY (kind, id)
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX oauth_uid ON oauth (uid) WHERE uid IS NOT NULL;
   CREATE INDEX oauth_grant ON oauth (grant_id) WHERE grant_id IS NOT NULL;
   CREATE INDEX oauth_expires ON oauth (expires) WHERE expires IS NOT NULL;`,
  `CREATE TABLE webhooks (
     name TEXT PRIMARY KEY,
     delivered_to INTEGER NOT NULL,
     delivered INTEGER NOT NULL DEFAULT 0,
     skipped INTEGER NOT NULL DEFAULT 0,
     problem TEXT,
     problem_at INTEGER,
     seen_at INTEGER NOT NULL,
     holder TEXT,
     holder_pid INTEGER,
     held_until INTEGER
   ) STRICT;
   CREATE TABLE webhook_gaps (
     webhook TEXT NOT NULL,
     from_id INTEGER NOT NULL,
     to_id INTEGER,
     PRIMARY KEY (webhook, from_id)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE webhook_dead (
     webhook TEXT NOT NULL,
     id INTEGER NOT NULL,
     at INTEGER NOT NULL,
     trace_id TEXT NOT NULL,
     event_type TEXT NOT NULL,
     status TEXT NOT NULL,
     data TEXT NOT NULL,
     reason TEXT NOT NULL,
     tries INTEGER NOT NULL,
     set_aside_at INTEGER NOT NULL,
     again INTEGER NOT NULL DEFAULT 0,
     PRIMARY KEY (webhook, id)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE tails (
     path TEXT PRIMARY KEY,
     file TEXT NOT NULL,
     offset INTEGER NOT NULL,
     head TEXT NOT NULL,
     skipping INTEGER NOT NULL,
     bad INTEGER NOT NULL,
     too_long INTEGER NOT NULL
   ) STRICT;`,
  `-- What each full block of events may hold; see event-digest.ts.
   CREATE TABLE event_digests (
     block INTEGER PRIMARY KEY,
     min_at INTEGER NOT NULL,
     max_at INTEGER NOT NULL,
     types TEXT NOT NULL,
     terms TEXT,
     traces BLOB NOT NULL
   ) STRICT;`,
  `CREATE TABLE logins (
     resource TEXT NOT NULL,
     principal TEXT NOT NULL,
     issuer TEXT NOT NULL,
     sealed BLOB NOT NULL,
     revision INTEGER NOT NULL,
     PRIMARY KEY (resource, principal, issuer)
   ) STRICT, WITHOUT ROWID;
   CREATE TABLE login_clients (
     issuer TEXT NOT NULL,
     redirect TEXT NOT NULL,
     sealed BLOB NOT NULL,
     PRIMARY KEY (issuer, redirect)
   ) STRICT, WITHOUT ROWID;`,
  `-- The n-th of its principal: so the oldest beyond a limit are found without counting.
   CREATE TABLE task_owners (
     id TEXT PRIMARY KEY,
     server TEXT NOT NULL,
     own TEXT NOT NULL,
     principal TEXT NOT NULL,
     n INTEGER NOT NULL,
     expires INTEGER NOT NULL
   ) STRICT, WITHOUT ROWID;
   CREATE INDEX task_owners_own ON task_owners (server, own);
   CREATE INDEX task_owners_n ON task_owners (principal, n);
   CREATE INDEX task_owners_expires ON task_owners (expires);`,
  `CREATE TABLE kept (
     n INTEGER PRIMARY KEY,
     key TEXT NOT NULL UNIQUE,
     value TEXT NOT NULL,
     owner TEXT NOT NULL,
     expires INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX kept_owner ON kept (owner, n);
   CREATE INDEX kept_expires ON kept (expires);`,
];

/** Brings the schema up to date, each step in its own transaction. Several processes may try at once. */
export function migrate(db: DatabaseSync, file: string, steps: readonly string[] = migrations): void {
  while (needsMigration(db, file, steps.length)) {
    inTransaction(db, () => {
      // Another process may have finished while this one waited for the lock.
      if (!needsMigration(db, file, steps.length)) return;
      const version = pragma(db, 'user_version');
      db.exec(steps[version] as string);
      db.exec(`PRAGMA application_id = ${APPLICATION_ID}; PRAGMA user_version = ${version + 1}`);
    });
  }
}

/**
 * Brings the tables of one part up to date. Each part counts its own versions, beside those of the store; versions of parts
 * that this build does not have are left alone.
 */
export function migratePart(db: DatabaseSync, file: string, part: string, steps: readonly string[]): void {
  db.exec('CREATE TABLE IF NOT EXISTS part_versions (part TEXT PRIMARY KEY, version INTEGER NOT NULL) STRICT');
  const read = db.prepare('SELECT version FROM part_versions WHERE part = ?');
  const write = db.prepare('INSERT OR REPLACE INTO part_versions (part, version) VALUES (?, ?)');
  const versionNow = () => Number(read.get(part)?.version ?? 0);
  if (versionNow() > steps.length) throw newer(file, `${part} ${versionNow()}`, steps.length);
  while (versionNow() < steps.length) {
    inTransaction(db, () => {
      const version = versionNow();
      const step = steps[version];
      // Another process may have been faster while this one waited for the lock.
      if (step === undefined) return;
      db.exec(step);
      write.run(part, version + 1);
    });
  }
}

/** The version of each schema in a file: the store's own, and those of the parts. */
export function versionsIn(db: DatabaseSync): Map<string, number> {
  const own: [string, number] = ['store', pragma(db, 'user_version')];
  const hasParts = db.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'part_versions'").get();
  const rows = hasParts ? db.prepare('SELECT part, version FROM part_versions').all() : [];
  return new Map([own, ...rows.map(({ part, version }): [string, number] => [String(part), Number(version)])]);
}

/** For who only reads a file: its schema must be exactly the one that this version makes. */
export function refuseOtherSchema(db: DatabaseSync, file: string, parts: ReadonlyMap<string, Migrations>): void {
  if (!refuseNewerSchema(db, file, parts)) return;
  throw new AppError(
    'conflict',
    `${file} was written by an older Sluice. Bring it up to date first, for example with \`sluice keys list\`, and try again.`,
  );
}

/** Returns whether the next start brings the schema up to date. */
export function refuseNewerSchema(db: DatabaseSync, file: string, parts: ReadonlyMap<string, Migrations>): boolean {
  const isOld = needsMigration(db, file, migrations.length);
  const versions = versionsIn(db);
  const behind = [...parts].filter(([part, { sqlite }]) => {
    const version = versions.get(part) ?? 0;
    if (version > sqlite.length) throw newer(file, `${part} ${version}`, sqlite.length);
    return version < sqlite.length;
  });
  return isOld || behind.length > 0;
}

function needsMigration(db: DatabaseSync, file: string, latest: number): boolean {
  const version = pragma(db, 'user_version');
  // In this order: another process may create schema and mark, in one step, between the two queries.
  if (!isEmpty(db) && pragma(db, 'application_id') !== APPLICATION_ID) {
    throw new AppError(
      'conflict',
      `${file} is a SQLite database of another program. Sluice did not change it. Choose another file for the store, or move this one away.`,
    );
  }
  if (version > latest) {
    throw newer(file, String(version), latest);
  }
  return version < latest;
}

function newer(file: string, schema: string, latest: number): AppError {
  return new AppError(
    'unsupported',
    `${file} was written by a newer Sluice (schema ${schema}; this one supports up to ${latest}). ` +
      'Start that version or a newer one, or choose another file for the store.',
  );
}

function isEmpty(db: DatabaseSync): boolean {
  return db.prepare('SELECT 1 FROM sqlite_schema LIMIT 1').get() === undefined;
}

function pragma(db: DatabaseSync, name: 'user_version' | 'application_id'): number {
  return Number(db.prepare(`PRAGMA ${name}`).get()?.[name]);
}
