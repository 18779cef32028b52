import type { Run } from '../connection.ts';
import { MOST_LISTED } from './pages.ts';

export const OBJECT_KINDS = ['function', 'sequence', 'type', 'index', 'trigger', 'policy', 'extension'] as const;
export type ObjectKind = (typeof OBJECT_KINDS)[number];

export interface Found {
  readonly oid: number;
  readonly schema: string;
  readonly name: string;
  readonly about: string;
}

/** Rows of oid, schema, name and a few words about each. Extensions bring objects that nobody looks for by name. */
const LISTS: Readonly<Record<ObjectKind, string>> = {
  function: `SELECT p.oid, n.nspname AS schema, p.proname AS name,
      concat('(', pg_get_function_identity_arguments(p.oid), ')',
        CASE WHEN p.prokind = 'p' THEN ' procedure' ELSE ' returns ' || pg_get_function_result(p.oid) END,
        ', ', CASE p.provolatile WHEN 'i' THEN 'immutable' WHEN 's' THEN 'stable' ELSE 'volatile' END,
        ', ', l.lanname, CASE WHEN p.prosecdef THEN ', security definer' END) AS about
    FROM pg_catalog.pg_proc p JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
    JOIN pg_catalog.pg_language l ON l.oid = p.prolang
    WHERE NOT EXISTS (SELECT FROM pg_catalog.pg_depend d WHERE d.classid = 'pg_catalog.pg_proc'::regclass
      AND d.objid = p.oid AND d.deptype = 'e')`,
  sequence: `SELECT c.oid, n.nspname AS schema, c.relname AS name,
      concat(format_type(s.seqtypid, NULL), ', from ', s.seqstart, ' by ', s.seqincrement, ' to ', s.seqmax) AS about
    FROM pg_catalog.pg_sequence s JOIN pg_catalog.pg_class c ON c.oid = s.seqrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`,
  type: `SELECT t.oid, n.nspname AS schema, t.typname AS name,
      CASE t.typtype WHEN 'e' THEN 'enum: ' || (SELECT string_agg(enumlabel, ', ' ORDER BY enumsortorder)
          FROM pg_catalog.pg_enum e WHERE e.enumtypid = t.oid)
        WHEN 'd' THEN 'domain over ' || format_type(t.typbasetype, t.typtypmod)
        WHEN 'r' THEN 'range' WHEN 'm' THEN 'multirange' WHEN 'c' THEN 'composite' ELSE 'base type' END AS about
    FROM pg_catalog.pg_type t JOIN pg_catalog.pg_namespace n ON n.oid = t.typnamespace
    LEFT JOIN pg_catalog.pg_class c ON c.oid = t.typrelid
    WHERE (t.typtype IN ('e', 'd', 'r') OR (t.typtype = 'c' AND c.relkind = 'c'))`,
  index: `SELECT i.indexrelid AS oid, n.nspname AS schema, c.relname AS name,
      concat('on ', i.indrelid::regclass, ', ', pg_size_pretty(pg_relation_size(c.oid)),
        CASE WHEN i.indisunique THEN ', unique' END, CASE WHEN NOT i.indisvalid THEN ', invalid' END) AS about
    FROM pg_catalog.pg_index i JOIN pg_catalog.pg_class c ON c.oid = i.indexrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`,
  trigger: `SELECT t.oid, n.nspname AS schema, t.tgname AS name,
      concat('on ', t.tgrelid::regclass, ', calls ', t.tgfoid::regproc, CASE WHEN t.tgenabled = 'D' THEN ', disabled' END) AS about
    FROM pg_catalog.pg_trigger t JOIN pg_catalog.pg_class c ON c.oid = t.tgrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace WHERE NOT t.tgisinternal`,
  policy: `SELECT p.oid, n.nspname AS schema, p.polname AS name,
      concat('on ', p.polrelid::regclass, ', for ', CASE p.polcmd WHEN 'r' THEN 'select' WHEN 'a' THEN 'insert'
        WHEN 'w' THEN 'update' WHEN 'd' THEN 'delete' ELSE 'all' END) AS about
    FROM pg_catalog.pg_policy p JOIN pg_catalog.pg_class c ON c.oid = p.polrelid
    JOIN pg_catalog.pg_namespace n ON n.oid = c.relnamespace`,
  extension: `SELECT e.oid, n.nspname AS schema, e.extname AS name,
      concat(e.extversion, CASE WHEN a.default_version <> e.extversion THEN ', ' || a.default_version || ' is available' END,
        ': ', a.comment) AS about
    FROM pg_catalog.pg_extension e JOIN pg_catalog.pg_namespace n ON n.oid = e.extnamespace
    LEFT JOIN pg_catalog.pg_available_extensions a ON a.name = e.extname`,
};

