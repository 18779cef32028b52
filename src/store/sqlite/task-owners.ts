import type { DatabaseSync } from 'node:sqlite';
import { inTransaction } from './connection.ts';
import type { Run } from './run.ts';
import type { OwnedTask, TaskOwners } from '../store.ts';

export function sqliteTaskOwners(db: DatabaseSync, run: Run): TaskOwners {
  const columns = 'id, server, own, principal, expires';
  const last = db.prepare('SELECT max(n) AS n FROM task_owners WHERE principal = ?');
  const insert = db.prepare(
    'INSERT OR REPLACE INTO task_owners (id, server, own, principal, expires, n) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const trim = db.prepare('DELETE FROM task_owners WHERE principal = ? AND n <= ?');
  const expire = db.prepare('DELETE FROM task_owners WHERE expires <= ?');
  const get = db.prepare(`SELECT ${columns} FROM task_owners WHERE id = ? AND expires > ?`);
  const at = db.prepare(
    `SELECT ${columns} FROM task_owners WHERE server = ? AND own = ? AND expires > ? ORDER BY principal, n`,
  );
  return {
    put: ({ id, server, own, principal, expires }, most) =>
      run(() =>
        inTransaction(db, () => {
          expire.run(Date.now());
          const n = Number(last.get(principal)?.n ?? 0) + 1;
          insert.run(id, server, own, principal, expires, n);
          trim.run(principal, n - most);
        }),
      ),
    get: (id) => run(() => get.get(id, Date.now()) as unknown as OwnedTask | undefined),
    at: (server, own) =>
      run(() => {
        const now = Date.now();
        return own.flatMap((name) => at.all(server, name, now) as unknown as OwnedTask[]);
      }),
  };
}
