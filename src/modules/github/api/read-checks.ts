import { AppError } from '../../../kernel/errors.ts';
import { allPages } from '../all-pages.ts';
import { type CheckSummary, checkSummary } from '../check-summary.ts';
import type { GitHub, Question } from '../connection.ts';
import { inRepo } from '../tool.ts';
import { checkRuns, combinedStatus } from './checks.ts';

/** What the checks and statuses of a commit say together; undefined if the token may not see them. */
export async function readChecks(
  github: GitHub,
  repo: string,
  sha: string,
  question: Pick<Question, 'signal' | 'progress'>,
): Promise<CheckSummary | undefined> {
  const path = inRepo(repo, 'commits', sha);
  const [runs, statuses] = await Promise.all([
    orHidden(
      allPages(github, { type: checkRuns, path: [...path, 'check-runs'], items: (one) => one.check_runs }, question),
    ),
    orHidden(
      allPages(github, { type: combinedStatus, path: [...path, 'status'], items: (one) => one.statuses }, question),
    ),
  ]);
  return runs || statuses ? checkSummary(runs ?? [], statuses ?? []) : undefined;
}

/** A fine-grained token may see a pull request and not its checks. */
async function orHidden<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof AppError && (error.code === 'forbidden' || error.code === 'not_found')) return undefined;
    throw error;
  }
}
