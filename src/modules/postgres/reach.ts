import { AppError } from '../../kernel/errors.ts';
import type { Postgres, Run } from './connection.ts';
import { isHarmless, SAMPLES, SECRET_RELATIONS } from './sql/functions.ts';
import type { Touched } from './sql/touched.ts';

interface Relation {
  readonly what: 'relation';
  readonly schema: string;
  readonly name: string;
  /** Whether it shows something of Sluice's own schema, directly or through other views. */
  readonly own: boolean;
  /** Whether it is a view, which can call functions. */
  readonly view: boolean;
}

interface Callable {
  readonly what: 'function' | 'attribute' | 'operator' | 'type';
  readonly schema: string;
  readonly name: string;
  readonly volatile: boolean;
  /** Whether an extension brought it. */
  readonly extension: boolean;
}

type Found = Relation | Callable;

/**
 * Everything that the names could mean here: all functions of a name in all schemas that are searched for it. Which of
 * them PostgreSQL would choose depends on types that only it knows.
 */
const FOUND = `
WITH RECURSIVE named AS (
  SELECT to_regclass(CASE WHEN schema IS NULL THEN format('%I', name) ELSE format('%I.%I', schema, name) END)::oid AS oid
  FROM unnest($1::text[], $2::text[]) AS n(schema, name)
), views AS (
  SELECT oid AS root, oid FROM named WHERE oid IS NOT NULL
  UNION
  SELECT views.root, d.refobjid FROM views
  JOIN pg_catalog.pg_rewrite r ON r.ev_class = views.oid
  JOIN pg_catalog.pg_depend d ON d.classid = 'pg_catalog.pg_rewrite'::regclass AND d.objid = r.oid
    AND d.refclassid = 'pg_catalog.pg_class'::regclass
  WHERE to_regnamespace(format('%I', $8::text)) IS NOT NULL
), functions AS (
  SELECT p.oid, p.proname, p.pronamespace, CASE WHEN n.attribute THEN 'attribute' ELSE 'function' END AS what
  FROM (
    SELECT schema, name, false AS attribute FROM unnest($3::text[], $4::text[]) AS f(schema, name)
    UNION SELECT NULL, name, true FROM unnest($5::text[]) AS a(name)
  ) AS n
  JOIN pg_catalog.pg_proc p ON p.proname = n.name
  JOIN pg_catalog.pg_namespace s ON s.oid = p.pronamespace
    AND CASE WHEN n.schema IS NULL THEN s.nspname = ANY (current_schemas(true)) ELSE s.nspname = n.schema END
  WHERE NOT n.attribute OR (p.pronargs - p.pronargdefaults <= 1 AND p.pronargs >= 1 AND p.prokind = 'f'
    AND p.provolatile = 'v'
    AND (SELECT typtype FROM pg_catalog.pg_type t WHERE t.oid = p.proargtypes[0]) IN ('c', 'p'))
  UNION
  SELECT p.oid, p.proname, p.pronamespace, 'operator'
  FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode
  WHERE o.oprname = ANY ($6::text[]) AND o.oid >= 16384 AND p.provolatile = 'v'
  UNION
  SELECT p.oid, p.proname, p.pronamespace, 'type'
  FROM pg_catalog.pg_type t JOIN pg_catalog.pg_cast c ON t.oid IN (c.casttarget, c.castsource)
  JOIN pg_catalog.pg_proc p ON p.oid = c.castfunc
  WHERE t.typname = ANY ($7::text[]) AND c.oid >= 16384 AND p.provolatile = 'v'
)
SELECT DISTINCT 'relation' AS what, s.nspname AS schema, c.relname AS name, false AS volatile, false AS extension,
  c.relkind = 'v' AS view,
  EXISTS (
    SELECT FROM views v JOIN pg_catalog.pg_class i ON i.oid = v.oid
    WHERE v.root = c.oid AND i.relnamespace = to_regnamespace(format('%I', $8::text))
  ) AS own
FROM named JOIN pg_catalog.pg_class c ON c.oid = named.oid
JOIN pg_catalog.pg_namespace s ON s.oid = c.relnamespace
UNION ALL
SELECT f.what, s.nspname, f.proname,
  bool_or(p.provolatile = 'v' OR EXISTS (
    SELECT FROM pg_catalog.pg_aggregate a
    JOIN pg_catalog.pg_proc i ON i.oid IN (a.aggtransfn, a.aggfinalfn, a.aggmtransfn, a.aggmfinalfn, a.aggminvtransfn)
    WHERE a.aggfnoid = p.oid AND i.provolatile = 'v'
  )),
  bool_and(EXISTS (
    SELECT FROM pg_catalog.pg_depend d
    WHERE d.classid = 'pg_catalog.pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e'
  )),
  false, false
FROM functions f JOIN pg_catalog.pg_proc p ON p.oid = f.oid JOIN pg_catalog.pg_namespace s ON s.oid = f.pronamespace
GROUP BY 1, 2, 3`;

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
  const { rows } = await run<Found & object>(FOUND, [
    relations.map(({ schema }) => schema ?? null),
    relations.map(({ name }) => name),
    functions.map(({ schema }) => schema ?? null),
    functions.map(({ name }) => name),
    attributes,
    operators,
    types.map(({ name }) => name),
    ownSchema,
  ]);
  let isOpaque = false;
  for (const found of rows) {
    const { schema, name } = found;
    if (found.what === 'relation') {
      schemas.need(schema);
      isOpaque ||= found.view && !SYSTEM.has(schema);
      if (found.own)
        throw new AppError('forbidden', `${schema}.${name} shows data of Sluice itself, which is out of reach.`);
      if (schema === 'pg_catalog' && SAMPLES.has(name)) await needNoOwn(run, ownSchema, name);
      continue;
    }
    const isSystem = SYSTEM.has(schema) || found.extension;
    if (!isSystem) schemas.need(schema);
    isOpaque ||= !isSystem;
    if (mayChange || !found.volatile || (isSystem && isHarmless(name))) continue;
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
