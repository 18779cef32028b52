import { AppError } from '../../kernel/errors.ts';
import { shortened } from '../shown.ts';
import type { Postgres, Run, Transaction } from './connection.ts';
import { isServerError } from './explain.ts';
import { DEFAULT_ROWS, type Table, tableOf, typed } from './query.ts';
import { needReach } from './reach.ts';
import { type Execution, executionOf, listed } from './sql/execution.ts';
import { parseSql } from './sql/parse.ts';
import type { Name } from './sql/touched.ts';

export interface Asked {
  readonly sql: string;
  readonly params?: readonly unknown[] | undefined;
  readonly dry_run?: boolean | undefined;
}

export interface Done extends Partial<Table> {
  readonly command: string;
  /** How many rows were changed, or returned if nothing was changed. */
  readonly count?: number;
  readonly dry_run?: true;
  readonly notices?: string[];
}

/** Extensions that are useful here and that PostgreSQL does not mark as trusted. */
const EXTENSIONS = new Set(['vector', 'hypopg', 'pg_stat_statements', 'postgis']);
/** Above this estimate a statement is not rehearsed to count its rows. */
const MOST_REHEARSED = 100_000;
const NOTICE_CHARACTERS = 300;
const LOCKED = '55P03';

export async function execute(postgres: Postgres, asked: Asked, signal: AbortSignal): Promise<Done> {
  const execution = executionOf(await parseSql(asked.sql));
  if (execution.alone) return await executeAlone(postgres, execution, asked, signal);
  return await postgres
    .write(async (run) => await executed(run, postgres, execution, asked.params ?? []), {
      signal,
      rehearsal: asked.dry_run === true,
    })
    .then((done) => (asked.dry_run ? { ...done, dry_run: true as const } : done));
}

async function executed(
  run: Transaction,
  postgres: Postgres,
  execution: Execution,
  params: readonly unknown[],
): Promise<Done> {
  const { statement, command, isPlanned } = execution;
  await needAllowed(run, postgres, execution);
  const raw = await run.raw(statement.sql, params, DEFAULT_ROWS + 1);
  const notices = run.notices.slice(0, 5).map((notice) => shortened(notice, NOTICE_CHARACTERS));
  const table =
    raw.columns.length > 0
      ? tableOf(raw, await typed(run, raw.columns), { most: DEFAULT_ROWS, cut: false, isLarge: false })
      : {};
  return { command, ...(isPlanned && { count: raw.count }), ...table, ...(notices.length > 0 && { notices }) };
}

async function executeAlone(postgres: Postgres, execution: Execution, asked: Asked, signal: AbortSignal) {
  if (asked.dry_run)
    throw new AppError('unsupported', `${execution.command} runs outside of a transaction, so it has no dry run.`);
  await postgres.read((run) => needAllowed(run, postgres, execution), signal);
  await postgres.alone(execution.statement.sql, signal);
  return { command: execution.command };
}

/** Throws if it concerns what is out of reach. */
async function needAllowed(run: Run, postgres: Postgres, execution: Execution): Promise<void> {
  const { schemas, touched, createsAnywhere, extension } = execution;
  for (const schema of schemas) postgres.schemas.need(schema);
  await needReach(run, postgres.schemas, touched, { mayChange: true });
  if (createsAnywhere) {
    const { rows } = await run<{ schema: string | null }>('SELECT current_schema() AS schema');
    if (rows[0]?.schema) postgres.schemas.need(rows[0].schema);
  }
  if (extension !== undefined && !EXTENSIONS.has(extension)) await needTrusted(run, extension);
}

async function needTrusted(run: Run, extension: string): Promise<void> {
  const { rows } = await run<{ trusted: boolean }>(
    'SELECT bool_or(trusted) AS trusted FROM pg_catalog.pg_available_extension_versions WHERE name = $1',
    [extension],
  );
  if (rows[0]?.trusted) return;
  throw new AppError(
    'forbidden',
    `The extension ${extension} is not there, or PostgreSQL does not mark it as trusted: an administrator creates it with psql.`,
  );
}

