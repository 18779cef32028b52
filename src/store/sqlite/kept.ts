import type { DatabaseSync } from 'node:sqlite';
import { MOST_KEPT, type Shared } from '../../kernel/shared.ts';
import { inTransaction } from './connection.ts';
import type { Run } from './run.ts';

/** Values that are gone once they were taken. They survive a restart, so that a person may decide after it. */
export function sqliteKept(db: DatabaseSync, run: Run): Pick<Shared, 'keep' | 'take'> {
  const expire = db.prepare('DELETE FROM kept WHERE expires <= ?');
  const put = db.prepare('INSERT OR REPLACE INTO kept (key, value, owner, expires) VALUES (?, ?, ?, ?)');
  const trim = db.prepare(
    `DELETE FROM kept WHERE owner = ? AND n <= (SELECT n FROM kept WHERE owner = ? ORDER BY n DESC LIMIT 1 OFFSET ${MOST_KEPT})`,
  );
  const take = db.prepare('DELETE FROM kept WHERE key = ? RETURNING value, expires');
  return {
    keep: (key, value, ms, group) =>
      run(() =>
        inTransaction(db, () => {
          const now = Date.now();
          expire.run(now);
          put.run(key, value, group, now + ms);
          trim.run(group, group);
        }),
      ),
    take: (key) =>
      run(() => {
        const row = take.get(key) as { value: string; expires: number } | undefined;
        return row && row.expires > Date.now() ? row.value : undefined;
      }),
  };
}
