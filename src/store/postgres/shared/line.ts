import type pg from 'pg';
import { AppError } from '../../../kernel/errors.ts';
import { placeOf } from '../address.ts';
import type { Database, Value } from '../connection.ts';
import { isLost, postgresError } from '../errors.ts';
import { within } from './within.ts';

/** All notices of replicas to each other. */
export const CHANNEL = 'sluice';
const ANSWER_MS = 3000;

/**
 * The connection that hears notices. Heartbeats and leases use it too: they must not wait behind long queries in the pool.
 * It connects when it is asked something, and again after it broke.
 */
export interface Line extends AsyncDisposable {
  rows<Row extends object>(sql: string, values?: readonly Value[]): Promise<Row[]>;
}

export function openLine(database: Database, on: { notice(text: string): void; broken(): void }): Line {
  const names = new Map<string, string>();
  let client: Promise<pg.Client> | undefined;
  let closed = false;
  /** A client answers one query at a time, and no longer queues others itself. */
  let queue: Promise<unknown> = Promise.resolve();

  async function connect(): Promise<pg.Client> {
    const made = await database.connect();
    made.on('notification', ({ payload }) => on.notice(payload ?? ''));
    try {
      await within(ANSWER_MS, made.query(`LISTEN ${CHANNEL}`));
    } catch (error) {
      void made.end().catch(() => {});
      throw error;
    }
    return made;
  }

  function connected(): Promise<pg.Client> {
    if (closed) throw new AppError('unavailable', `The store, PostgreSQL at ${placeOf(database.address)}, is closed.`);
    if (client) return client;
    const connecting = connect();
    client = connecting;
    connecting.then(
      (made) =>
        made.once('end', () => {
          forget(connecting);
          if (!closed) on.broken();
        }),
      () => forget(connecting),
    );
    return connecting;
  }

  function forget(given: Promise<pg.Client>): void {
    if (client === given) client = undefined;
  }

  return {
    async rows(sql, values = []) {
      const used = connected();
      let name = names.get(sql);
      if (name === undefined) names.set(sql, (name = `line${names.size}`));
      try {
        const made = await used;
        const query = { name, text: sql, values: [...values] };
        const answer = queue.then(() => within(ANSWER_MS, made.query(query)));
        queue = answer.catch(() => {});
        return (await answer).rows as never;
      } catch (thrown) {
        if (isLost(thrown)) {
          forget(used);
          // With a query under way this cuts the connection: nothing more can come over it.
          used.then((made) => made.end()).catch(() => {});
        }
        throw postgresError(database.address, thrown);
      }
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      await client?.then((made) => made.end()).catch(() => {});
    },
  };
}
