import pg from 'pg';
import { checkServerIdentity } from 'node:tls';
import { AppError } from '../../kernel/errors.ts';
import { placeOf, type PostgresAddress } from './address.ts';
import { isLost, postgresError } from './errors.ts';

export type Value = string | number | boolean | Buffer | null | readonly string[] | readonly number[];

/** Statements on one connection or on any. Values go in for $1, $2, …, never into the text. */
export interface Session {
  rows<Row extends object>(sql: string, values?: readonly Value[]): Promise<Row[]>;
  /** How many rows changed. */
  change(sql: string, values?: readonly Value[]): Promise<number>;
  /** Several statements in one text. */
  script(sql: string): Promise<void>;
}

export interface Database extends Session, AsyncDisposable {
  readonly address: PostgresAddress;
  /** For queries whose text differs each time: they are not prepared. */
  once<Row extends object>(sql: string, values?: readonly Value[]): Promise<Row[]>;
  /** All or nothing, on one connection. */
  transaction<T>(work: (session: Session) => Promise<T>): Promise<T>;
  /** A connection outside the pool, for LISTEN. The caller ends it. */
  connect(): Promise<pg.Client>;
}

/** Every table is in a schema of its own, so that a backup can name it. */
export const SCHEMA = 'sluice';
const CONNECT_MS = 5000;
const STATEMENT_MS = 30_000;
const LOCK_MS = 10_000;
const INT8 = 20;

/** Set on each connection instead of at its start, where poolers refuse them. */
const SETTINGS = `SET search_path TO ${SCHEMA}; SET statement_timeout TO ${STATEMENT_MS}; SET lock_timeout TO ${LOCK_MS};
  SET idle_in_transaction_session_timeout TO ${STATEMENT_MS}; SET client_min_messages TO warning`;

// Counts and ids fit into a number.
const types = {
  getTypeParser: (oid: number, format?: 'text' | 'binary') =>
    oid === INT8 ? Number : (pg.types.getTypeParser(oid, format as 'text') as (text: string) => unknown),
};

/** A small pool: at most this many connections at once, made when they are needed. */
export function openDatabase(address: PostgresAddress, connections: number, name: string): Database {
  const { host, port, database, user, password, ssl } = address;
  const config: pg.ClientConfig = {
    host,
    port,
    database,
    user,
    ...(password !== undefined && { password }),
    ssl: ssl && {
      ...ssl,
      ...(!ssl.checkHost && { checkServerIdentity: () => undefined }),
      ...(ssl.checkHost && { checkServerIdentity }),
    },
    application_name: name,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    types,
  };
  const prepare = async (client: pg.ClientBase) => void (await client.query(SETTINGS));
  const pool = new pg.Pool({
    ...config,
    max: connections,
    idleTimeoutMillis: 30_000,
    onConnect: prepare,
    allowExitOnIdle: true,
  });
  // A connection that breaks while it is idle: the next query makes another one.
  pool.on('error', () => {});
  const names = new Map<string, string>();
  let closed = false;

  function prepared(sql: string): string {
    let known = names.get(sql);
    if (known === undefined) names.set(sql, (known = `s${names.size}`));
    return known;
  }

  async function run<T>(work: () => Promise<T>): Promise<T> {
    if (closed) throw new AppError('unavailable', `The store, PostgreSQL at ${placeOf(address)}, is closed.`);
    try {
      return await work();
    } catch (thrown) {
      throw postgresError(address, thrown);
    }
  }

  const on = (runner: pg.Pool | pg.ClientBase): Session => ({
    rows: async (sql, values = []) =>
      (await runner.query({ name: prepared(sql), text: sql, values: [...values] })).rows as never,
    change: async (sql, values = []) =>
      (await runner.query({ name: prepared(sql), text: sql, values: [...values] })).rowCount ?? 0,
    script: async (sql) => void (await runner.query(sql)),
  });
  const any = on(pool);

  return {
    address,
    rows: (sql, values) =>
      run(async () => {
        try {
          return await any.rows(sql, values);
        } catch (thrown) {
          // Reading again is harmless, and after a restart of the server every connection in the pool is dead once.
          if (!isLost(thrown) || !/^\s*SELECT/i.test(sql)) throw thrown;
          return await any.rows(sql, values);
        }
      }),
    change: (sql, values) => run(() => any.change(sql, values)),
    script: (sql) => run(() => any.script(sql)),
    once: (sql, values = []) => run(async () => (await pool.query({ text: sql, values: [...values] })).rows as never),
    transaction: (work) =>
      run(async () => {
        const client = await pool.connect();
        let failure: unknown;
        try {
          await client.query('BEGIN');
          const result = await work(on(client));
          await client.query('COMMIT');
          return result;
        } catch (thrown) {
          failure = thrown;
          await client.query('ROLLBACK').catch(() => {});
          throw thrown;
        } finally {
          client.release(failure !== undefined && isLost(failure));
        }
      }),
    connect: () =>
      run(async () => {
        const client = new pg.Client(config);
        // Whoever asked for it hears of its end by 'end'.
        client.on('error', () => {});
        await client.connect();
        await prepare(client);
        return client;
      }),
    async [Symbol.asyncDispose]() {
      closed = true;
      await pool.end();
    },
  };
}