/** Sentences about what a statement would destroy. Undefined if nothing. */
export async function previewOf(postgres: Postgres, asked: Asked, signal: AbortSignal): Promise<string | undefined> {
  const execution = executionOf(await parseSql(asked.sql));
  const { destroys, alone, drops, empties, isPlanned } = execution;
  if (asked.dry_run || destroys.length === 0) return undefined;
  const gone = await postgres.read(async (run) => {
    await needAllowed(run, postgres, execution);
    const tables = [...drops.filter(({ what }) => what === 'table').map(({ name }) => name), ...empties];
    return await contents(run, tables);
  }, signal);
  const counted = alone ? [] : await rehearsed(postgres, execution, asked.params ?? [], signal);
  const what = `${listed(destroys)}.`;
  const sentences = [`${what.slice(0, 1).toUpperCase()}${what.slice(1)}`, ...gone, ...counted];
  return [...sentences, isPlanned ? 'dry_run: true shows the result without keeping it.' : ''].join(' ').trim();
}

interface Content {
  readonly name: string;
  readonly rows: string;
  readonly size: string;
}

/** How much the tables hold. Estimates: counting could take long. */
async function contents(run: Run, tables: readonly Name[]): Promise<string[]> {
  if (tables.length === 0) return [];
  const { rows } = await run<Content>(
    `SELECT c.oid::regclass::text AS name, pg_size_pretty(pg_total_relation_size(c.oid)) AS size,
       CASE WHEN c.reltuples < 0 THEN 'an unknown number of' ELSE 'about ' || c.reltuples::bigint END AS rows
     FROM unnest($1::text[], $2::text[]) AS n(schema, name)
     JOIN pg_catalog.pg_class c
       ON c.oid = to_regclass(CASE WHEN schema IS NULL THEN format('%I', name) ELSE format('%I.%I', schema, name) END)
     LIMIT 10`,
    [tables.map(({ schema }) => schema ?? null), tables.map(({ name }) => name)],
  );
  return rows.map(({ name, rows: held, size }) => `${name} has ${held} rows, ${size}.`);
}

/** What PostgreSQL says when it does it, in a transaction that is rolled back. */
async function rehearsed(
  postgres: Postgres,
  execution: Execution,
  params: readonly unknown[],
  signal: AbortSignal,
): Promise<string[]> {
  try {
    return await postgres.write(
      async (run) => {
        const estimate = execution.isPlanned ? await estimated(run, execution.statement.sql, params) : 0;
        if (estimate > MOST_REHEARSED) return [`PostgreSQL expects about ${estimate} rows.`];
        const { count, notices = [] } = await executed(run, postgres, execution, params);
        const rows = count === undefined ? [] : [`A rehearsal concerned ${count} ${count === 1 ? 'row' : 'rows'}.`];
        return [...rows, ...notices.map((notice) => `PostgreSQL remarks: ${notice.replaceAll('\n', ', ')}.`)];
      },
      { signal, rehearsal: true },
    );
  } catch (error) {
    if (!isServerError(error) || error.code !== LOCKED) throw error;
    return ['It could not be rehearsed, because another session holds a lock.'];
  }
}

interface Plan {
  readonly 'Plan Rows'?: number;
  readonly Plans?: readonly Plan[];
}

/** The largest number of rows that a step of the plan is expected to have. */
async function estimated(run: Transaction, sql: string, params: readonly unknown[]): Promise<number> {
  const { rows } = await run<{ 'QUERY PLAN': readonly { Plan?: Plan }[] }>(`EXPLAIN (FORMAT JSON) ${sql}`, params);
  const left: (Plan | undefined)[] = (rows[0]?.['QUERY PLAN'] ?? []).map(({ Plan: plan }) => plan);
  let most = 0;
  for (let plan = left.pop(); plan; plan = left.pop()) {
    most = Math.max(most, plan['Plan Rows'] ?? 0);
    left.push(...(plan.Plans ?? []));
  }
  return most;
}
