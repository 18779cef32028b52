import { AppError } from '../../kernel/errors.ts';
import type { Postgres } from './connection.ts';
import { sparingOwn } from './own-tables.ts';
import { needReach } from './reach.ts';
import { parseSql } from './sql/parse.ts';
import { readingOf } from './sql/read-only.ts';

export interface Explained {
  readonly plan: string;
  readonly total_cost?: number;
  readonly estimated_rows?: number;
  readonly note?: string;
}

const LONGEST_PLAN = 3200;

/** The plan of a statement, judged like a query. */
export async function explained(
  postgres: Postgres,
  { sql, params = [], analyze = false }: { sql: string; params?: unknown[] | undefined; analyze?: boolean | undefined },
  signal: AbortSignal,
): Promise<Explained> {
  const { kind, sql: statement } = await parseSql(sql);
  if (kind === 'ExplainStmt')
    throw new AppError('invalid_input', 'Leave EXPLAIN out: pass the query itself, and analyze: true to run it.');
  const asked = `EXPLAIN (${analyze ? 'ANALYZE, BUFFERS' : 'COSTS'}) ${statement}`;
  const { touched } = readingOf(await parseSql(asked));
  const lines = await postgres.read(async (run) => {
    const { isOpaque } = await needReach(run, postgres, touched);
    const work = async () => (await run.raw(asked, params, 5000)).rows.map(([line]) => line ?? '');
    return isOpaque ? await sparingOwn(run, postgres.ownSchema, work) : await work();
  }, signal);
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
