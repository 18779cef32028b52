import type { Client, ClientConfig, Pool, PoolClient, QueryResult } from 'pg';
import { callerNow } from '../../kernel/caller.ts';
import { AppError } from '../../kernel/errors.ts';
import { type Allowed, allowed } from '../allowed.ts';
import { fairPlaces, type FairPlacesOptions } from '../fair-places.ts';
import type { Around } from '../module.ts';
import { noteConnecting } from '../sent.ts';
import { isServerError } from './explain.ts';
import { needApart } from './own-store.ts';

export interface Rows<R extends object = Record<string, unknown>> {
  readonly rows: R[];
  readonly columns: readonly { readonly name: string; readonly type: number }[];
  /** How many rows a statement returned or changed. */
  readonly count: number;
  /** The first words of what was done, such as INSERT. */
  readonly command: string;
}

/** Runs exactly one statement of a transaction. Values go in for $1, $2, …. */
export type Run = <R extends object = Record<string, unknown>>(
  sql: string,
  values?: readonly unknown[],
) => Promise<Rows<R>>;

export interface Raw {
  readonly rows: readonly (readonly (string | null)[])[];
  readonly columns: Rows['columns'];
  /** How many rows there were. `rows` may have fewer. */
  readonly count: number;
  readonly command: string;
}

export interface Transaction extends Run {
  /** The same, with values as PostgreSQL writes them, and at most so many rows kept in memory. */
  raw(sql: string, values: readonly unknown[], most: number): Promise<Raw>;
  /** What the server remarked so far, such as what a CASCADE takes along. */
  readonly notices: readonly string[];
}

