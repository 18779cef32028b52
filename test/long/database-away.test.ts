import { describe, expect, test } from 'vitest';
import { callWhileAway } from '../support/database-away.ts';
import { postgresIsMissing } from '../support/postgres.ts';

describe.skipIf(postgresIsMissing)('two replicas whose database is away', () => {
  test.each([
    ['cut', 5000],
    ['cut', 12_000],
    ['cut', 40_000],
    ['freeze', 40_000],
  ] as const)('(%s, for %i ms) answer every call of both eras within 3 s, and lose no event', async (how, ms) => {
    const { calls, slowestMs, unstored, ...lost } = await callWhileAway(how, ms);
    console.log(JSON.stringify({ how, ms, calls, slowestMs, unstored }));
    expect(lost).toEqual({ failed: {}, undelivered: [] });
    expect(slowestMs).toBeLessThan(3000);
    expect(unstored).toBeGreaterThan(0);
  });
});
