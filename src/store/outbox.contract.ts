import { describe, expect, test, vi } from 'vitest';
import type { RecordedEvent } from '../kernel/events.ts';
import type { Store, TailPlace } from './store.ts';

const event = (backend: string): RecordedEvent => ({
  timestamp: '2026-11-15T00:00:00.000Z',
  trace_id: 't',
  event_type: 'gateway.backend_removed',
  status: 'success',
  data: { backend },
});

/** The contract for webhooks and watched files, for every store. `open` returns a new, empty store each time. */
export function outboxContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: outbox`, () => {
    test('a new webhook starts after the newest event, even if that was deleted', async () => {
      await using store = await open();
      await store.events.append([event('a'), event('b')]);
      expect(await store.outbox.open('w')).toEqual({
        webhook: 'w',
        deliveredTo: 2,
        delivered: 0,
        skipped: 0,
        dead: 0,
        gaps: [],
      });
      await store.events.prune(new Date('2027-01-01'));
      expect((await store.outbox.open('v')).deliveredTo).toBe(2);
      await store.events.append([event('c')]);
      expect(await store.outbox.after(2, 10)).toMatchObject([{ id: 3, data: '{"backend":"c"}', trace_id: 't' }]);
      expect(await store.outbox.oldest(2)).toEqual(new Date('2026-11-15T00:00:00.000Z'));
      expect(await store.outbox.oldest(3)).toBeUndefined();
    });

    test('a position only moves forward, and a failure is kept until it does', async () => {
      await using store = await open();
      await store.outbox.open('w');
      await store.outbox.failed('w', 'down');
      const [failing] = await store.outbox.list();
      await store.outbox.failed('w', 'still down');
      expect(await store.outbox.list()).toMatchObject([
        { problem: { reason: 'still down', since: failing?.problem?.since } },
      ]);
      await store.outbox.delivered('w', 5, 4);
      await store.outbox.delivered('w', 3, 1);
      const { problem, ...place } = await store.outbox.open('w');
      expect(problem).toBeUndefined();
      expect(place).toMatchObject({ deliveredTo: 5, delivered: 5 });
    });

    test('dead events are kept, retried and discarded, by id or all together', async () => {
      await using store = await open();
      await store.outbox.open('w');
      await store.outbox.open('v');
      await store.events.append([event('a'), event('b'), event('c')]);
      const [a, b, c] = await store.outbox.after(0, 10);
      if (!a || !b || !c) throw new Error('Three were stored');
      await store.outbox.setAside('w', a, 'HTTP 400', 3);
      await store.outbox.setAside('w', b, 'HTTP 422', 3);
      await store.outbox.setAside('v', c, 'HTTP 400', 1);
      expect(await store.outbox.open('w')).toMatchObject({ deliveredTo: 2, dead: 2 });
      await store.events.prune(new Date('2027-01-01'));
      expect(await store.outbox.dead({ webhook: 'w' })).toMatchObject([
        { webhook: 'w', reason: 'HTTP 400', tries: 3, again: false, event: a },
        { webhook: 'w', reason: 'HTTP 422', tries: 3, again: false, event: b },
      ]);
      expect(await store.outbox.retry({ id: 1 })).toBe(1);
      expect(await store.outbox.retry({ id: 9 })).toBe(0);
      expect((await store.outbox.dead({ again: true })).map(({ event: { id } }) => id)).toEqual([1]);
      await store.outbox.refusedAgain('w', 1, 'HTTP 409');
      expect(await store.outbox.dead({ webhook: 'w', limit: 1 })).toMatchObject([
        { reason: 'HTTP 409', tries: 4, again: false },
      ]);
      expect(await store.outbox.retry()).toBe(3);
      expect(await store.outbox.discard({ webhook: 'w', id: 1 })).toBe(1);
      expect(await store.outbox.discard()).toBe(2);
      expect(await store.outbox.dead()).toEqual([]);
    });

    test('the oldest dead events of a webhook are dropped, beyond a number or before a time', async () => {
      await using store = await open();
      for (const name of ['w', 'v']) await store.outbox.open(name);
      await store.events.append(['a', 'b', 'c', 'd'].map((name) => event(name)));
      for (const row of await store.outbox.after(0, 10))
        for (const name of ['w', 'v']) await store.outbox.setAside(name, row, 'HTTP 400', 1);
      const ids = async (webhook: string) => (await store.outbox.dead({ webhook })).map(({ event: { id } }) => id);
      expect(await store.outbox.trimDead('w', 10, new Date(0))).toBe(0);
      expect(await store.outbox.trimDead('w', 3, new Date(0))).toBe(1);
      expect([await ids('w'), await ids('v')]).toEqual([
        [2, 3, 4],
        [1, 2, 3, 4],
      ]);
      expect(await store.outbox.trimDead('w', 3, new Date(Date.now() + 60_000))).toBe(3);
      expect([await ids('w'), await ids('v')]).toEqual([[], [1, 2, 3, 4]]);
    });

    test('a gap is opened once, closed at the newest event, and skipped', async () => {
      await using store = await open();
      await store.outbox.open('w');
      await store.events.append([event('a'), event('b'), event('c')]);
      await store.outbox.stopAfter('w', 1);
      await store.outbox.stopAfter('w', 1);
      expect((await store.outbox.open('w')).gaps).toEqual([{ from: 1 }]);
      await store.outbox.goOn('w');
      expect((await store.outbox.open('w')).gaps).toEqual([{ from: 1, to: 3 }]);
      await store.outbox.skip('w', { from: 1, to: 3 });
      expect(await store.outbox.open('w')).toMatchObject({ gaps: [], deliveredTo: 3, skipped: 2 });
    });

    test('the webhook farthest behind keeps events from being deleted', async () => {
      await using store = await open();
      expect(await store.outbox.keepFrom()).toBeUndefined();
      await store.outbox.open('w');
      await store.outbox.open('v');
      await store.outbox.delivered('w', 7, 1);
      expect(await store.outbox.keepFrom()).toBe(1);
      await store.outbox.delivered('v', 4, 1);
      expect(await store.outbox.keepFrom()).toBe(5);
    });

    test('a webhook unused for a week no longer does, unless it is configured: a machine may have slept', async () => {
      await using store = await open();
      await store.outbox.open('w');
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 8 * 86_400_000 });
      try {
        expect(await store.outbox.keepFrom()).toBeUndefined();
        expect(await store.outbox.keepFrom(['other'])).toBeUndefined();
        expect(await store.outbox.keepFrom(['other', 'w'])).toBe(1);
      } finally {
        vi.useRealTimers();
      }
    });

    test('a gap whose events were deleted ends where it starts', async () => {
      await using store = await open();
      await store.outbox.open('w');
      await store.events.append([event('a'), event('b'), event('c')]);
      await store.outbox.stopAfter('w', 2);
      await store.events.prune(new Date('2027-01-01'));
      await store.outbox.goOn('w');
      expect((await store.outbox.open('w')).gaps).toEqual([{ from: 2, to: 2 }]);
    });
  });

  describe(`${name}: tails`, () => {
    const at = (offset: number, file = 'f'): TailPlace => {
      return { file, offset, head: '0:', skipping: false, bad: 1, tooLong: 2 };
    };

    test('events and the new position are stored together, and only from the known position', async () => {
      await using store = await open();
      expect(await store.tails.get('/p')).toBeUndefined();
      expect(await store.tails.commit('/p', undefined, at(0), [])).toBe(true);
      expect(await store.tails.commit('/p', undefined, at(5), [event('x')])).toBe(false);
      expect(await store.tails.commit('/p', at(0), at(10), [event('a'), event('b')])).toBe(true);
      expect(await store.tails.commit('/p', at(0), at(20), [event('x')])).toBe(false);
      expect(await store.tails.commit('/p', at(10, 'g'), at(20), [event('x')])).toBe(false);
      expect(await store.tails.get('/p')).toEqual(at(10));
      const { events } = await store.events.query({ order: 'asc' });
      expect(events.map(({ data }) => data.backend)).toEqual(['a', 'b']);
    });

    test('a failed write leaves the position unchanged', async () => {
      await using store = await open();
      await store.tails.commit('/p', undefined, at(0), []);
      const bad = { ...event('x'), trace_id: undefined as unknown as string };
      await expect(store.tails.commit('/p', at(0), at(9), [event('a'), bad])).rejects.toMatchObject({
        name: 'AppError',
      });
      expect(await store.tails.get('/p')).toEqual(at(0));
      expect(await store.events.count()).toBe(0);
    });
  });
}

/** The contract for several processes with one store. `place` returns a function that opens the same new, empty place each time. */
export function outboxHoldersContract(name: string, place: () => Promise<() => Promise<Store>>): void {
  describe(`${name}: holders`, () => {
    const [a, b] = [
      { id: 'a', pid: 1 },
      { id: 'b', pid: 2 },
    ] as const;
    const alive = () => true;

    test('one at a time: another waits until it releases, or its lease expires', async () => {
      const open = await place();
      await using one = await open();
      await using two = await open();
      await one.outbox.open('w');
      expect(await one.outbox.hold('w', a, 60_000, alive)).toBe(true);
      expect(await one.outbox.hold('w', a, 60_000, alive)).toBe(true);
      expect(await two.outbox.hold('w', b, 60_000, alive)).toBe(false);
      await two.outbox.release('w', b);
      expect(await two.outbox.hold('w', b, 60_000, alive)).toBe(false);
      await one.outbox.release('w', a);
      expect(await two.outbox.hold('w', b, -1, alive)).toBe(true);
      expect(await one.outbox.hold('w', a, -1, alive)).toBe(true);
      expect(await two.outbox.hold('w', b, 60_000, alive)).toBe(true);
      expect(await one.outbox.hold('w', a, 60_000, alive)).toBe(false);
    });

    test('another life of the same process takes over at once', async () => {
      const open = await place();
      await using store = await open();
      await store.outbox.open('w');
      expect(await store.outbox.hold('w', a, 60_000, alive)).toBe(true);
      expect(await store.outbox.hold('w', { id: 'c', pid: 1 }, 60_000, alive)).toBe(true);
      expect(await store.outbox.hold('w', { id: 'c', pid: 1 }, 60_000, alive)).toBe(true);
    });

    test('of two that ask at once one gets it', async () => {
      const open = await place();
      await using one = await open();
      await using two = await open();
      await one.outbox.open('w');
      const held = await Promise.all([one.outbox.hold('w', a, 60_000, alive), two.outbox.hold('w', b, 60_000, alive)]);
      expect(held.filter(Boolean)).toHaveLength(1);
    });
  });
}