const DEFINITIONS: Readonly<Record<ObjectKind, string>> = {
  function: `SELECT CASE WHEN prokind IN ('f', 'p', 'w') THEN pg_get_functiondef(oid) ELSE 'aggregate' END AS definition
    FROM pg_catalog.pg_proc WHERE oid = $1::oid`,
  sequence: `SELECT concat('CREATE SEQUENCE ', seqrelid::regclass, ' AS ', format_type(seqtypid, NULL), ' INCREMENT BY ', seqincrement,
      ' MINVALUE ', seqmin, ' MAXVALUE ', seqmax, ' START WITH ', seqstart, CASE WHEN seqcycle THEN ' CYCLE' END,
      '; -- last value: ', coalesce(pg_sequence_last_value(seqrelid)::text, 'none')) AS definition
    FROM pg_catalog.pg_sequence WHERE seqrelid = $1::oid`,
  type: `SELECT CASE t.typtype
      WHEN 'e' THEN (SELECT concat('CREATE TYPE ', t.oid::regtype, ' AS ENUM (', string_agg(quote_literal(enumlabel), ', ' ORDER BY enumsortorder), ')')
        FROM pg_catalog.pg_enum WHERE enumtypid = t.oid)
      WHEN 'd' THEN concat('CREATE DOMAIN ', t.oid::regtype, ' AS ', format_type(t.typbasetype, t.typtypmod),
        CASE WHEN t.typnotnull THEN ' NOT NULL' END, (SELECT string_agg(' ' || pg_get_constraintdef(oid), '' ORDER BY conname)
          FROM pg_catalog.pg_constraint WHERE contypid = t.oid AND contype = 'c'))
      WHEN 'c' THEN (SELECT concat('CREATE TYPE ', t.oid::regtype, ' AS (', string_agg(quote_ident(attname) || ' ' || format_type(atttypid, atttypmod), ', ' ORDER BY attnum), ')')
        FROM pg_catalog.pg_attribute WHERE attrelid = t.typrelid AND attnum > 0 AND NOT attisdropped)
      ELSE format_type(t.oid, NULL) END AS definition
    FROM pg_catalog.pg_type t WHERE t.oid = $1::oid`,
  index: `SELECT pg_get_indexdef($1::oid) AS definition`,
  trigger: `SELECT pg_get_triggerdef($1::oid, true) AS definition`,
  policy: `SELECT concat_ws(' ', 'CREATE POLICY', quote_ident(polname), 'ON', polrelid::regclass,
      'USING (' || pg_get_expr(polqual, polrelid) || ')', 'WITH CHECK (' || pg_get_expr(polwithcheck, polrelid) || ')') AS definition
    FROM pg_catalog.pg_policy WHERE oid = $1::oid`,
  extension: `SELECT concat('CREATE EXTENSION ', quote_ident(extname), ' VERSION ', quote_literal(extversion)) AS definition
    FROM pg_catalog.pg_extension WHERE oid = $1::oid`,
};

/** Objects of a kind outside of PostgreSQL's own schemas. `exact` names one, with or without its schema. */
export async function objectsOf(
  run: Run,
  kind: ObjectKind,
  { schema, query, exact }: { schema?: string | undefined; query?: string | undefined; exact?: string | undefined },
): Promise<Found[]> {
  const { rows } = await run<Found>(
    `SELECT oid, schema, name, left(about, 300) AS about FROM (${LISTS[kind]}) AS o
     WHERE CASE WHEN $1::text IS NULL THEN $4 OR (schema !~ '^pg_' AND schema <> 'information_schema') ELSE schema = $1 END
       AND ($2::text IS NULL OR strpos(lower(name), lower($2)) > 0)
       AND ($3::text IS NULL OR $3 IN (name, schema || '.' || name))
     ORDER BY schema, name, about LIMIT ${MOST_LISTED}`,
    [schema ?? null, query ?? null, exact ?? null, kind === 'extension'],
  );
  return rows;
}

export async function definitionOf(run: Run, kind: ObjectKind, oid: number): Promise<string> {
  const { rows } = await run<{ definition: string | null }>(DEFINITIONS[kind], [oid]);
  return rows[0]?.definition ?? '';
}
