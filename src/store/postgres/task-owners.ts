import type { OwnedTask, TaskOwners } from '../store.ts';
import type { Database } from './connection.ts';

export function postgresTaskOwners(database: Database): TaskOwners {
  const columns = 'id, server, own, principal, expires';
  return {
    async put({ id, server, own, principal, expires }, most) {
      await database.change('SELECT put_task_owner($1, $2, $3, $4, $5, $6, $7)', [
        id,
        server,
        own,
        principal,
        expires,
        most,
        Date.now(),
      ]);
    },
    async get(id) {
      const [row] = await database.rows<OwnedTask>(
        `SELECT ${columns} FROM task_owners WHERE id = $1 AND expires > $2`,
        [id, Date.now()],
      );
      return row;
    },
    at: (server, own) =>
      database.rows<OwnedTask>(
        `SELECT ${columns} FROM task_owners WHERE server = $1 AND own = ANY($2::text[]) AND expires > $3
         ORDER BY array_position($2::text[], own), principal, n`,
        [server, own, Date.now()],
      ),
  };
}
