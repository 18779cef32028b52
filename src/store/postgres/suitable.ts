import { AppError } from '../../kernel/errors.ts';
import { placeOf } from './address.ts';
import type { Database } from './connection.ts';

const OLDEST = 14;
const WAIT_MS = 3000;

interface Server {
  standby: boolean;
  encoding: string;
  version: number;
}

/** Refuses a server on which the store would fail later, and less clearly. */
export async function refuseUnsuitable(database: Database): Promise<void> {
  const refusal = (text: string) =>
    new AppError('unsupported', `The store, PostgreSQL at ${placeOf(database.address)}, ${text}`);
  const [server] = await database.rows<Server>(
    `SELECT pg_is_in_recovery() AS standby, current_setting('server_encoding') AS encoding,
       current_setting('server_version_num')::integer / 10000 AS version`,
  );
  if (!server) return;
  if (server.version < OLDEST)
    throw refusal(`is version ${server.version}. Sluice needs ${OLDEST} or newer: upgrade it, or use another server.`);
  if (server.standby) throw refusal('only reads: it is a standby. Use the address of the primary.');
  if (server.encoding !== 'UTF8')
    throw refusal(
      `has a database in ${server.encoding}, which cannot store every text. Create one with CREATE DATABASE … ENCODING 'UTF8' TEMPLATE template0.`,
    );
  if (await changesBetweenStatements(database))
    throw refusal(
      'is behind a connection pooler in transaction mode. Use the address of PostgreSQL itself, or set pool_mode = session.',
    );
}

/**
 * Whether a connection leads to another process of the server after each transaction. While a transaction on one connection
 * keeps a process busy, a pooler gives the other connection another one, or lets it wait.
 */
async function changesBetweenStatements(database: Database): Promise<boolean> {
  const client = await database.connect();
  const question = { text: 'SELECT pg_backend_pid() AS pid', query_timeout: WAIT_MS };
  const process = async () => (await client.query<{ pid: number }>(question)).rows[0]?.pid;
  try {
    const before = await process();
    return await database.transaction(async (session) => {
      await session.rows('SELECT 1');
      return (await process().catch(() => undefined)) !== before;
    });
  } finally {
    await client.end().catch(() => {});
  }
}
