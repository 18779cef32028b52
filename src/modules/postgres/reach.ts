import { AppError } from '../../kernel/errors.ts';
import type { Allowed } from '../allowed.ts';
import type { Run } from './connection.ts';
import { isHarmless, isStatistic, SECRET_RELATIONS } from './sql/functions.ts';
import type { Name, Touched } from './sql/touched.ts';
import { type Callable, oddities } from './oddities.ts';

const SYSTEM: ReadonlySet<string> = new Set(['pg_catalog', 'information_schema']);

/**
 * Throws if a statement names what is out of reach, or calls a function that may change something; with `mayChange` it
 * may.
 */
export async function needReach(
  run: Run,
  schemas: Allowed,
  { relations, functions, attributes, operators, types }: Touched,
  { mayChange = false } = {},
): Promise<void> {
  for (const { schema } of relations) if (schema !== undefined) schemas.need(schema);
  for (const { name } of relations) if (SECRET_RELATIONS.has(name)) throw secret(name);
  await needRelations(run, schemas, relations);
  const called = await callablesOf(run, functions, attributes);
  const odd = mayChange ? [] : await oddities(run, schemas, operators, types);
  for (const { schema, name, volatile, extension } of [...called, ...odd]) {
    const isSystem = SYSTEM.has(schema) || extension;
    if (!isSystem) schemas.need(schema);
    // The view pg_stat_activity is in pg_catalog, too.
    if (isStatistic(name)) schemas.need('pg_catalog');
    if (mayChange || !volatile || (isSystem && isHarmless(name))) continue;
    const remedy = isSystem
      ? 'Use postgres_execute for it.'
      : 'If it only reads, mark it as STABLE in the database; otherwise use postgres_execute.';
    throw new AppError(
      'forbidden',
      `The function ${schema}.${name} is volatile: it may change something, and only reading is allowed here. Nothing was run. ${remedy}`,
    );
  }
}

/** Throws if one is out of reach. */
async function needRelations(run: Run, schemas: Allowed, relations: readonly Name[]): Promise<void> {
  if (relations.length === 0) return;
  const { rows } = await run<{ schema: string }>(
    `SELECT DISTINCT n.nspname AS schema FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.oid = ANY (ARRAY(SELECT to_regclass(name)::oid FROM unnest($1::text[]) AS name))`,
    [
      relations.map(({ schema, name }) =>
        [schema, name].flatMap((part) => (part === undefined ? [] : quoted(part))).join('.'),
      ),
    ],
  );
  for (const { schema } of rows) schemas.need(schema);
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

interface Found {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly volatile: boolean;
  /** Whether its schema is searched for names without one. */
  readonly searched: boolean;
  /** Whether it can be written as `row.name`. */
  readonly attribute: boolean;
}

/**
 * Everything that the names could mean here: all functions of a name in all schemas that are searched for it. Which of
 * them PostgreSQL would choose depends on types that only it knows.
 */
async function callablesOf(run: Run, functions: readonly Name[], attributes: readonly string[]): Promise<Callable[]> {
  if (functions.length === 0 && attributes.length === 0) return [];
  const { rows } = await run<Found>(
    `SELECT p.oid, n.nspname AS schema, p.proname AS name, p.provolatile = 'v' AS volatile,
       n.nspname = ANY (current_schemas(true)) AS searched,
       p.pronargs >= 1 AND p.pronargs - p.pronargdefaults <= 1 AND p.prokind = 'f'
         AND (SELECT typtype IN ('c', 'p') FROM pg_catalog.pg_type t WHERE t.oid = p.proargtypes[0]) AS attribute
     FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
     WHERE p.proname = ANY ($1::text[]::name[])`,
    [[...functions.map(({ name }) => name), ...attributes]],
  );
  const isMeant = (found: Found) =>
    functions.some(
      ({ schema, name }) => name === found.name && (schema === undefined ? found.searched : schema === found.schema),
    ) ||
    (found.attribute && found.volatile && attributes.includes(found.name));
  const meant = rows.filter(isMeant);
  const others = meant.filter(({ schema }) => !SYSTEM.has(schema));
  const about =
    others.length === 0
      ? new Map<number, About>()
      : await aboutOf(
          run,
          others.map(({ oid }) => oid),
        );
  return meant.map(({ oid, schema, name, volatile }) => ({
    schema,
    name,
    volatile: volatile || about.get(oid)?.parts === true,
    extension: about.get(oid)?.extension === true,
  }));
}

interface About {
  readonly oid: number;
  readonly extension: boolean;
  /** Whether it is an aggregate with a volatile part. */
  readonly parts: boolean;
}

/** What is only known of functions that are not PostgreSQL's own. */
async function aboutOf(run: Run, oids: readonly number[]): Promise<Map<number, About>> {
  const { rows } = await run<About>(
    `SELECT oid,
       EXISTS (SELECT FROM pg_catalog.pg_depend d
         WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = oid AND d.deptype = 'e') AS extension,
       EXISTS (SELECT FROM pg_catalog.pg_aggregate a
         JOIN pg_catalog.pg_proc i ON i.oid IN (a.aggtransfn, a.aggfinalfn, a.aggmtransfn, a.aggmfinalfn, a.aggminvtransfn)
         WHERE a.aggfnoid = f.oid AND i.provolatile = 'v') AS parts
     FROM unnest($1::oid[]) AS f(oid)`,
    [oids],
  );
  return new Map(rows.map((row) => [row.oid, row]));
}

const secret = (name: string): AppError =>
  new AppError('forbidden', `${name} is out of reach: it has passwords, files or data of other servers.`);
