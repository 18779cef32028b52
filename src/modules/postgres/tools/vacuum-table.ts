import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { type Relation, relationNamed } from '../catalog/relation.ts';
import type { Run } from '../connection.ts';
import { quotedIn } from '../health/quoted.ts';
import { sqlState } from '../health/scene.ts';
import { postgresTool } from '../tool.ts';

interface Before {
  readonly dead: number | null;
  readonly bytes: number;
  readonly version: number;
  readonly isAllowed: boolean;
}

const BEFORE = `SELECT s.n_dead_tup::float8 AS dead, pg_table_size(c.oid)::float8 AS bytes,
    current_setting('server_version_num')::int AS version,
    pg_has_role(current_user, c.relowner, 'USAGE')
      OR pg_has_role(current_user, (SELECT datdba FROM pg_database WHERE datname = current_database()), 'USAGE')
      OR (SELECT rolsuper FROM pg_roles WHERE rolname = current_user) AS "isAllowed"
  FROM pg_class c LEFT JOIN pg_stat_all_tables s ON s.relid = c.oid WHERE c.oid = $1::oid`;

const VACUUMED: ReadonlySet<string> = new Set(['table', 'partitioned table', 'materialized view']);

async function mayMaintain(run: Run, { oid }: Relation): Promise<boolean> {
  const { rows } = await run<{ may: boolean }>("SELECT has_table_privilege($1::oid, 'MAINTAIN') AS may", [oid]);
  return rows[0]?.may ?? false;
}

export const vacuumTable = postgresTool({
  name: 'postgres_vacuum_table',
  title: 'Vacuum a table',
  description:
    'Runs VACUUM on a table, so that the room of its dead rows is used again; with `analyze` (default) it also renews the statistics of the planner. Reads and writes go on meanwhile.',
  phrases: 'vacuum a table; clean up dead rows; analyze a table; renew planner statistics; autovacuum does not keep up',
  effect: 'execute',
  input: z.strictObject({
    table: z.string().min(1).max(300).describe('orders or shop.orders'),
    analyze: z.boolean().default(true).describe('Also collect statistics for the planner'),
  }),
  output: z.object({
    table: z.string(),
    statement: z.string(),
    seconds: z.number(),
    dead_rows_before: z.int(),
    bytes_before: z.int(),
    bytes_after: z.int(),
  }),
  async run({ table, analyze }, postgres, { signal }) {
    const { found, before } = await postgres.read(async (run) => {
      const one = await relationNamed(run, postgres, table);
      const { rows } = await run<Before>(BEFORE, [one.oid]);
      const state = rows[0] as Before;
      // Without the right VACUUM only warns and skips the table.
      const isAllowed = state.isAllowed || (state.version >= 170_000 && (await mayMaintain(run, one)));
      return { found: one, before: { ...state, isAllowed } };
    }, signal);
    const name = quotedIn(found.schema, found.name);
    if (!VACUUMED.has(found.kind))
      throw new AppError('invalid_input', `${name} is a ${found.kind}: there is nothing to vacuum.`);
    if (!before.isAllowed)
      throw new AppError(
        'forbidden',
        `The user of this module does not own ${name}, and only its owner may vacuum it.`,
      );
    const statement = `VACUUM${analyze ? ' (ANALYZE)' : ''} ${name}`;
    const started = performance.now();
    try {
      await postgres.alone(statement, signal);
    } catch (error) {
      if (sqlState(error) !== '57014') throw error;
      throw new AppError(
        'timeout',
        `${statement} took longer than a call may and was stopped. Nothing is broken; what it did so far stays. Raise the timeout of this module, or run it in psql.`,
        { cause: error },
      );
    }
    const seconds = Math.round((performance.now() - started) / 10) / 100;
    const after = await postgres.read(
      async (run) =>
        (await run<{ bytes: number }>('SELECT pg_table_size($1::oid)::float8 AS bytes', [found.oid])).rows[0]?.bytes ??
        0,
      signal,
    );
    return {
      table: `${found.schema}.${found.name}`,
      statement: `${statement};`,
      seconds,
      dead_rows_before: before.dead ?? 0,
      bytes_before: before.bytes,
      bytes_after: after,
    };
  },
});
