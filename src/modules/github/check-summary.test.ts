import { describe, expect, test } from 'vitest';
import { checkSummary, checksInWords } from './check-summary.ts';

const run = (name: string, conclusion?: string) =>
  conclusion === undefined ? { name, status: 'in_progress' } : { name, status: 'completed', conclusion };

describe('checkSummary', () => {
  test('joins check runs and statuses', () => {
    const summary = checkSummary(
      [run('build', 'success'), run('docs', 'skipped'), run('lint', 'timed_out'), run('e2e')],
      [
        { context: 'ci/old', state: 'error' },
        { context: 'ci/slow', state: 'pending' },
      ],
    );
    expect(summary).toEqual({
      state: 'failure',
      passed: 2,
      failed: 2,
      pending: 2,
      failing: ['lint', 'ci/old'],
      waiting: ['e2e', 'ci/slow'],
    });
    expect(checksInWords(summary)).toBe(
      '2 of 6 checks failed: lint, ci/old. 2 of 6 checks are not finished: e2e, ci/slow.',
    );
  });

  test.each([
    [[], 'none', 'It has no checks.'],
    [[run('a', 'success')], 'success', 'Its check passed.'],
    [[run('a', 'success'), run('b', 'neutral')], 'success', 'All 2 checks passed.'],
    [[run('a')], 'pending', '1 of 1 checks are not finished: a.'],
    [[run('a', 'stale')], 'pending', '1 of 1 checks are not finished: a.'],
  ])('%j', (runs, state, words) => {
    const summary = checkSummary(runs, []);
    expect([summary.state, checksInWords(summary)]).toEqual([state, words]);
  });

  test('names a few of many', () => {
    const { failing, failed } = checkSummary(
      Array.from({ length: 40 }, (_, n) => run(`check ${n}`, 'failure')),
      [],
    );
    expect(failed).toBe(40);
    expect(failing?.at(-1)).toMatch(/^and \d+ more$/);
  });
});
