import { DatabaseSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { isBusy } from './errors.ts';

export const MEMORY = ':memory:';

const BUSY_MS = 5000;
/** For writes that are kept and retried when they fail: waiting for the file would stop every call. */
const IMPATIENT_MS = 250;

export async function connect(file: string, { allowExtension = false } = {}): Promise<DatabaseSync> {
  const db = new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true, allowExtension });
  try {
    await switchToWal(db, Date.now() + BUSY_MS);
    db.exec('PRAGMA synchronous = NORMAL; PRAGMA journal_size_limit = 16777216');
    return db;
  } catch (error) {
    db.close();
    throw error;
  }
}

/** If two processes open a new file at once, SQLite refuses one of them here instead of letting it wait. */
async function switchToWal(db: DatabaseSync, deadline: number): Promise<void> {
  while (true) {
    try {
      db.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (!isBusy(error) || Date.now() > deadline) throw error;
    }
    await setTimeout(20);
  }
}

/** Gives up soon if another process holds the file. */
export function impatiently(db: DatabaseSync, work: () => void): void {
  db.exec(`PRAGMA busy_timeout = ${IMPATIENT_MS}`);
  try {
    work();
  } finally {
    db.exec(`PRAGMA busy_timeout = ${BUSY_MS}`);
  }
}

/** Takes the write lock at the start: a reader that becomes a writer later could be refused. */
export function inTransaction<T>(db: DatabaseSync, work: () => T): T {
  db.exec('BEGIN IMMEDIATE');
  try {
    const result = work();
    db.exec('COMMIT');
    return result;
  } catch (error) {
    // On a full disk SQLite has already rolled back.
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
