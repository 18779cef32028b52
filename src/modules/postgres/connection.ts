import type { Client, ClientConfig, Pool, PoolClient, QueryResult } from 'pg';
import { AppError } from '../../kernel/errors.ts';
import { type Allowed, allowed } from '../allowed.ts';
import type { Around } from '../module.ts';

export interface Rows<R extends object = Record<string, unknown>> {
  readonly rows: R[];
  readonly columns: readonly { readonly name: string; readonly type: number }[];
  /** How many rows a statement returned or changed. */
  readonly count: number;
}

/** Runs one statement of a transaction. Values go in for $1, $2, …. */
export type Run = <R extends object = Record<string, unknown>>(
  sql: string,
  values?: readonly unknown[],
) => Promise<Rows<R>>;

export interface Postgres extends AsyncDisposable {
  /** In a read-only transaction that is always rolled back; the session is reset afterwards. */
  read<T>(work: (run: Run) => Promise<T>, signal: AbortSignal): Promise<T>;
  /** All or nothing. A rehearsal is rolled back. */
  write<T>(work: (run: Run) => Promise<T>, options: { signal: AbortSignal; rehearsal?: boolean }): Promise<T>;
  /** One statement outside of any transaction, as VACUUM and CREATE INDEX CONCURRENTLY need it. */
  alone<R extends object>(sql: string, signal: AbortSignal): Promise<Rows<R>>;
  /** The schemas in reach. Never Sluice's own. */
  readonly schemas: Allowed;
}

const CONNECTIONS = 4;
const CONNECT_MS = 10_000;

export interface PostgresSettings {
  readonly url: string;
  readonly schemas?: readonly string[] | undefined;
}

export async function connectPostgres({ url, schemas }: PostgresSettings, around: Around): Promise<Postgres> {
  const { default: pg } = await import('pg');
  const config: ClientConfig = {
    connectionString: url,
    application_name: 'sluice',
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    ...(around.tls && { ssl: around.tls }),
  };
  const pool: Pool = new pg.Pool({ ...config, max: CONNECTIONS, idleTimeoutMillis: 60_000, allowExitOnIdle: true });
  // An idle connection that ends is replaced at the next use; without a listener it would end the process.
  pool.on('error', () => {});

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

  async function session<T>(signal: AbortSignal, work: (client: PoolClient, run: Run) => Promise<T>): Promise<T> {
    signal.throwIfAborted();
    const client = await pool.connect();
    const { processID } = client as PoolClient & { processID: number };
    const stop = () => void cancel(processID).catch(() => {});
    signal.addEventListener('abort', stop, { once: true });
    const run: Run = async <R extends object>(sql: string, values?: readonly unknown[]) =>
      rowsOf<R>(await client.query<R>(sql, values as unknown[]));
    let broken = false;
    try {
      await client.query(`SET statement_timeout TO ${Math.max(1, Math.round(around.timeoutMs))}`);
      return await work(client, run);
    } catch (error) {
      // The server answered with an error; anything else may have left the connection in mid-air.
      broken = signal.aborted || !/^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code ?? ''));
      throw error;
    } finally {
      signal.removeEventListener('abort', stop);
      client.release(broken);
    }
  }

  const inTransaction =
    <T>(begin: string, end: 'COMMIT' | 'ROLLBACK', work: (run: Run) => Promise<T>) =>
    async (client: PoolClient, run: Run): Promise<T> => {
      await client.query(begin);
      let ended = false;
      try {
        const result = await work(run);
        ended = true;
        await client.query(end);
        return result;
      } finally {
        if (!ended) await client.query('ROLLBACK').catch(() => {});
        // What a statement may have set for the session: parameters, temporary tables, prepared statements.
        await client.query('DISCARD ALL').catch(() => {});
      }
    };

  const list = allowed(schemas, 'schema', `modules.${around.name}.schemas`);
  return {
    schemas: {
      has: (name) => name !== around.own.schema && list.has(name),
      need(name) {
        if (name === around.own.schema)
          throw new AppError('forbidden', `The schema ${name} belongs to Sluice itself and is out of reach.`);
        list.need(name);
      },
    },
    read: (work, signal) => session(signal, inTransaction('BEGIN READ ONLY', 'ROLLBACK', work)),
    write: (work, { signal, rehearsal }) =>
      session(signal, inTransaction('BEGIN', rehearsal ? 'ROLLBACK' : 'COMMIT', work)),
    alone: (sql, signal) => session(signal, (_, run) => run(sql)),
    async [Symbol.asyncDispose]() {
      await pool.end();
    },
  };
}

function rowsOf<R extends object>({ rows, fields, rowCount }: QueryResult<R>): Rows<R> {
  return {
    rows,
    columns: fields.map(({ name, dataTypeID }) => ({ name, type: dataTypeID })),
    count: rowCount ?? rows.length,
  };
}
