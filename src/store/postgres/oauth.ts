import { listedOf, recordOf, type OAuthRow } from '../oauth-row.ts';
import type { OAuthRecords } from '../store.ts';
import type { Database } from './connection.ts';

export function postgresOAuth(database: Database): OAuthRecords {
  async function find(column: 'id' | 'uid', kind: string, value: string) {
    const [row] = await database.rows<OAuthRow>(
      `SELECT payload, expires, consumed FROM oauth
       WHERE kind = $1 AND ${column} = $2 AND (expires IS NULL OR expires > $3)`,
      [kind, value, Date.now()],
    );
    return recordOf(row);
  }
  return {
    find: (kind, id) => find('id', kind, id),
    async list(kind, limit) {
      const rows = await database.rows<OAuthRow & { id: string }>(
        `SELECT id, payload, expires, consumed FROM oauth
         WHERE kind = $1 AND (expires IS NULL OR expires > $2) ORDER BY expires DESC NULLS FIRST, id LIMIT $3`,
        [kind, Date.now(), limit],
      );
      return rows.map(listedOf);
    },
    findByUid: (kind, uid) => find('uid', kind, uid),
    async put(kind, id, { payload, expires, consumed, uid, grant }) {
      await database.change('DELETE FROM oauth WHERE expires <= $1', [Date.now()]);
      await database.change(
        `INSERT INTO oauth (kind, id, uid, grant_id, payload, expires, consumed) VALUES ($1, $2, $3, $4, $5, $6, $7)
         ON CONFLICT (kind, id) DO UPDATE SET uid = excluded.uid, grant_id = excluded.grant_id,
           payload = excluded.payload, expires = excluded.expires, consumed = excluded.consumed`,
        [kind, id, uid ?? null, grant ?? null, payload, expires ?? null, consumed ?? null],
      );
    },
    consume: async (kind, id, at) =>
      (await database.change('UPDATE oauth SET consumed = $1 WHERE kind = $2 AND id = $3 AND consumed IS NULL', [
        at,
        kind,
        id,
      ])) > 0,
    async extend(kind, id, until) {
      await database.change('UPDATE oauth SET expires = $1 WHERE kind = $2 AND id = $3 AND expires < $1', [
        until,
        kind,
        id,
      ]);
    },
    async delete(kind, id) {
      await database.change('DELETE FROM oauth WHERE kind = $1 AND id = $2', [kind, id]);
    },
    async deleteGrant(grant) {
      await database.change('DELETE FROM oauth WHERE grant_id = $1', [grant]);
    },
    deleteKind: (kind) => database.change('DELETE FROM oauth WHERE kind = $1', [kind]),
    async deleteNext(kind) {
      await database.change(
        `DELETE FROM oauth WHERE kind = $1 AND id =
           (SELECT id FROM oauth WHERE kind = $1 AND expires IS NOT NULL ORDER BY expires LIMIT 1)`,
        [kind],
      );
    },
    async count(kind) {
      const [row] = await database.rows<{ n: number }>('SELECT count(*) AS n FROM oauth WHERE kind = $1', [kind]);
      return row?.n ?? 0;
    },
  };
}
