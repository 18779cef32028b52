import { describe, expect, test, vi } from 'vitest';
import { MOST_KEPT, type Shared } from '../kernel/shared.ts';

type Opened = Shared & AsyncDisposable;

/** The contract for what replicas share, for every store. `open` returns a new, empty one each time. */
export function sharedContract(name: string, open: () => Promise<Opened>): void {
  describe(`${name}: limits`, () => {
    test('let a whole period through at once, and then say how long to wait', async () => {
      await using shared = await open();
      const rate = { count: 3, perMs: 3_600_000 };
      for (let n = 0; n < 3; n++) expect(await shared.count('a', rate)).toBeUndefined();
      const wait = await shared.count('a', rate);
      expect(wait).toBeGreaterThan(1100);
      expect(wait).toBeLessThanOrEqual(1200);
      expect(await shared.count('b', rate)).toBeUndefined();
    });

    test('count several at once, or none of them', async () => {
      await using shared = await open();
      const rate = { count: 5, perMs: 3_600_000 };
      expect(await shared.count('a', rate, 4)).toBeUndefined();
      expect(await shared.count('a', rate, 2)).toBeGreaterThan(0);
      expect(await shared.count('a', rate, 1)).toBeUndefined();
      expect(await shared.count('a', rate, 1)).toBeGreaterThan(0);
      expect(await shared.count('c', rate, 6)).toBeGreaterThan(0);
    });

    test('let exactly as many of many concurrent ones through', async () => {
      await using shared = await open();
      const rate = { count: 20, perMs: 3_600_000 };
      const answers = await Promise.all(Array.from({ length: 50 }, async () => shared.count('a', rate)));
      expect(answers.filter((wait) => wait === undefined)).toHaveLength(20);
    });

    test('let a whole period through in one go, also of a large limit', async () => {
      await using shared = await open();
      expect(await shared.count('a', { count: 1000, perMs: 60_000 }, 1000)).toBeUndefined();
      expect(await shared.count('a', { count: 1000, perMs: 60_000 }, 1000)).toBeGreaterThan(50);
    });
  });

  describe(`${name}: kept values`, () => {
    test('are there once', async () => {
      await using shared = await open();
      await shared.keep('k', 'value', 60_000, 'g');
      await shared.keep('k', 'newer "ü"', 60_000, 'g');
      const taken = await Promise.all(Array.from({ length: 5 }, async () => shared.take('k')));
      expect(taken.filter((value) => value !== undefined)).toEqual(['newer "ü"']);
      expect(await shared.take('k')).toBeUndefined();
    });

    test('are not found once they expired, nor under a strange key', async () => {
      await using shared = await open();
      await shared.keep('k', 'value', 0, 'g');
      expect(await shared.take('k')).toBeUndefined();
      expect(await shared.take('a\0b')).toBeUndefined();
      const long = 'x'.repeat(10_000);
      await shared.keep(long, 'value', 60_000, long);
      expect(await shared.take(long)).toBe('value');
    });

    test('of one group stay only the newest, and those of others stay too', async () => {
      await using shared = await open();
      await shared.keep('other', 'o', 60_000, 'others');
      await shared.keep('first', '1', 60_000, 'g');
      await shared.keep('second', '2', 60_000, 'g');
      const rest = Array.from({ length: MOST_KEPT - 2 }, async (_, n) => shared.keep(`k${n}`, `${n}`, 60_000, 'g'));
      await Promise.all(rest);
      await shared.keep('first', '1 again', 60_000, 'g');
      await shared.keep('last', 'l', 60_000, 'g');
      expect(await shared.take('second')).toBeUndefined();
      expect(await shared.take('first')).toBe('1 again');
      expect(await shared.take('last')).toBe('l');
      expect(await shared.take('other')).toBe('o');
    });
  });

  describe(`${name}: leading`, () => {
    test('runs until it is disposed, which waits for its end', async () => {
      await using shared = await open();
      const steps: string[] = [];
      const led = shared.lead('task', async (signal) => {
        steps.push('begins');
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        await new Promise((resolve) => setImmediate(resolve));
        steps.push('ended');
      });
      await expect.poll(() => steps).toEqual(['begins']);
      await led[Symbol.asyncDispose]();
      expect(steps).toEqual(['begins', 'ended']);
    });

    test('ends when its work ends, and disposing everything ends the rest', async () => {
      const shared = await open();
      const work = vi.fn<() => Promise<void>>(async () => {});
      const led = shared.lead('short', work);
      let begun = false;
      let aborted = false;
      shared.lead('long', async (signal) => {
        begun = true;
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        aborted = true;
      });
      await expect.poll(() => begun && work.mock.calls.length).toBe(1);
      await led[Symbol.asyncDispose]();
      await shared[Symbol.asyncDispose]();
      expect(aborted).toBe(true);
      expect(work).toHaveBeenCalledOnce();
    });
  });

  describe(`${name}: topics`, () => {
    test('are heard by those who listen, until they stop', async () => {
      await using shared = await open();
      const [keys, events] = [vi.fn<() => void>(), vi.fn<() => void>()];
      const listening = shared.hear('keys', keys);
      shared.hear('events', events);
      shared.tell('keys');
      await expect.poll(() => keys.mock.calls.length).toBeGreaterThan(0);
      expect(events).not.toHaveBeenCalled();
      shared.tell('events');
      await expect.poll(() => events.mock.calls.length).toBeGreaterThan(0);
      listening[Symbol.dispose]();
      keys.mockClear();
      const again = vi.fn<() => void>();
      shared.hear('keys', again);
      shared.tell('keys');
      await expect.poll(() => again.mock.calls.length).toBeGreaterThan(0);
      expect(keys).not.toHaveBeenCalled();
    });

    test('can always be reached while nothing is wrong', async () => {
      await using shared = await open();
      expect(shared.cutOffSince()).toBeUndefined();
    });
  });
}
