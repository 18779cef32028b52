import { jsonText } from '../json-text.ts';
import type { Catalogues } from '../store.ts';
import type { Database } from './connection.ts';

interface Row {
  server: string;
  fingerprint: string;
  value: string;
  savedAt: string;
}

export function postgresCatalogues(database: Database): Catalogues {
  const columns = 'server, fingerprint, value, saved_at AS "savedAt"';
  return {
    async get(server) {
      const [row] = await database.rows<Row>(`SELECT ${columns} FROM catalogues WHERE server = $1`, [server]);
      return row && { fingerprint: row.fingerprint, value: JSON.parse(row.value) as unknown, savedAt: row.savedAt };
    },
    async put(server, fingerprint, value) {
      await database.change(
        `INSERT INTO catalogues (server, fingerprint, value, saved_at) VALUES ($1, $2, $3, $4) ON CONFLICT (server)
         DO UPDATE SET fingerprint = excluded.fingerprint, value = excluded.value, saved_at = excluded.saved_at`,
        [server, fingerprint, jsonText(`The catalogue of ${server}`, value), new Date().toISOString()],
      );
    },
    async delete(server) {
      await database.change('DELETE FROM catalogues WHERE server = $1', [server]);
    },
    async all() {
      const rows = await database.rows<Row>(`SELECT ${columns} FROM catalogues ORDER BY server`);
      return rows.map((row) => ({ ...row, value: JSON.parse(row.value) as unknown }));
    },
  };
}
