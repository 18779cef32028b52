import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createLeases, LEASE_MS, type LeaseRows } from './leases.ts';

/** One table for all replicas, on the same clock. */
function createTable() {
  const leases = new Map<string, { replica: string; until: number }>();
  const isAway = new Set<string>();
  const of = (replica: string): LeaseRows => ({
    async hold(tasks) {
      if (isAway.has(replica)) throw new Error('away');
      const held = tasks.filter((task) => {
        const lease = leases.get(task);
        return !lease || lease.replica === replica || lease.until < performance.now();
      });
      for (const task of held) leases.set(task, { replica, until: performance.now() + LEASE_MS });
      return new Set(held);
    },
    async release(task) {
      if (isAway.has(replica)) throw new Error('away');
      if (leases.get(task)?.replica === replica) leases.delete(task);
    },
  });
  return { leases, isAway, of };
}

describe('leases', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  const warnings: string[] = [];
  const warn = (message: string) => warnings.push(message);
  const untilAborted = (signal: AbortSignal) =>
    new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }));

  /** Notes who runs; fails if two do. */
  function watched() {
    const running = new Set<string>();
    const most = { atOnce: 0 };
    const work = (name: string) => async (signal: AbortSignal) => {
      running.add(name);
      most.atOnce = Math.max(most.atOnce, running.size);
      await untilAborted(signal);
      running.delete(name);
    };
    return { running, most, work };
  }

  test('one leads; when it is cut off it stops before another begins', async () => {
    const table = createTable();
    const { running, most, work } = watched();
    const a = createLeases(table.of('a'), warn);
    const b = createLeases(table.of('b'), warn);
    a.lead('task', work('a'));
    await vi.advanceTimersByTimeAsync(10);
    b.lead('task', work('b'));
    await vi.advanceTimersByTimeAsync(30_000);
    expect([...running]).toEqual(['a']);
    expect(a.held()).toEqual(['task']);
    table.isAway.add('a');
    await vi.advanceTimersByTimeAsync(20_000);
    expect([...running]).toEqual(['b']);
    expect(most.atOnce).toBe(1);
    table.isAway.delete('a');
    await vi.advanceTimersByTimeAsync(30_000);
    expect([...running]).toEqual(['b']);
    await b.close();
    await vi.advanceTimersByTimeAsync(3000);
    expect([...running]).toEqual(['a']);
    await a.close();
    expect(running.size + table.leases.size).toBe(0);
    expect(most.atOnce).toBe(1);
  });

  test('a lease that somebody else has is given up at once', async () => {
    const table = createTable();
    const { running, work } = watched();
    const a = createLeases(table.of('a'), warn);
    a.lead('task', work('a'));
    await vi.advanceTimersByTimeAsync(10);
    table.leases.set('task', { replica: 'b', until: performance.now() + 60_000 });
    await vi.advanceTimersByTimeAsync(3100);
    expect(running.size).toBe(0);
    expect(table.leases.get('task')?.replica).toBe('b');
    await a.close();
  });

  test('work that fails runs again after a pause, and others may try meanwhile', async () => {
    const table = createTable();
    const work = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error('oops')).mockResolvedValue(undefined);
    const a = createLeases(table.of('a'), warn);
    a.lead('task', work);
    await vi.advanceTimersByTimeAsync(10);
    expect(work).toHaveBeenCalledOnce();
    expect(warnings.at(-1)).toBe('task failed and is tried again: oops');
    expect(table.leases.size).toBe(0);
    await vi.advanceTimersByTimeAsync(5100);
    expect(work).toHaveBeenCalledTimes(2);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(work).toHaveBeenCalledTimes(2);
    await a.close();
  });

  test('two of one name in one process run one after the other', async () => {
    const table = createTable();
    const { running, most, work } = watched();
    const a = createLeases(table.of('a'), warn);
    const first = a.lead('task', work('first'));
    a.lead('task', work('second'));
    await vi.advanceTimersByTimeAsync(5000);
    expect([...running]).toEqual(['first']);
    await first[Symbol.asyncDispose]();
    await vi.advanceTimersByTimeAsync(10);
    expect([...running]).toEqual(['second']);
    expect(most.atOnce).toBe(1);
    await a.close();
  });

  test('one that is disposed before its answer comes leaves no lease behind', async () => {
    const table = createTable();
    const rows = table.of('a');
    const work = vi.fn<() => Promise<void>>(async () => {});
    const slow: LeaseRows = {
      ...rows,
      async hold(tasks) {
        const held = await rows.hold(tasks);
        await new Promise((resolve) => setTimeout(resolve, 100));
        return held;
      },
    };
    const a = createLeases(slow, warn);
    const led = a.lead('task', work);
    await vi.advanceTimersByTimeAsync(10);
    const ended = led[Symbol.asyncDispose]();
    await vi.advanceTimersByTimeAsync(200);
    await ended;
    expect(table.leases.size).toBe(0);
    expect(work).not.toHaveBeenCalled();
    await a.close();
  });

  test('an answer that comes too late gives no right', async () => {
    const table = createTable();
    const rows = table.of('a');
    const work = vi.fn<() => Promise<void>>(async () => {});
    let delay = 11_000;
    const a = createLeases(
      {
        ...rows,
        async hold(tasks) {
          const held = await rows.hold(tasks);
          await new Promise((resolve) => setTimeout(resolve, delay));
          return held;
        },
      },
      warn,
    );
    a.lead('task', work);
    await vi.advanceTimersByTimeAsync(11_500);
    expect(work).not.toHaveBeenCalled();
    delay = 0;
    await vi.advanceTimersByTimeAsync(3000);
    expect(work).toHaveBeenCalledOnce();
    await a.close();
  });
});
