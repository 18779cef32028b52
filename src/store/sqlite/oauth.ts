import type { DatabaseSync } from 'node:sqlite';
import type { Run } from './run.ts';
import { listedOf, recordOf, type OAuthRow } from '../oauth-row.ts';
import type { OAuthRecords } from '../store.ts';

export function sqliteOAuth(db: DatabaseSync, run: Run): OAuthRecords {
  const columns = 'payload, expires, consumed';
  const alive = '(expires IS NULL OR expires > ?)';
  const byId = db.prepare(`SELECT ${columns} FROM oauth WHERE kind = ? AND id = ? AND ${alive}`);
  const ofKind = db.prepare(
    `SELECT id, ${columns} FROM oauth WHERE kind = ? AND ${alive} ORDER BY expires IS NULL DESC, expires DESC, id LIMIT ?`,
  );
  const byUid = db.prepare(`SELECT ${columns} FROM oauth WHERE kind = ? AND uid = ? AND ${alive}`);
  const put = db.prepare(
    'INSERT OR REPLACE INTO oauth (kind, id, uid, grant_id, payload, expires, consumed) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const consume = db.prepare('UPDATE oauth SET consumed = ? WHERE kind = ? AND id = ? AND consumed IS NULL');
  const extend = db.prepare('UPDATE oauth SET expires = ? WHERE kind = ? AND id = ? AND expires < ?');
  const remove = db.prepare('DELETE FROM oauth WHERE kind = ? AND id = ?');
  const removeGrant = db.prepare('DELETE FROM oauth WHERE grant_id = ?');
  const removeKind = db.prepare('DELETE FROM oauth WHERE kind = ?');
  const removeNext = db.prepare(
    `DELETE FROM oauth WHERE kind = ?1 AND id =
       (SELECT id FROM oauth WHERE kind = ?1 AND expires IS NOT NULL ORDER BY expires LIMIT 1)`,
  );
  const count = db.prepare('SELECT count(*) AS n FROM oauth WHERE kind = ?');
  const prune = db.prepare('DELETE FROM oauth WHERE expires <= ?');
  return {
    find: (kind, id) => run(() => recordOf(byId.get(kind, id, Date.now()) as unknown as OAuthRow | undefined)),
    list: (kind, limit) =>
      run(() => (ofKind.all(kind, Date.now(), limit) as unknown as (OAuthRow & { id: string })[]).map(listedOf)),
    findByUid: (kind, uid) => run(() => recordOf(byUid.get(kind, uid, Date.now()) as unknown as OAuthRow | undefined)),
    put: (kind, id, { payload, expires, consumed, uid, grant }) =>
      run(() => {
        prune.run(Date.now());
        put.run(kind, id, uid ?? null, grant ?? null, payload, expires ?? null, consumed ?? null);
      }),
    consume: (kind, id, at) => run(() => Number(consume.run(at, kind, id).changes) > 0),
    extend: (kind, id, until) => run(() => void extend.run(until, kind, id, until)),
    delete: (kind, id) => run(() => void remove.run(kind, id)),
    deleteGrant: (grant) => run(() => void removeGrant.run(grant)),
    deleteKind: (kind) => run(() => Number(removeKind.run(kind).changes)),
    deleteNext: (kind) => run(() => void removeNext.run(kind)),
    count: (kind) => run(() => Number(count.get(kind)?.n)),
  };
}
