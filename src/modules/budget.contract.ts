import * as fc from 'fast-check';
import { afterEach, describe, expect, test } from 'vitest';
import type { AppError } from '../kernel/errors.ts';
import type { Store } from '../store/store.ts';
import { createBudget, type Limit, MOST_AMOUNT } from './budget.ts';

/** What a budget holds in each store. Both are the same store, opened twice. */
export function budgetContract(name: string, stores: () => readonly [Store, Store]): void {
  const setting = 'modules.paid.budget';
  const day: Limit = { most: 1, per: 'day', setting };
  let source = 0;
  afterEach(() => {
    source += 1;
  });

  /** The same budget, seen by two replicas. */
  const budgets = (limit: Limit, now?: () => Date) =>
    stores().map((store) => createBudget(store.tables, `paid-${source}`, limit, now)) as [
      ReturnType<typeof createBudget>,
      ReturnType<typeof createBudget>,
    ];

  describe(`a budget in ${name}`, () => {
    test('counts what is set aside and what was spent, for every replica', async () => {
      const [one, two] = budgets(day);
      expect(await one.state()).toMatchObject({ spent: 0, left: 1 });
      const reserved = await one.reserve(0.6);
      expect(await two.state()).toMatchObject({ spent: 0.6, left: 0.4 });
      await reserved.settle(0.1);
      expect(await two.state()).toMatchObject({ spent: 0.1, left: 0.9 });
      await (await two.reserve(0.9)).settle(0.9);
      expect(await one.state()).toMatchObject({ spent: 1, left: 0 });
    });

    test('says what is left, until when, and where it can be raised', async () => {
      const [one, two] = budgets({ ...day, advice: 'Send less' }, () => new Date('2026-02-28T23:59:59.999Z'));
      await one.reserve(0.57);
      await expect(two.reserve(0.4300009)).rejects.toThrow(
        'The call may cost $0.430001, and $0.43 of $1.00 a day is left until 2026-03-01T00:00Z. Send less, or raise modules.paid.budget in sluice.yaml.',
      );
      await two.reserve(0.43);
      await expect(one.reserve(0.000_000_1)).rejects.toThrow('$0.00 of $1.00 a day is left');
    });

    test('lets fifty calls at once have no more than there is', async () => {
      const [one, two] = budgets(day);
      const asked = Array.from({ length: 50 }, (_, index) => (index % 2 === 0 ? one : two).reserve(0.09));
      const settled = await Promise.allSettled(asked);
      expect(settled.filter(({ status }) => status === 'fulfilled')).toHaveLength(11);
      for (const each of settled)
        if (each.status === 'rejected') expect((each.reason as AppError).code).toBe('rate_limited');
      expect(await one.state()).toMatchObject({ spent: 0.99 });
    });

    test('never has more set aside than its limit, whatever the amounts', async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.double({ min: 0, max: 3, noNaN: true }),
          fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 8 }),
          async (most, amounts) => {
            run += 1;
            const [one, two] = stores().map(({ tables }) =>
              createBudget(tables, `fuzz-${source}-${run}`, { ...day, most }),
            ) as [ReturnType<typeof createBudget>, ReturnType<typeof createBudget>];
            const each = await Promise.allSettled(
              amounts.map((amount, index) => (index % 2 ? one : two).reserve(amount)),
            );
            const taken = amounts.filter((_, index) => each[index]?.status === 'fulfilled');
            const sum = taken.reduce((total, amount) => total + amount, 0);
            expect(sum).toBeLessThanOrEqual(most + 1e-9);
            expect((await one.state()).spent).toBeGreaterThanOrEqual(sum - 1e-9);
          },
        ),
        { numRuns: 25 },
      );
    });

    test.each([
      ['day', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z', '2027-01-02T00:00Z'],
      ['month', '2028-02-29T23:59:59.999Z', '2028-03-01T00:00:00.000Z', '2028-04-01T00:00Z'],
      ['month', '2026-12-31T23:59:59.999Z', '2027-01-01T00:00:00.000Z', '2027-02-01T00:00Z'],
    ] as const)('begins anew each %s, in UTC', async (per, before, after, until) => {
      let now = new Date(before);
      const [one] = budgets({ ...day, per }, () => now);
      const late = await one.reserve(1);
      await expect(one.reserve(0.1)).rejects.toThrow(`a ${per} is left`);
      now = new Date(after);
      expect(await one.state()).toEqual({ spent: 0, left: 1, until });
      await one.reserve(0.2);
      // It was set aside in the period before.
      await late.settle(0.5);
      expect(await one.state()).toMatchObject({ spent: 0.2 });
      now = new Date(before);
      expect(await one.state()).toMatchObject({ spent: 0.5 });
    });

    test('counts a call that did cost more than expected against the next ones', async () => {
      const [one, two] = budgets(day);
      await (await one.reserve(0.5)).settle(3);
      expect(await two.state()).toMatchObject({ spent: 3, left: 0 });
      await expect(two.reserve(0.01)).rejects.toThrow('$0.00 of $1.00');
      // What is free needs nothing; but if it did cost something, that counts.
      await (await two.reserve(0)).settle(0.25);
      expect(await one.state()).toMatchObject({ spent: 3.25 });
    });

    test('is settled once', async () => {
      const [one] = budgets(day);
      const reserved = await one.reserve(0.5);
      await Promise.all([reserved.settle(0.2), reserved.settle(0), reserved.settle(0.9)]);
      expect(await one.state()).toMatchObject({ spent: 0.2 });
    });

    test.each([Number.NaN, Number.POSITIVE_INFINITY, -1])(
      'keeps what was set aside if the cost is %d',
      async (cost) => {
        const [one] = budgets(day);
        const reserved = await one.reserve(0.5);
        await reserved.settle(cost);
        expect(await one.state()).toMatchObject({ spent: 0.5 });
        await reserved.settle(0.1);
        expect(await one.state()).toMatchObject({ spent: 0.1 });
      },
    );

    test.each([Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, -0.01])(
      'refuses to set %d aside',
      async (amount) => {
        const [one] = budgets(day);
        await expect(one.reserve(amount)).rejects.toThrow('is no amount');
        expect(await one.state()).toMatchObject({ spent: 0 });
      },
    );

    test.each([Number.NaN, -1, Number.POSITIVE_INFINITY, MOST_AMOUNT + 1])('refuses %d as a limit', (most) => {
      expect(() => budgets({ ...day, most })).toThrow('modules.paid.budget: ');
    });

    test('survives absurd costs', async () => {
      const [one] = budgets({ ...day, most: MOST_AMOUNT });
      const both = [await one.reserve(1), await one.reserve(MOST_AMOUNT - 1)];
      for (const reserved of both) await reserved.settle(1e300);
      expect(await one.state()).toMatchObject({ spent: 2 * MOST_AMOUNT, left: 0 });
      await expect(one.reserve(1e300)).rejects.toThrow('is left');
    });

    test('of nothing lets only what is free pass', async () => {
      const [one] = budgets({ ...day, most: 0 });
      await one.reserve(0);
      await expect(one.reserve(1e-9)).rejects.toThrow('$0.00 of $0.00');
    });

    test('belongs to one source', async () => {
      const [one] = budgets(day);
      await one.reserve(1);
      const other = createBudget(stores()[0].tables, `other-${source}`, day);
      expect(await other.state()).toMatchObject({ spent: 0 });
    });
  });
}
