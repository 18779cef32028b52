import type { DatabaseSync } from 'node:sqlite';
import type { Run } from './run.ts';
import type { Logins, StoredLogin } from '../store.ts';

export function sqliteLogins(db: DatabaseSync, run: Run): Logins {
  const find = db.prepare(
    'SELECT issuer, sealed, revision FROM logins WHERE resource = ? AND principal = ? ORDER BY revision DESC',
  );
  const put = db.prepare(
    `INSERT OR REPLACE INTO logins (resource, principal, issuer, sealed, revision)
     VALUES (?, ?, ?, ?, (SELECT coalesce(max(revision), 0) + 1 FROM logins))`,
  );
  const remove = db.prepare('DELETE FROM logins WHERE resource = ? AND principal = ?');
  const client = db.prepare('SELECT sealed FROM login_clients WHERE issuer = ? AND redirect = ?');
  const putClient = db.prepare('INSERT OR REPLACE INTO login_clients (issuer, redirect, sealed) VALUES (?, ?, ?)');
  const removeClient = db.prepare('DELETE FROM login_clients WHERE issuer = ? AND redirect = ?');
  const removeClients = db.prepare('DELETE FROM login_clients WHERE issuer = ?');
  return {
    find: (resource, principal) =>
      run(() =>
        find.all(resource, principal).map(
          ({ issuer, sealed, revision }): StoredLogin => ({
            issuer: issuer as string,
            sealed: Buffer.from(sealed as Uint8Array),
            revision: revision as number,
          }),
        ),
      ),
    put: (resource, principal, issuer, sealed) => run(() => void put.run(resource, principal, issuer, sealed)),
    delete: (resource, principal) => run(() => Number(remove.run(resource, principal).changes)),
    client: (issuer, redirect) =>
      run(() => {
        const row = client.get(issuer, redirect);
        return row && Buffer.from(row.sealed as Uint8Array);
      }),
    putClient: (issuer, redirect, sealed) => run(() => void putClient.run(issuer, redirect, sealed)),
    deleteClient: (issuer, redirect) =>
      run(() => void (redirect === undefined ? removeClients.run(issuer) : removeClient.run(issuer, redirect))),
  };
}
