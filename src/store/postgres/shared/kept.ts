import { MOST_KEPT, type Shared } from '../../../kernel/shared.ts';
import type { Database } from '../connection.ts';
import { storedKey } from './stored-key.ts';

/** Values that are gone once they were taken, by whichever replica. */
export function keptIn(database: Database): Required<Pick<Shared, 'keep' | 'take'>> {
  return {
    async keep(key, value, ms, group) {
      await database.change(
        `WITH others AS (
           DELETE FROM kept WHERE owner = $3 AND key <> $1 AND n < (
             SELECT n FROM kept WHERE owner = $3 AND key <> $1 ORDER BY n DESC OFFSET ${MOST_KEPT - 2} LIMIT 1
           )
         )
         INSERT INTO kept (key, value, owner, expires) VALUES ($1, $2, $3, now() + $4::float8 * interval '1 millisecond')
         ON CONFLICT (key) DO UPDATE
           SET value = excluded.value, owner = excluded.owner, expires = excluded.expires, n = DEFAULT`,
        [storedKey(key), value, storedKey(group), ms],
      );
    },
    async take(key) {
      const [row] = await database.rows<{ value: string; live: boolean }>(
        'DELETE FROM kept WHERE key = $1 RETURNING value, expires > now() AS live',
        [storedKey(key)],
      );
      return row?.live ? row.value : undefined;
    },
  };
}

export async function pruneKept(database: Database): Promise<void> {
  await database.change('DELETE FROM kept WHERE expires < now()');
}
