import { randomBytes } from 'node:crypto';
import { readAddress } from '../../src/store/postgres/address.ts';
import { type Database, openDatabase } from '../../src/store/postgres/connection.ts';
import { migrate } from '../../src/store/postgres/migrations.ts';
import { openShared, type PostgresShared, type SharedOptions } from '../../src/store/postgres/shared/open.ts';

/** A pool for tests; the schema is made at once. */
export async function openTestDatabase(url: string, connections = 4): Promise<Database> {
  const database = poolOf(url, connections);
  await migrate(database, new Map());
  return database;
}

function poolOf(url: string, connections = 4): Database {
  const address = readAddress(url);
  if ('problem' in address) throw new Error(`${url} ${address.problem}`);
  return openDatabase(address, connections, 'sluice test');
}

const peerKey = randomBytes(32);

export interface TestReplica extends PostgresShared {
  readonly database: Database;
}

/** One replica with a pool of its own, as if it were a process of its own. */
export async function openReplica(url: string, options: Partial<SharedOptions> = {}): Promise<TestReplica> {
  const database = await openTestDatabase(url);
  let closed = false;
  try {
    const shared = await openShared(database, { version: '1.0.0', peerKey, warn: () => {}, ...options });
    return {
      ...shared,
      database,
      async [Symbol.asyncDispose]() {
        if (closed) return;
        closed = true;
        await shared[Symbol.asyncDispose]();
        await database[Symbol.asyncDispose]();
      },
    };
  } catch (error) {
    await database[Symbol.asyncDispose]();
    throw error;
  }
}
