import type { DatabaseSync } from 'node:sqlite';
import type { Run } from './run.ts';
import type { KeyGrant, Keys } from '../store.ts';

export function sqliteKeys(db: DatabaseSync, run: Run): Keys {
  const insert = db.prepare('INSERT INTO keys (id, hash, value) VALUES (?, ?, ?)');
  const list = db.prepare('SELECT id, hash, value, revoked_at FROM keys ORDER BY rowid');
  const revoke = db.prepare('UPDATE keys SET revoked_at = ? WHERE id = ? AND revoked_at IS NULL');
  type Row = { id: string; hash: Uint8Array; value: string; revoked_at: string | null };
  return {
    add: ({ id, hash, grant }) => run(() => void insert.run(id, hash, JSON.stringify(grant))),
    list: () =>
      run(() =>
        (list.all() as unknown as Row[]).map(({ id, hash, value, revoked_at: revokedAt }) => ({
          id,
          hash: Buffer.from(hash),
          grant: JSON.parse(value) as KeyGrant,
          ...(revokedAt !== null && { revokedAt }),
        })),
      ),
    revoke: (id, at) => run(() => Number(revoke.run(at, id).changes) > 0),
  };
}
