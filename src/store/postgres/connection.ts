import { setTimeout } from 'node:timers/promises';
import { Client, type ClientBase, type ClientConfig, Pool, TypeOverrides, types } from 'pg';
import { AppError } from '../../kernel/errors.ts';
import { SCHEMA } from '../own-names.ts';
import type { StoreTrouble } from '../store.ts';
import { placeOf, type PostgresAddress } from './address.ts';
import { isLost, isRefusal, postgresError, silent } from './errors.ts';
import { createSilence } from './silence.ts';

export type Value = string | number | boolean | Buffer | null | readonly string[] | readonly number[];

/** Statements on one connection or on any. Values go in for $1, $2, …, never into the text. */
export interface Session {
  /** Prepared once per connection: the text must be one of few. On a `Database`, a SELECT is tried again if the connection is lost. */
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
  /** All or nothing, on one connection. `patience` is how long one of its statements may take, in milliseconds. */
  transaction<T>(work: (session: Session) => Promise<T>, patience?: number): Promise<T>;
  /** A connection outside the pool, for LISTEN. The caller ends it. */
  connect(): Promise<Client>;
  /**
   * How to ask the server something on a connection outside the pool. From then on statements fail soon if it answers
   * nobody. Until then, and while it answers, they may take the time that they need.
   */
  askWith(ask: () => Promise<unknown>): void;
  /** Set while the server cannot be reached, as far as the last use tells. */
  trouble(): StoreTrouble | undefined;
}

const IDLE_MS = 30_000;

/** How long things may take, in milliseconds. */
interface Times {
  connect: number;
  statement: number;
  lock: number;
  /** The server ends a statement first; so much longer we wait for one that says nothing any more. */
  silence: number;
  /** How long a store that is closed waits for statements that run. */
  closing: number;
}
const usual: Times = { connect: 5000, statement: 30_000, lock: 10_000, silence: 5000, closing: 2000 };

/** Set on each connection instead of at its start, where poolers refuse them. Compiling takes longer than our statements. */
const settingsFor = ({ statement, lock }: Times) =>
  `SET search_path TO ${SCHEMA}; SET statement_timeout TO ${statement}; SET lock_timeout TO ${lock}; SET jit TO off;
   SET idle_in_transaction_session_timeout TO ${statement}; SET client_min_messages TO warning`;

// Counts and ids fit into a number.
const numbers = new TypeOverrides();
numbers.setTypeParser(types.builtins.INT8, Number);

type Reject = (error: AppError) => void;

