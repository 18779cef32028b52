import type { Allowed } from '../allowed.ts';
import type { Run } from './connection.ts';
import type { Name } from './sql/touched.ts';

/** A function that a statement may call. */
export interface Callable {
  readonly schema: string;
  readonly name: string;
  readonly volatile: boolean;
  /** Whether an extension brought it. */
  readonly extension: boolean;
}

/** A volatile function behind an operator or a cast that somebody has defined. */
interface Oddity extends Callable {
  readonly operator: string | null;
  readonly types: readonly string[] | null;
}

/** Nearly every database has none, so they are looked up all at once, and not for every query. */
const FRESH_MS = 10_000;
const known = new WeakMap<Allowed, { readonly at: number; readonly all: readonly Oddity[] }>();

/** Volatile functions that these operators and types could call. `of` stands for the database. */
export async function oddities(
  run: Run,
  of: Allowed,
  operators: readonly string[],
  types: readonly Name[],
): Promise<Callable[]> {
  if (operators.length === 0 && types.length === 0) return [];
  let found = known.get(of);
  if (!found || Date.now() - found.at > FRESH_MS) {
    found = { at: Date.now(), all: await all(run) };
    known.set(of, found);
  }
  return found.all.filter(
    ({ operator, types: cast }) =>
      (operator !== null && operators.includes(operator)) || types.some(({ name }) => cast?.includes(name)),
  );
}

async function all(run: Run): Promise<Oddity[]> {
  const { rows } = await run<Oddity>(
    `SELECT n.nspname AS schema, p.proname AS name, true AS volatile, false AS extension, o.oprname::text AS operator,
       NULL::text[] AS types
     FROM pg_catalog.pg_operator o JOIN pg_catalog.pg_proc p ON p.oid = o.oprcode
     JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
     WHERE o.oid >= 16384 AND p.provolatile = 'v'
     UNION ALL
     SELECT n.nspname, p.proname, true, false, NULL,
       ARRAY(SELECT typname::text FROM pg_catalog.pg_type t WHERE t.oid IN (c.castsource, c.casttarget))
     FROM pg_catalog.pg_cast c JOIN pg_catalog.pg_proc p ON p.oid = c.castfunc
     JOIN pg_catalog.pg_namespace n ON n.oid = p.pronamespace
     WHERE c.oid >= 16384 AND p.provolatile = 'v'`,
  );
  return rows;
}
