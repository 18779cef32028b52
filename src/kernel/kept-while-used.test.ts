import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { IDLE_MS, keptWhileUsed } from './kept-while-used.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test('is loaded on first use, and kept while it is used', () => {
  const load = vi.fn<() => object>(() => ({}));
  const kept = keptWhileUsed(load);
  expect(load).not.toHaveBeenCalled();
  const first = kept.get();
  for (let minutes = 0; minutes < 10; minutes++) {
    vi.advanceTimersByTime(IDLE_MS - 1);
    expect(kept.get()).toBe(first);
  }
  expect(load).toHaveBeenCalledTimes(1);
});

test('is forgotten after some time without use, and loaded again', () => {
  let loads = 0;
  const kept = keptWhileUsed(() => ({ loaded: ++loads }), 1000);
  const held = kept.get();
  vi.advanceTimersByTime(999);
  expect(kept.peek()).toBe(held);
  vi.advanceTimersByTime(1);
  expect(kept.peek()).toBeUndefined();
  // Who holds it goes on using it.
  expect(held).toEqual({ loaded: 1 });
  expect(kept.get()).toEqual({ loaded: 2 });
  vi.advanceTimersByTime(1000);
  expect(kept.peek()).toBeUndefined();
});

test('a look is no use', () => {
  const kept = keptWhileUsed(() => 'value', 1000);
  kept.get();
  vi.advanceTimersByTime(900);
  expect(kept.peek()).toBe('value');
  vi.advanceTimersByTime(100);
  expect(kept.peek()).toBeUndefined();
});

test('callers who load at once share one load', async () => {
  const load = vi.fn<() => Promise<string>>(async () => 'value');
  const kept = keptWhileUsed(load, 1000);
  expect(await Promise.all([kept.get(), kept.get()])).toEqual(['value', 'value']);
  expect(load).toHaveBeenCalledTimes(1);
});

test('a load that fails is not kept', async () => {
  let loads = 0;
  const kept = keptWhileUsed(async () => {
    if (++loads === 1) throw new Error('not yet');
    return loads;
  }, 1000);
  await expect(kept.get()).rejects.toThrow('not yet');
  expect(await kept.get()).toBe(2);
  const broken = keptWhileUsed((): string => {
    throw new Error('never');
  });
  expect(() => broken.get()).toThrow('never');
  expect(broken.peek()).toBeUndefined();
});

test('what is forgotten by hand leaves no timer', () => {
  const kept = keptWhileUsed(() => 'value', 1000);
  kept.get();
  kept.forget();
  expect(kept.peek()).toBeUndefined();
  expect(vi.getTimerCount()).toBe(0);
});
