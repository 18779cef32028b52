import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Rate } from '../../../kernel/rate.ts';
import { createLeasedTokens, slackOf, type TokenBank } from './leased-tokens.ts';

/** The rule of lease_tokens in the database. */
function createBank(now: () => number, delay: () => number = () => 0) {
  const emptyAt = new Map<string, number>();
  const answers: { at: number; deliver: () => void }[] = [];
  let asked = 0;
  let broken = false;
  const bank: TokenBank = {
    lease(key, { count, perMs }, { least, most, slackMs }) {
      asked += 1;
      if (broken) return Promise.reject(new Error('away'));
      const each = perMs / count;
      const emptied = emptyAt.get(key) ?? 0;
      const from = Math.max(now(), emptied);
      let granted = Math.min(most, Math.floor((now() + perMs - slackMs - from) / each + 0.001));
      if (granted < least && emptied <= now() - slackMs && least * each <= perMs) granted = least;
      if (granted < least) granted = 0;
      const filled = from + granted * each;
      if (granted > 0) emptyAt.set(key, filled);
      const waitMs = Math.max(0, filled + each - now() - (perMs - slackMs));
      const { promise, resolve } = Promise.withResolvers<{ granted: number; waitMs: number }>();
      answers.push({ at: now() + delay(), deliver: () => resolve({ granted, waitMs }) });
      return promise;
    },
  };
  return {
    bank,
    answers,
    asked: () => asked,
    breakDown: () => {
      broken = true;
    },
  };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

function simulate(rate: Rate, replicas: number, delay: () => number = () => 0) {
  let clock = 1_000_000;
  const now = () => clock;
  const { bank, answers, ...rest } = createBank(now, delay);
  const counters = Array.from({ length: replicas }, () => createLeasedTokens(bank, now));
  const uses: number[] = [];
  const refusals: number[] = [];

  async function advance(ms: number): Promise<void> {
    const end = clock + ms;
    for (;;) {
      answers.sort((a, b) => a.at - b.at);
      const [next] = answers;
      if (!next || next.at > end) break;
      answers.shift();
      clock = Math.max(clock, next.at);
      next.deliver();
      await settled();
    }
    clock = end;
  }

  const note = (times: number, wait: number | undefined) => {
    if (wait === undefined) uses.push(...Array.from({ length: times }, now));
    else refusals.push(wait);
  };

  return {
    uses,
    refusals,
    advance,
    now,
    ...rest,
    /** Whether it was answered at once. */
    use(replica: number, times = 1): boolean {
      const answer = counters[replica]?.count('k', rate, times);
      if (answer instanceof Promise) {
        answer.then(
          (wait) => note(times, wait),
          () => {},
        );
        return false;
      }
      note(times, answer);
      return true;
    },
    count: (replica: number, times?: number) => counters[replica]?.count('k', rate, times),
  };
}

/** By how many the uses in some window exceed what one bucket lets through. */
function excess(uses: readonly number[], { count, perMs }: Rate, late: number): number {
  let worst = Number.NEGATIVE_INFINITY;
  for (let first = 0; first < uses.length; first++)
    for (let last = first; last < uses.length; last++) {
      const span = (uses[last] as number) - (uses[first] as number) + late;
      worst = Math.max(worst, last - first + 1 - (count + (span * count) / perMs));
    }
  return worst;
}

describe('leased tokens', () => {
  test('all replicas together never let more through than one bucket', async () => {
    const step = fc.oneof(
      // A steady use makes a replica take tokens ahead.
      fc.record({ replica: fc.nat(2), uses: fc.nat(80), gap: fc.nat(4) }),
      fc.record({ replica: fc.nat(2), uses: fc.nat(20), gap: fc.nat(300) }),
      fc.record({ replica: fc.nat(2), uses: fc.nat(5), gap: fc.nat(5), times: fc.integer({ min: 1, max: 50 }) }),
      fc.record({ pause: fc.oneof(fc.nat(40), fc.nat(3000)) }),
      // Everybody at once.
      fc.record({ flood: fc.constant(true) }),
    );
    const rates = fc.record({
      count: fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 200, max: 400 })),
      perMs: fc.constantFrom(1000, 10_000),
    });
    const lateness = fc.oneof(fc.constant(0), fc.nat(40));
    await fc.assert(
      fc.asyncProperty(rates, fc.array(step, { maxLength: 12 }), lateness, async (rate, steps, late) => {
        let turn = 0;
        const run = simulate(rate, 3, () => (late === 0 ? 0 : (turn += 7) % (late + 1)));
        for (const one of steps) {
          if ('flood' in one) {
            for (let n = 0; n < rate.count * 1.2; n++) run.use(n % 3);
            await run.advance(0);
          } else if ('pause' in one) await run.advance(one.pause);
          else
            for (let n = 0; n < one.uses; n++) {
              run.use(one.replica, 'times' in one ? one.times : 1);
              await run.advance(one.gap);
            }
        }
        await run.advance(1000);
        expect(excess(run.uses, rate, late)).toBeLessThanOrEqual(0.01);
      }),
      { numRuns: 200 },
    );
  });

  test.each([
    { count: 5, perMs: 1000 },
    { count: 1000, perMs: 1000 },
    { count: 60, perMs: 60_000 },
    { count: 6000, perMs: 60_000 },
  ])('two busy replicas get nearly all of $count in $perMs ms', async (rate) => {
    const run = simulate(rate, 2, () => 2);
    const each = rate.perMs / rate.count;
    const stepMs = Math.max(1, each / 3);
    const span = Math.max(5 * each, Math.min(2 * rate.perMs, 3000 * each));
    for (let n = 0; n < span / stepMs; n++) {
      run.use(n % 2);
      if (n % 3 === 0) run.use(0);
      await run.advance(stepMs);
    }
    const offered = (span / stepMs) * (4 / 3);
    const possible = Math.min(offered, rate.count + span / each);
    expect(run.uses.length).toBeGreaterThan(0.94 * possible - 1);
    expect(excess(run.uses, rate, 2)).toBeLessThanOrEqual(0.01);
  });

  test('a busy name is mostly answered at once', async () => {
    const rate = { count: 6000, perMs: 60_000 };
    const run = simulate(rate, 1, () => 1);
    let atOnce = 0;
    for (let n = 0; n < 2000; n++) {
      if (run.use(0)) atOnce += 1;
      await run.advance(11);
    }
    expect(run.uses).toHaveLength(2000);
    expect(atOnce).toBeGreaterThan(1950);
    expect(run.asked()).toBeLessThan(100);
  });

  test('callers wait for one answer together', async () => {
    const run = simulate({ count: 10, perMs: 60_000 }, 1, () => 5);
    for (let n = 0; n < 12; n++) run.use(0);
    await run.advance(20);
    expect(run.uses).toHaveLength(10);
    expect(run.refusals).toHaveLength(2);
    expect(run.asked()).toBeLessThanOrEqual(3);
  });

  test('a refusal is remembered until there is room', async () => {
    const run = simulate({ count: 2, perMs: 60_000 }, 1);
    for (let n = 0; n < 3; n++) {
      run.use(0);
      await run.advance(0);
    }
    expect(run.refusals).toEqual([30]);
    const asked = run.asked();
    expect(run.count(0)).toBe(30);
    await run.advance(15_000);
    expect(run.count(0)).toBe(15);
    expect(run.asked()).toBe(asked);
    await run.advance(15_100);
    run.use(0);
    await run.advance(0);
    expect(run.uses).toHaveLength(3);
  });

  test('a quiet replica does not sit on tokens', async () => {
    const rate = { count: 600, perMs: 60_000 };
    const run = simulate(rate, 2);
    for (let n = 0; n < 100; n++) {
      run.use(0);
      await run.advance(1);
    }
    await run.advance(slackOf(rate));
    for (let n = 0; n < 1000; n++) {
      run.use(1);
      await run.advance(0);
    }
    // What 0 did not use lapsed. It is a twentieth at most.
    expect(run.uses.length).toBeGreaterThanOrEqual(600 - 10 - 30);
    expect(run.uses.length).toBeLessThanOrEqual(612);
  });

  test('an error of the bank reaches those who wait, and the next one asks again', async () => {
    const run = simulate({ count: 10, perMs: 1000 }, 1);
    run.breakDown();
    const answers = await Promise.allSettled([run.count(0), run.count(0)]);
    expect(answers.map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    await expect(run.count(0)).rejects.toThrow('away');
  });
});
