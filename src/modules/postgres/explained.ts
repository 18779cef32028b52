import { AppError } from '../../kernel/errors.ts';
import { shortened } from '../shown.ts';
import type { Postgres } from './connection.ts';
import { withHypothetical } from './health/hypothetical.ts';
import { needReach } from './reach.ts';
import { parseSql } from './sql/parse.ts';
import { readingOf } from './sql/read-only.ts';

export interface Explained {
  readonly plan: string;
  readonly total_cost?: number;
  readonly estimated_rows?: number;
  /** Compared with `total_cost`, says what hypothetical indexes would save. */
  readonly cost_without?: number;
  readonly hypothetical_indexes?: { readonly index: string; readonly is_used: boolean }[];
  readonly note?: string;
}

interface Asked {
  readonly sql: string;
  readonly params?: readonly unknown[] | undefined;
  readonly analyze?: boolean | undefined;
  readonly hypothetical_indexes?: readonly string[] | undefined;
}

const LONGEST_PLAN = 3200;
const MOST_LINES = 5000;

/** The plan of a statement, judged like a query. */
export async function explained(
  postgres: Postgres,
  { sql, params = [], analyze = false, hypothetical_indexes: indexes }: Asked,
  signal: AbortSignal,
): Promise<Explained> {
  const { kind, sql: statement } = await parseSql(sql);
  if (kind === 'ExplainStmt')
    throw new AppError('invalid_input', 'Leave EXPLAIN out: pass the query itself, and analyze: true to run it.');
  if (indexes && analyze)
    throw new AppError('invalid_input', 'A query cannot run with indexes that do not exist. Leave analyze out.');
  const asked = `EXPLAIN (${analyze ? 'ANALYZE, BUFFERS' : 'COSTS'}) ${statement}`;
  const { touched } = readingOf(await parseSql(asked));
  return await postgres.read(async (run) => {
    // Planning alone runs no volatile function.
    await needReach(run, postgres.schemas, touched, { mayChange: !analyze });
    const plan = async () => (await run.raw(asked, params, MOST_LINES)).rows.map(([line]) => line ?? '');
    const lines = await plan();
    if (!indexes) return planOf(lines);
    const { total_cost: before } = planOf(lines);
    return await withHypothetical(
      run,
      indexes,
      async (made) => {
        const imagined = await plan();
        const text = imagined.join('\n');
        return {
          ...planOf(imagined),
          ...(before !== undefined && { cost_without: before }),
          hypothetical_indexes: made.map(({ sql: index, name }) => ({
            index: shortened(index, 200),
            is_used: text.includes(name),
          })),
        };
      },
      postgres.schemas,
    );
  }, signal);
}

function planOf(lines: readonly string[]): Explained {
  const [, cost, rows] = /cost=[\d.]+\.\.([\d.]+) rows=(\d+)/.exec(lines[0] ?? '') ?? [];
  return {
    plan: fitting(lines),
    ...(cost !== undefined && { total_cost: Number(cost) }),
    ...(rows !== undefined && { estimated_rows: Number(rows) }),
    ...(lines.join('\n').length > LONGEST_PLAN && {
      note: `The plan has ${lines.length} lines. Explain a part of the query to see the rest.`,
    }),
  };
}

function fitting(lines: readonly string[]): string {
  let left = LONGEST_PLAN;
  const over = lines.findIndex((line) => {
    left -= line.length + 1;
    return left < 0;
  });
  return (over === -1 ? lines : lines.slice(0, Math.max(1, over))).join('\n').slice(0, LONGEST_PLAN);
}
