import { AppError } from '../../kernel/errors.ts';
import type { Postgres, Run } from './connection.ts';
import { isHarmless, SAMPLES, SECRET_RELATIONS } from './sql/functions.ts';
import type { Name, Touched } from './sql/touched.ts';
import { type Callable, oddities } from './oddities.ts';

const SYSTEM: ReadonlySet<string> = new Set(['pg_catalog', 'information_schema']);

/**
 * Throws if a statement names what is out of reach, or calls a function that may change something; with `mayChange` it
 * may. Says whether code of somebody else runs, which hides what it touches.
 */
export async function needReach(
  run: Run,
  { schemas, ownSchema }: Pick<Postgres, 'schemas' | 'ownSchema'>,
  { relations, functions, attributes, operators, types }: Touched,
  { mayChange = false } = {},
): Promise<{ readonly isOpaque: boolean }> {
  for (const { schema } of relations) if (schema !== undefined) schemas.need(schema);
  for (const { name } of relations) if (SECRET_RELATIONS.has(name)) throw secret(name);
  const hasViews = await needRelations(run, { schemas, ownSchema }, relations);
  const called = await callablesOf(run, functions, attributes);
  const odd = mayChange ? [] : await oddities(run, schemas, operators, types);
  let isOpaque = hasViews;
  for (const { schema, name, volatile, extension } of [...called, ...odd]) {
    const isSystem = SYSTEM.has(schema) || extension;
    if (!isSystem) schemas.need(schema);
    isOpaque ||= !isSystem;
    if (mayChange || !volatile || (isSystem && isHarmless(name))) continue;
    const remedy = isSystem
      ? 'Use postgres_execute for it.'
      : 'If it only reads, mark it as STABLE in the database; otherwise use postgres_execute.';
    throw new AppError(
      'forbidden',
      `The function ${schema}.${name} is volatile: it may change something, and only reading is allowed here. Nothing was run. ${remedy}`,
    );
  }
  return { isOpaque };
}

interface Relation {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly kind: string;
}

/** Throws if one is out of reach. Says whether there are views, which can call functions. */
async function needRelations(
  run: Run,
  { schemas, ownSchema }: Pick<Postgres, 'schemas' | 'ownSchema'>,
  relations: readonly Name[],
): Promise<boolean> {
  if (relations.length === 0) return false;
  const { rows } = await run<Relation>(
    `SELECT c.oid, n.nspname AS schema, c.relname AS name, c.relkind AS kind
     FROM pg_catalog.pg_class c JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace
     WHERE c.oid = ANY (ARRAY(SELECT to_regclass(name)::oid FROM unnest($1::text[]) AS name))`,
    [
      relations.map(({ schema, name }) =>
        [schema, name].flatMap((part) => (part === undefined ? [] : quoted(part))).join('.'),
      ),
    ],
  );
  for (const { schema, name } of rows) {
    schemas.need(schema);
    if (schema === 'pg_catalog' && SAMPLES.has(name)) await needNoOwn(run, ownSchema, name);
  }
  const views = rows.filter(({ schema, kind }) => (kind === 'v' || kind === 'm') && !SYSTEM.has(schema));
  if (views.length > 0) await needNoView(run, ownSchema, views);
  return views.length > 0;
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`;

/** Throws if a view shows something of Sluice's own schema, directly or through other views. */
async function needNoView(run: Run, ownSchema: string, views: readonly Relation[]): Promise<void> {
  const { rows } = await run<{ schema: string; name: string }>(
    `WITH RECURSIVE used AS (
       SELECT oid AS root, oid FROM unnest($1::oid[]) AS oid
       UNION
       SELECT used.root, d.refobjid FROM used
       JOIN pg_catalog.pg_rewrite r ON r.ev_class = used.oid
       JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = r.oid
         AND d.refclassid = 'pg_catalog.pg_class'::regclass
     )
     SELECT used.root::regclass::text AS name FROM used JOIN pg_catalog.pg_class c ON c.oid = used.oid
     WHERE c.relnamespace = to_regnamespace(format('%I', $2::text)) LIMIT 1`,
    [views.map(({ oid }) => oid), ownSchema],
  );
  if (rows[0]) throw new AppError('forbidden', `${rows[0].name} shows data of Sluice itself, which is out of reach.`);
}

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

async function needNoOwn(run: Run, ownSchema: string, name: string): Promise<void> {
  const { rows } = await run<{ there: boolean }>(
    `SELECT to_regnamespace(format('%I', $1::text)) IS NOT NULL AS there`,
    [ownSchema],
  );
  if (rows[0]?.there)
    throw new AppError('forbidden', `${name} has samples of Sluice's own tables, so it is out of reach.`);
}

const secret = (name: string): AppError =>
  new AppError('forbidden', `${name} is out of reach: it has passwords, files or data of other servers.`);
