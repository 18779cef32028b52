import type { OwnedTask, TaskOwners } from '../store.ts';
import type { Database } from './connection.ts';

type Row = Omit<OwnedTask, 'replica'> & { replica: string | null };

const taskOf = ({ replica, ...task }: Row): OwnedTask => (replica === null ? task : { ...task, replica });

export function postgresTaskOwners(database: Database): TaskOwners {
  const columns = 'id, server, own, principal, expires, replica';
  return {
    async put({ id, server, own, principal, expires, replica }, most) {
      await database.change('SELECT put_task_owner($1, $2, $3, $4, $5, $6, $7, $8)', [
        id,
        server,
        own,
        principal,
        expires,
        most,
        Date.now(),
        replica ?? null,
      ]);
    },
    async get(id) {
      const [row] = await database.rows<Row>(`SELECT ${columns} FROM task_owners WHERE id = $1 AND expires > $2`, [
        id,
        Date.now(),
      ]);
      return row && taskOf(row);
    },
    async at(server, own) {
      const rows = await database.rows<Row>(
        `SELECT ${columns} FROM task_owners WHERE server = $1 AND own = ANY($2::text[]) AND expires > $3
         ORDER BY array_position($2::text[], own), principal, n`,
        [server, own, Date.now()],
      );
      return rows.map(taskOf);
    },
  };
}
