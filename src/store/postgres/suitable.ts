import { AppError } from '../../kernel/errors.ts';
import { placeOf } from './address.ts';
import type { Database } from './connection.ts';
import { refuseTransactionPooler } from './shared/pooler.ts';

const OLDEST = 14;

interface Server {
  standby: boolean;
  encoding: string;
  version: number;
}

/** Refuses a server on which the store would fail later, and less clearly. */
export async function refuseUnsuitable(database: Database): Promise<void> {
  const refusal = (text: string) =>
    new AppError('unsupported', `The store, PostgreSQL at ${placeOf(database.address)}, ${text}`);
  const [server] = await database.once<Server>(
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
  await refuseTransactionPooler(database);
}
