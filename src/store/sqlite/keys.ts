import type { DatabaseSync } from 'node:sqlite';
import type { Run } from './run.ts';
import { keyOf, type KeyRow } from '../key-row.ts';
import type { Keys } from '../store.ts';

export function sqliteKeys(db: DatabaseSync, run: Run): Keys {
  const insert = db.prepare('INSERT INTO keys (id, hash, value) VALUES (?, ?, ?)');
  const list = db.prepare('SELECT id, hash, value, revoked_at FROM keys ORDER BY rowid');
  const revoke = db.prepare('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
  return {
    add: ({ id, hash, grant }) => run(() => void insert.run(id, hash, JSON.stringify(grant))),
    list: () => run(() => (list.all() as unknown as KeyRow[]).map(keyOf)),
    revoke: (id, at) => run(() => Number(revoke.run(at, id).changes) > 0),
  };
}
