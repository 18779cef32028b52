import { counted } from './amounts.ts';
import { type Judgement, judged } from './judgement.ts';
import { quoted, quotedIn } from './quoted.ts';
import type { Scene } from './scene.ts';

export interface InvalidObject {
  readonly kind: 'index' | 'constraint';
  readonly schema: string;
  readonly table: string;
  readonly name: string;
  /** Of an index of a partitioned table: some partition has none. */
  readonly isPartitioned: boolean;
}

export function judgeInvalid(objects: readonly InvalidObject[]): Judgement {
  return judged(
    objects.map(({ kind, schema, table, name, isPartitioned }) => {
      if (kind === 'constraint')
        return {
          severity: 'warning',
          what: `Constraint ${name} of ${quotedIn(schema, table)} was added NOT VALID: older rows may break it, and the planner does not trust it.`,
          fix: `ALTER TABLE ${quotedIn(schema, table)} VALIDATE CONSTRAINT ${quoted(name)};`,
        };
      if (isPartitioned)
        return {
          severity: 'warning',
          what: `Index ${quotedIn(schema, name)} of the partitioned table ${table} is invalid: a partition has no index for it.`,
          fix: `CREATE INDEX on each partition without one, then ALTER INDEX ${quotedIn(schema, name)} ATTACH PARTITION <its index>;`,
        };
      return {
        severity: 'critical',
        what: `Index ${quotedIn(schema, name)} on ${table} is invalid: building it failed. No query uses it, and each write pays for it.`,
        fix: `REINDEX INDEX CONCURRENTLY ${quotedIn(schema, name)}; or DROP INDEX CONCURRENTLY ${quotedIn(schema, name)};`,
      };
    }),
    {
      bad: `${counted(objects.length, 'index or constraint', 'indexes and constraints')} invalid.`,
      ok: 'All indexes and constraints are valid.',
    },
  );
}

// An index that is being built is invalid until it is done.
const SQL = `SELECT 'index' AS kind, n.nspname AS schema, t.relname AS table, c.relname AS name,
    c.relkind = 'I' AS "isPartitioned"
  FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid JOIN pg_class t ON t.oid = i.indrelid
  JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE n.nspname = ANY($1) AND NOT i.indisvalid
    AND NOT EXISTS (SELECT FROM pg_stat_progress_create_index p WHERE p.index_relid = c.oid)
  UNION ALL
  SELECT 'constraint', n.nspname, t.relname, k.conname, false
  FROM pg_constraint k JOIN pg_class t ON t.oid = k.conrelid JOIN pg_namespace n ON n.oid = t.relnamespace
  WHERE n.nspname = ANY($1) AND NOT k.convalidated
  ORDER BY 1 DESC, 2, 4 LIMIT 500`;

export async function lookAtInvalid({ run, schemas }: Scene): Promise<Judgement> {
  const { rows } = await run<InvalidObject>(SQL, [schemas]);
  return judgeInvalid(rows);
}
