import type { Database } from '../connection.ts';
import type { TokenBank } from './leased-tokens.ts';
import { storedKey } from './stored-key.ts';

/** The buckets in the database, on its clock. */
export function tokenRows(database: Database): TokenBank {
  return {
    async lease(key, { count, perMs }, { least, most, slackMs }) {
      const [row] = await database.rows<{ granted: number; wait_ms: number }>(
        'SELECT granted, wait_ms FROM lease_tokens($1, $2, $3, $4, $5, $6)',
        [storedKey(key), count, perMs, slackMs, least, most],
      );
      return { granted: row?.granted ?? 0, waitMs: row?.wait_ms ?? 0 };
    },
  };
}

export async function pruneRates(database: Database): Promise<void> {
  // Tokens that were taken ahead are valid for a while after the bucket is empty.
  await database.change(
    'DELETE FROM rates WHERE empty_at < extract(epoch FROM clock_timestamp())::float8 * 1000 - 60000',
  );
}
