import { setTimeout as delay } from 'node:timers/promises';
import type { Backend } from 'openworkflow/internal';
import { AppError, messageOf } from '../../kernel/errors.ts';
import { RUNS_SCHEMA } from '../../store/own-names.ts';
import { placeOf, type PostgresAddress } from '../../store/postgres/address.ts';
import { createPrivately } from '../../store/private-file.ts';

const NAMESPACE = 'sluice';
const CONNECTIONS = 3;
const TRIES = 8;
const PAUSE_MS = 250;

export interface Opened {
  readonly backend: Backend;
  /** Forgets what ended before this time; the engine keeps it for ever. */
  prune(before: number): Promise<void>;
}

/** A file of its own, which one process opens at a time. What a process that died had leased is free at once. */
export async function sqliteBackend(file: string): Promise<Opened> {
  const { BackendSqlite } = await import('openworkflow/sqlite');
  createPrivately(file);
  const backend = BackendSqlite.connect(file, { namespaceId: NAMESPACE });
  // As the store has it. What the engine forgets when the machine loses power, the journal knows.
  backend['db'].exec('PRAGMA synchronous = NORMAL; PRAGMA busy_timeout = 5000');
  for (let after: string | null | undefined; after !== null; ) {
    const page = await backend.listWorkflowRuns({ status: 'running', limit: 100, ...(after && { after }) });
    for (const { id, workerId } of page.data)
      if (workerId !== null) await backend.sleepWorkflowRun({ workflowRunId: id, workerId, availableAt: new Date() });
    after = page.pagination.next;
  }
  return {
    backend,
    async prune(before) {
      const { DatabaseSync } = await import('node:sqlite');
      const database = new DatabaseSync(file, { timeout: 2000, enableForeignKeyConstraints: true });
      try {
        const until = new Date(before).toISOString();
        database.prepare('DELETE FROM workflow_runs WHERE finished_at < ?').run(until);
      } finally {
        database.close();
      }
    },
  };
}

/** In a schema beside the store's. */
export async function postgresBackend(address: PostgresAddress, signal: AbortSignal): Promise<Opened> {
  const [{ BackendPostgres }, { default: postgres }] = await Promise.all([
    import('openworkflow/postgres'),
    import('postgres'),
  ]);
  const { host, port, database, user, password, ssl } = address;
  const { checkHost, ...certificates } = ssl || { checkHost: false };
  const options = {
    host,
    port,
    database,
    username: user,
    ...(password !== undefined && { password }),
    ssl: ssl && { ...certificates, ...(!checkHost && { checkServerIdentity: () => undefined }) },
    max: CONNECTIONS,
    connect_timeout: 5,
    idle_timeout: 30,
    // A pooler may give each statement another connection.
    prepare: false,
    // The library prints notices otherwise.
    onnotice() {},
    // Its statements name functions without a schema. The driver can set this only as a connection starts.
    connection: { application_name: 'sluice blueprints', search_path: RUNS_SCHEMA } as Record<string, string>,
    transform: { column: { from: postgres.toCamel } },
  };
  const where = { namespaceId: NAMESPACE, schema: RUNS_SCHEMA };
  for (let attempt = 1; ; attempt++) {
    try {
      // Creates the tables. It says URL, but hands over what it is given: options can say more about TLS. It wants a single
      // connection, which it cannot ask for with options: with more, each try would create one table and fail.
      const forTables = { ...options, max: 1 } as unknown as string;
      await (await BackendPostgres.connect(forTables, where)).stop();
      const pool = postgres(options);
      return {
        backend: BackendPostgres.fromPool(pool, where),
        async prune(before) {
          const until = new Date(before);
          await pool`DELETE FROM ${pool(RUNS_SCHEMA)}.workflow_runs WHERE finished_at < ${until}`;
        },
      };
    } catch (cause) {
      // PgBouncer refuses what it does not know at the start of a connection.
      if (options.connection.search_path !== undefined && /startup parameter/.test(reasonOf(cause))) {
        delete options.connection.search_path;
        continue;
      }
      // Two replicas that create the tables at the same time are in each other's way once.
      if (attempt < TRIES) await delay(PAUSE_MS * attempt, undefined, { signal });
      else
        throw new AppError(
          'unavailable',
          `The runs of blueprints cannot be opened in PostgreSQL at ${placeOf(address)}: ${reasonOf(cause)}`,
          { cause },
        );
    }
  }
}

const reasonOf = (thrown: unknown): string => messageOf((thrown as Error).cause ?? thrown);