/** A small pool: at most this many connections at once, made when they are needed. */
export function openDatabase(
  address: PostgresAddress,
  connections: number,
  name: string,
  times: Times = usual,
): Database {
  const config = configOf(address, name, times);
  const settings = settingsFor(times);
  const setUp = async (client: ClientBase) => void (await client.query(settings));
  const clients = new Set<Client>();
  const pool = new Pool({
    ...config,
    max: connections,
    idleTimeoutMillis: IDLE_MS,
    // oxlint-disable-next-line typescript/no-misused-promises -- its types do not say that it waits for the promise
    onConnect: setUp,
    allowExitOnIdle: true,
  });
  // A connection that breaks while nobody uses it: the next statement makes another one.
  pool.on('error', () => {});
  pool.on('connect', (client) => {
    clients.add(client);
    client.once('end', () => clients.delete(client));
    // One that breaks between two statements of a transaction: its next statement fails.
    client.on('error', () => {});
  });
  const busy = new Set<Client>();
  pool.on('acquire', (client) => busy.add(client));
  pool.on('release', (_, client) => busy.delete(client));
  const waiting = new Set<Reject>();
  const connecting = new Set<Reject>();
  let trouble: StoreTrouble | undefined;
  let closing: Promise<void> | undefined;
  const closed = () => new AppError('unavailable', `The store, PostgreSQL at ${placeOf(address)}, is closed.`);

  function giveUp(given: Set<Reject>, error: AppError): void {
    for (const reject of given) reject(error);
    given.clear();
  }

  const silence = createSilence(
    () => waiting.size > 0,
    () => {
      const error = postgresError(address, silent);
      trouble = { state: 'failing', message: error.message };
      giveUp(waiting, error);
      // Their statements may never end, and keep others from the pool.
      for (const client of busy) void client.end().catch(() => {});
    },
  );

  function run<T>(work: (isWanted: () => boolean) => Promise<T>, among = waiting): Promise<T> {
    if (closing) return Promise.reject(closed());
    return new Promise((resolve, reject) => {
      among.add(reject);
      void silence.watch();
      const isWanted = () => among.has(reject);
      work(isWanted)
        .then(
          (result) => {
            silence.answered();
            trouble = undefined;
            resolve(result);
          },
          (thrown: unknown) => {
            if (!isWanted()) return;
            if (isRefusal(thrown)) silence.answered();
            const error = closing ? closed() : postgresError(address, thrown);
            if (isLost(thrown)) trouble = { state: 'failing', message: error.message };
            else if (isRefusal(thrown)) trouble = undefined;
            reject(error);
          },
        )
        .finally(() => among.delete(reject));
    });
  }

  /** Reading again is harmless, and after a restart of the server a connection of the pool may be dead. */
  const readTwice = <T>(sql: string, read: () => Promise<T>) =>
    run((isWanted) =>
      read().catch((thrown: unknown) => {
        if (isLost(thrown) && isWanted() && !closing && /^\s*SELECT\b/i.test(sql)) return read();
        throw thrown;
      }),
    );

  /** Nothing happens any more once nobody waits for it. */
  const onOne = <T>(work: (session: Session) => Promise<T>) =>
    run(async (isWanted) => {
      const client = await pool.connect();
      let broken = true;
      try {
        if (!isWanted()) throw closed();
        const result = await work(sessionOn(client));
        broken = false;
        return result;
      } finally {
        client.release(broken);
      }
    });

  const any = sessionOn(pool);
  return {
    address,
    rows: (sql, values) => readTwice(sql, () => any.rows(sql, values)),
    change: (sql, values) => onOne((session) => session.change(sql, values)),
    script: (sql) => onOne((session) => session.script(sql)),
    once: (sql, values = []) =>
      readTwice(sql, async () => (await pool.query({ text: sql, values: values.map(storable) })).rows as never),
    transaction: (work, patience) =>
      run(async (isWanted) => {
        const client = await pool.connect();
        let broken = true;
        try {
          if (!isWanted()) throw closed();
          await client.query('BEGIN');
          if (patience !== undefined)
            await client.query(`SET LOCAL statement_timeout TO ${patience}; SET LOCAL lock_timeout TO ${patience}`);
          const result = await work(sessionOn(client, patience === undefined ? undefined : patience + times.silence));
          await client.query('COMMIT');
          broken = false;
          return result;
        } catch (thrown) {
          // An answer of the server leaves the connection usable; anything else may not.
          if (isRefusal(thrown) || thrown instanceof AppError)
            await client.query('ROLLBACK').then(
              () => (broken = false),
              () => {},
            );
          throw thrown;
        } finally {
          client.release(broken);
        }
      }),
    connect: () =>
      run(async () => {
        const client = new Client(config);
        // Whoever asked for it hears of its end by 'end'.
        client.on('error', () => {});
        try {
          await client.connect();
          await setUp(client);
        } catch (thrown) {
          await client.end().catch(() => {});
          throw thrown;
        }
        return client;
      }, connecting),
    askWith: silence.askWith,
    trouble: () => trouble,
    [Symbol.asyncDispose]: () =>
      (closing ??= (async () => {
        const ended = pool.end();
        await Promise.race([ended, setTimeout(times.closing, undefined, { ref: false })]);
        // What still runs, or waits for a connection, is given up.
        for (const client of clients) void client.end().catch(() => {});
        for (const given of [waiting, connecting]) giveUp(given, closed());
        await Promise.race([ended, setTimeout(times.closing, undefined, { ref: false })]);
      })()),
  };
}

function configOf(
  { host, port, database, user, password, ssl }: PostgresAddress,
  name: string,
  { connect, statement, silence }: Times,
): ClientConfig {
  const { checkHost, ...certificates } = ssl || { checkHost: false };
  return {
    host,
    port,
    database,
    user,
    ...(password !== undefined && { password }),
    ssl: ssl && { ...certificates, ...(!checkHost && { checkServerIdentity: () => undefined }) },
    application_name: name,
    connectionTimeoutMillis: connect,
    query_timeout: statement + silence,
    keepAlive: true,
    types: numbers,
  };
}

/** The names of prepared statements, the same on every connection. */
const names = new Map<string, string>();

function nameOf(sql: string): string {
  const known = names.get(sql) ?? `s${names.size}`;
  names.set(sql, known);
  return known;
}

/** `timeout` is in place of the usual one. */
function sessionOn(runner: Pool | ClientBase, timeout?: number): Session {
  const limit = timeout === undefined ? {} : { query_timeout: timeout };
  const query = (sql: string, values: readonly Value[] = []) =>
    runner.query({
      name: nameOf(sql),
      text: sql,
      values: values.map(storable),
      ...limit,
    });
  return {
    rows: async (sql, values) => (await query(sql, values)).rows as never,
    change: async (sql, values) => (await query(sql, values)).rowCount ?? 0,
    script: async (sql) => void (await runner.query({ text: sql, ...limit })),
  };
}

/** Text of PostgreSQL has no NUL: it is stored, and looked for, as a replacement character. */
const storable = (value: Value): Value =>
  typeof value === 'string' && value.includes('\0') ? value.replaceAll('\0', '\uFFFD') : value;
