import type { Seal } from '../../kernel/seal.ts';
import { openConfig, sealConfig } from '../sealed.ts';
import type { AddedServer, Servers } from '../store.ts';
import type { Database } from './connection.ts';

export function postgresServers(database: Database, seal: Seal): Servers {
  return {
    async list() {
      const rows = await database.rows<AddedServer & { config: string }>(
        'SELECT name, config, added_at AS "addedAt", added_by AS "addedBy" FROM servers ORDER BY name',
      );
      return rows.map((row) => ({ ...row, config: openConfig(seal, row.name, row.config) }));
    },
    async put(name, config, addedBy) {
      await database.change(
        `INSERT INTO servers (name, config, added_at, added_by) VALUES ($1, $2, $3, $4) ON CONFLICT (name)
         DO UPDATE SET config = excluded.config, added_at = excluded.added_at, added_by = excluded.added_by`,
        [name, sealConfig(seal, name, config), new Date().toISOString(), addedBy],
      );
    },
    delete: async (name) => (await database.change('DELETE FROM servers WHERE name = $1', [name])) > 0,
  };
}
