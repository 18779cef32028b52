import type { Run } from '../connection.ts';
import { guarded } from './scene.ts';

export interface Plan {
  readonly cost: number;
  /** The names of the indexes that it uses. */
  readonly indexes: ReadonlySet<string>;
}

interface PlanNode {
  readonly 'Total Cost': number;
  readonly 'Index Name'?: string;
  readonly Plans?: readonly PlanNode[];
}

/** The highest number of $1, $2, … in a statement. */
const parametersOf = (sql: string): number =>
  Math.max(0, ...[...sql.matchAll(/\$(\d{1,4})\b/g)].map(([, number]) => Number(number)));

function* nodesOf(plan: PlanNode): Generator<PlanNode> {
  yield plan;
  for (const inner of plan.Plans ?? []) yield* nodesOf(inner);
}

/** Plans a statement without running it, also one whose values are not known ($1). */
export async function planOf(run: Run, sql: string): Promise<Plan> {
  const count = parametersOf(sql);
  const explained =
    count === 0
      ? await run<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) ${sql}`)
      : await generic(run, sql, count);
  const [{ Plan: plan }] = (explained.rows[0] as { 'QUERY PLAN': [{ Plan: PlanNode }] })['QUERY PLAN'];
  const indexes = [...nodesOf(plan)].flatMap((node) => node['Index Name'] ?? []);
  return { cost: plan['Total Cost'], indexes: new Set(indexes) };
}

/** EXPLAIN (GENERIC_PLAN) is new in PostgreSQL 16; this does the same in older versions. */
async function generic(run: Run, sql: string, count: number) {
  await run("SET LOCAL plan_cache_mode TO 'force_generic_plan'");
  await run(`PREPARE planned AS ${sql}`);
  try {
    const values = Array.from({ length: count }, () => 'NULL').join(', ');
    // After an error the statement must still go, so the transaction has to go on.
    return await guarded(run, () =>
      run<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(`EXPLAIN (FORMAT JSON) EXECUTE planned(${values})`),
    );
  } finally {
    await run('DEALLOCATE planned');
  }
}
