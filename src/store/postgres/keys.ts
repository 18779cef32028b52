import { keyOf, type KeyRow } from '../key-row.ts';
import type { Keys } from '../store.ts';
import type { Database } from './connection.ts';

export function postgresKeys(database: Database): Keys {
  return {
    async add({ id, hash, grant }) {
      await database.change('INSERT INTO keys (id, hash, value) VALUES ($1, $2, $3)', [
        id,
        hash,
        JSON.stringify(grant),
      ]);
    },
    async list() {
      const rows = await database.rows<KeyRow>('SELECT id, hash, value, revoked_at FROM keys ORDER BY n');
      return rows.map(keyOf);
    },
    revoke: async (id, at) =>
      (await database.change('UPDATE keys SET revoked_at = $1 WHERE id = $2 AND revoked_at IS NULL', [at, id])) > 0,
  };
}
