import type { Logins, StoredLogin } from '../store.ts';
import type { Database } from './connection.ts';

export function postgresLogins(database: Database): Logins {
  return {
    find: (resource, principal) =>
      database.rows<StoredLogin>(
        'SELECT issuer, sealed, revision FROM logins WHERE resource = $1 AND principal = $2 ORDER BY revision DESC',
        [resource, principal],
      ),
    async put(resource, principal, issuer, sealed) {
      await database.change(
        `INSERT INTO logins (resource, principal, issuer, sealed) VALUES ($1, $2, $3, $4)
         ON CONFLICT (resource, principal, issuer) DO UPDATE SET sealed = excluded.sealed, revision = excluded.revision`,
        [resource, principal, issuer, sealed],
      );
    },
    delete: (resource, principal) =>
      database.change('DELETE FROM logins WHERE resource = $1 AND principal = $2', [resource, principal]),
    async client(issuer, redirect) {
      const [row] = await database.rows<{ sealed: Buffer }>(
        'SELECT sealed FROM login_clients WHERE issuer = $1 AND redirect = $2',
        [issuer, redirect],
      );
      return row?.sealed;
    },
    async putClient(issuer, redirect, sealed) {
      await database.change(
        `INSERT INTO login_clients (issuer, redirect, sealed) VALUES ($1, $2, $3)
         ON CONFLICT (issuer, redirect) DO UPDATE SET sealed = excluded.sealed`,
        [issuer, redirect, sealed],
      );
    },
    async deleteClient(issuer, redirect) {
      if (redirect === undefined) await database.change('DELETE FROM login_clients WHERE issuer = $1', [issuer]);
      else await database.change('DELETE FROM login_clients WHERE issuer = $1 AND redirect = $2', [issuer, redirect]);
    },
  };
}
