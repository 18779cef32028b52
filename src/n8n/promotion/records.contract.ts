import { describe, expect, it } from 'vitest';
import type { Tables } from '../../store/store.ts';
import { type PromotionRecords, promotionRecords } from './records.ts';

const about = { created: 1, updated: 0, published: 0, workflows: ['Orders'] };

/** What every store does with the records of promotions. */
export function promotionContract(store: string, tables: () => Tables): void {
  const begun = async (records: PromotionRecords, to: string) => records.begin('a', to, about, await records.last(to));

  describe(`records of promotions in ${store}`, () => {
    it('keep plans for a day, and not more than 200', async () => {
      let now = 1_000_000_000;
      const records = promotionRecords(tables(), () => now++);
      const plan = { asked: { from: 'a', to: 'b' }, facts: [{ key: 'k', what: 'w', stamp: 's' }] };
      const first = await records.keepPlan(plan);
      expect(await records.plan(first)).toEqual(plan);
      for (let count = 0; count < 200; count++) await records.keepPlan(plan);
      expect(await records.plan(first)).toBeUndefined();
      const last = await records.keepPlan(plan);
      now += 25 * 3_600_000;
      await records.keepPlan(plan);
      expect(await records.plan(last)).toBeUndefined();
    });

    it('let one promotion at a time work on a target', async () => {
      const records = promotionRecords(tables());
      const id = await begun(records, 'one');
      await expect(begun(records, 'one')).rejects.toThrow(/is at work on one/);
      const other = await begun(records, 'two');
      expect(await records.list({ to: 'one' }, 5)).toMatchObject([{ id, state: 'running', busy: true, about }]);
      await records.end(id, 'done', { ...about, created: 7 });
      expect(await records.list({ id }, 5)).toMatchObject([{ state: 'done', busy: false, about: { created: 7 } }]);
      await records.end(await begun(records, 'one'), 'done');
      await records.end(other, 'done');
    });

    it('refuse to begin if another promotion ended or was undone since somebody looked', async () => {
      const records = promotionRecords(tables());
      const seen = await records.last('late');
      const id = await begun(records, 'late');
      await records.end(id, 'done');
      await expect(records.begin('a', 'late', about, seen)).rejects.toThrow(/meanwhile, so nothing was promoted/);
      const done = await records.last('late');
      await records.end(id, 'undone');
      await expect(records.begin('a', 'late', about, done)).rejects.toThrow(/Make a new plan/);
      expect(await records.list({ to: 'late' }, 5)).toHaveLength(1);
      await records.end(await begun(records, 'late'), 'done');
    });

    it('take a promotion of a dead process for half done, and let it be taken up again', async () => {
      const before = promotionRecords(tables());
      const id = await begun(before, 'crash');
      await before.putStep(id, { number: 1, state: 'doing', step: { kind: 'tag', name: 't' } });
      await before.putStep(id, { number: 1, state: 'done', step: { kind: 'tag', name: 't', id: '1' } });
      // The same process id with another start is another process.
      const after = promotionRecords(tables());
      const [found] = await after.list({ to: 'crash' }, 1);
      expect(found).toMatchObject({ id, state: 'half done', busy: false });
      expect(await after.steps(id)).toEqual([{ number: 1, state: 'done', step: { kind: 'tag', name: 't', id: '1' } }]);
      await after.resume(found as NonNullable<typeof found>);
      await expect(begun(after, 'crash')).rejects.toThrow(/at work/);
      await after.end(id, 'undone');
      await after.end(await begun(after, 'crash'), 'done');
    });

    it('keep what stands for what, for each pair of instances', async () => {
      const records = promotionRecords(tables());
      const link = { kind: 'credential' as const, id: 'c', name: 'Bot', type: 'smtp', to: { id: 'd', name: 'Bot' } };
      await records.putLinks('a', 'b', [link]);
      await records.putLinks('a', 'b', [{ ...link, to: { id: 'e', name: 'Bot' } }]);
      expect(await records.links('a', 'b')).toEqual([{ ...link, to: { id: 'e', name: 'Bot' } }]);
      expect(await records.links('b', 'a')).toEqual([]);
      await records.deleteLink('a', 'b', 'credential', 'c');
      expect(await records.links('a', 'b')).toEqual([]);
    });
  });
}
