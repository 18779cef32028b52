import type { Definitions } from '../store.ts';
import type { Database } from './connection.ts';

export function postgresDefinitions(database: Database): Definitions {
  return {
    async get(server) {
      const rows = await database.rows<{ tool: string; hash: string }>(
        'SELECT tool, hash FROM definitions WHERE server = $1 ORDER BY tool',
        [server],
      );
      return new Map(rows.map(({ tool, hash }) => [tool, hash]));
    },
    async put(server, hashes) {
      if (hashes.size === 0) return;
      await database.change(
        `INSERT INTO definitions (server, tool, hash) SELECT $1, * FROM unnest($2::text[], $3::text[])
         ON CONFLICT (server, tool) DO UPDATE SET hash = excluded.hash`,
        [server, [...hashes.keys()], [...hashes.values()]],
      );
    },
    async delete(server, tool) {
      if (tool === undefined) await database.change('DELETE FROM definitions WHERE server = $1', [server]);
      else await database.change('DELETE FROM definitions WHERE server = $1 AND tool = $2', [server, tool]);
    },
  };
}
