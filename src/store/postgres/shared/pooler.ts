import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../../kernel/errors.ts';
import { placeOf } from '../address.ts';
import type { Database } from '../connection.ts';
import { postgresError } from '../errors.ts';
import { CHANNEL } from './line.ts';

const HEARD_MS = 5000;

/**
 * Refuses a pooler that gives each transaction another connection: notices get lost there, and so do the settings of a
 * connection. Needs no tables, so that it can come before the migrations, which fail behind such a pooler with errors
 * that explain nothing.
 */
export async function refuseTransactionPooler(database: Database): Promise<void> {
  const { address } = database;
  const client = await database.connect();
  try {
    const word = `probe ${randomBytes(9).toString('base64url')}`;
    const heard = new Promise<boolean>((resolve) => {
      client.on('notification', ({ payload }) => payload === word && resolve(true));
    });
    await client.query(`LISTEN ${CHANNEL}`);
    await database.once('SELECT pg_notify($1, $2)', [CHANNEL, word]);
    if (await Promise.race([heard, delay(HEARD_MS, false, { ref: false })])) return;
  } catch (thrown) {
    throw postgresError(address, thrown);
  } finally {
    await client.end().catch(() => {});
  }
  throw new AppError(
    'unavailable',
    `The store, PostgreSQL at ${placeOf(address)}, does not deliver notices (LISTEN): it is behind a connection pooler ` +
      'in transaction mode. Use the address of PostgreSQL itself, or set pool_mode = session in the pooler.',
  );
}