export interface Postgres extends AsyncDisposable {
  /** In a read-only transaction that is always rolled back; the session is reset afterwards. */
  read<T>(work: (run: Transaction) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** All or nothing. A rehearsal is rolled back, and gives up early where others hold a lock. */
  write<T>(work: (run: Transaction) => Promise<T>, options: { signal: AbortSignal; rehearsal?: boolean }): Promise<T>;
  /** One statement outside of any transaction, as VACUUM and CREATE INDEX CONCURRENTLY need it. */
  alone<R extends object>(sql: string, signal: AbortSignal): Promise<Rows<R>>;
  /** The schemas in reach. Never Sluice's own. */
  readonly schemas: Allowed;
  /** Set when the role turned out to have rights that it must not have, or could not be asked about. */
  readonly isLost: boolean;
}

interface Session {
  readonly signal: AbortSignal;
  readonly begin: string;
  readonly end?: 'COMMIT';
}

const CONNECTIONS = 4;
const CONNECTIONS_OF_ONE = 2;
const PATIENCE_MS = 15_000;
const CONNECT_MS = 10_000;
const REHEARSAL_LOCK_MS = 2_000;
const MOST_NOTICES = 20;
const NOTICE_CHARACTERS = 2000;
/** No reply has room for more. The rows after it are only counted. */
const KEPT_CHARACTERS = 4_000_000;
const RIGHTS_HOLD_MS = 60_000;

export interface PostgresSettings {
  readonly url: string;
  readonly schemas?: readonly string[] | undefined;
}

export async function connectPostgres({ url, schemas }: PostgresSettings, around: Around): Promise<Postgres> {
  const [{ default: pg }, { BoundedClient }] = await Promise.all([import('pg'), import('./bounded-client.ts')]);
  const config: ClientConfig = {
    connectionString: url,
    application_name: 'sluice',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...(around.tls && { ssl: around.tls }),
  };
  const pool: Pool = new pg.Pool({
    ...config,
    Client: BoundedClient,
    max: CONNECTIONS,
    idleTimeoutMillis: 60_000,
    allowExitOnIdle: true,
  });
  // An idle connection that ends is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => {});
  // The same for one that is in use: the statement fails with the error, and the client emits it besides.
  pool.on('connect', (client) => client.on('error', () => {}));

  /** Stops what a connection is doing, from another one. */
  async function cancel(pid: number): Promise<void> {
    const client: Client = new pg.Client(config);
    client.on('error', () => {});
    try {
      await client.connect();
      await client.query('SELECT pg_cancel_backend($1)', [pid]);
    } finally {
      await client.end();
    }
  }

  function on(client: PoolClient, notices: readonly string[]): Transaction {
    // The extended protocol takes one statement only, whatever a text looks like to a parser.
    const asked = (text: string, values: readonly unknown[] = []) => ({
      text,
      values: [...values],
      queryMode: 'extended',
    });
    const run = async <R extends object>(sql: string, values?: readonly unknown[]) =>
      rowsOf<R>(await client.query<R>(asked(sql, values)));
    const raw = (sql: string, values: readonly unknown[], most: number) =>
      new Promise<Raw>((resolve, reject) => {
        const rows: (string | null)[][] = [];
        let count = 0;
        let kept = 0;
        const query = new pg.Query<(string | null)[]>({
          ...asked(sql, values),
          rowMode: 'array',
          types: { getTypeParser: () => (text: string) => text },
        } as never);
        query.on('row', (row: unknown) => {
          count += 1;
          if (rows.length >= most || kept >= KEPT_CHARACTERS) return;
          rows.push(row as (string | null)[]);
          for (const value of row as (string | null)[]) kept += value?.length ?? 0;
        });
        query.on('error', reject);
        query.on('end', (result) => resolve({ ...rowsOf(result), rows, ...(count > 0 && { count }) }));
        client.query(query);
      });
    return Object.assign(run, { raw, notices });
  }

  /** `free` is called when its connection can be used again. */
  async function session<T>(
    { signal, begin, end }: Session,
    work: (run: Transaction) => Promise<T>,
    free = () => {},
  ): Promise<T> {
    const connecting = noteConnecting(async () => {
      signal.throwIfAborted();
      return await pool.connect();
    });
    const client = await connecting.catch((error: unknown) => {
      free();
      throw error;
    });
    const { processID } = client as PoolClient & { processID: number };
    const stop = () => void cancel(processID).catch(() => {});
    signal.addEventListener('abort', stop, { once: true });
    const notices: string[] = [];
    const noted = ({ message, detail }: { message?: string | undefined; detail?: string | undefined }) => {
      if (message !== undefined && notices.length < MOST_NOTICES) notices.push(beginningOf(detail ?? message));
    };
    client.on('notice', noted);
    let broken = false;
    try {
      signal.throwIfAborted();
      await client.query(begin);
      const result = await work(on(client, notices));
      if (end) await committed(client);
      return result;
    } catch (error) {
      // The server answered, or we refused; anything else may have left the connection in mid-air.
      broken = !isServerError(error) && !(error instanceof AppError);
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      client.off('notice', noted);
      // The caller does not wait for it. A cancellation may still be on its way to this connection.
      void leave(client, broken || signal.aborted).finally(free);
    }
  }

  const timeout = `statement_timeout TO ${Math.max(1, Math.round(around.timeoutMs))}`;
  const settings = `SET LOCAL ${timeout}; SET LOCAL datestyle TO ISO; SET LOCAL bytea_output TO hex`;
  const list = allowed(schemas, 'schema', `modules.${around.name}.schemas`);
  const isOwn = (name: string) => around.own.schemas.includes(name);
  const reading = `BEGIN READ ONLY; ${settings}`;
  let judgedAt = 0;
  let isLost = false;

  /** Somebody may have granted more since. */
  async function judge(signal: AbortSignal): Promise<void> {
    if (Date.now() - judgedAt < RIGHTS_HOLD_MS) return;
    try {
      await session({ signal, begin: reading }, (run) => needApart(run, around, list));
      judgedAt = Date.now();
    } catch (error) {
      isLost = true;
      throw error;
    }
  }

  const places = fairPlaces(sharing(around));

  async function placed<T>(asked: Session, work: (run: Transaction) => Promise<T>): Promise<T> {
    const place = await places.take(callerNow()?.principal ?? '', asked.signal);
    const free = () => place[Symbol.dispose]();
    await judge(asked.signal).catch((error: unknown) => {
      free();
      throw error;
    });
    return await session(asked, work, free);
  }

  try {
    await judge(around.signal);
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    schemas: {
      has: (name) => !isOwn(name) && list.has(name),
      need(name) {
        if (isOwn(name))
          throw new AppError('forbidden', `The schema ${name} belongs to Sluice itself and is out of reach.`);
        list.need(name);
      },
    },
    get isLost() {
      return isLost;
    },
    read: (work, signal) => placed({ signal, begin: reading }, work),
    write: (work, { signal, rehearsal }) =>
      placed(
        rehearsal
          ? { signal, begin: `BEGIN; ${settings}; SET LOCAL lock_timeout TO ${REHEARSAL_LOCK_MS}` }
          : { signal, begin: `BEGIN; ${settings}`, end: 'COMMIT' },
        work,
      ),
    alone: (sql, signal) => placed({ signal, begin: `SET ${timeout}` }, (run) => run(sql)),
    async [Symbol.asyncDispose]() {
      await pool.end();
    },
  };
}

/** A copy: a part of a long text would keep all of it in memory. */
const beginningOf = (notice: string): string => Buffer.from(notice.slice(0, NOTICE_CHARACTERS)).toString();

async function committed(client: PoolClient): Promise<void> {
  const { command } = await client.query('COMMIT');
  if (command !== 'COMMIT')
    throw new AppError('conflict', 'PostgreSQL rolled the transaction back. Nothing was changed. Try again.');
}

function sharing({ name, timeoutMs }: Around): FairPlacesOptions {
  const patienceMs = Math.min(PATIENCE_MS, timeoutMs / 2);
  const within = `and none was free within ${patienceMs / 1000} s. Nothing was run.`;
  return {
    all: CONNECTIONS,
    each: CONNECTIONS_OF_ONE,
    patienceMs,
    none: (why) =>
      new AppError(
        'rate_limited',
        why === 'own'
          ? `Your other calls use the ${CONNECTIONS_OF_ONE} connections of ${name} that one caller may use at a time, ${within} Wait for them, or stop them.`
          : `Other callers use the ${CONNECTIONS} connections of ${name}, ${within} Try again in a moment.`,
      ),
  };
}

/** Forgets what a statement may have set for the session: parameters, temporary tables, locks, prepared statements. */
async function leave(client: PoolClient, broken: boolean): Promise<void> {
  if (broken) return client.release(true);
  try {
    await client.query('ROLLBACK');
    await client.query('DISCARD ALL');
    client.release();
  } catch {
    client.release(true);
  }
}

function rowsOf<R extends object>({ rows, fields, rowCount, command }: QueryResult<R>): Rows<R> {
  return {
    rows,
    columns: fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })),
    count: rowCount ?? rows.length,
    command: command ?? '',
  };
}
