import { DatabaseSync } from 'node:sqlite';
import { localShared } from '../../src/store/local-shared.ts';
import { sqliteKept } from '../../src/store/sqlite/kept.ts';
import { migrate } from '../../src/store/sqlite/migrations.ts';

/** What one process shares with itself, in a database of its own. */
export function newLocalShared(): ReturnType<typeof localShared> {
  const db = new DatabaseSync(':memory:');
  migrate(db, ':memory:');
  return localShared(sqliteKept(db, async (work) => await work()));
}
