import { runInNewContext } from 'node:vm';
import { afterEach, expect, test, vi } from 'vitest';
import { collectGarbage, createGiveBack } from './give-back.ts';

afterEach(() => void vi.useRealTimers());

function started() {
  vi.useFakeTimers();
  const load = { share: 0 };
  const collect = vi.fn<() => void>();
  const giveBack = createGiveBack({ quietMs: 1000, measure: () => () => load.share, collect });
  return { load, collect, giveBack };
}

test('collects once, however often it was asked, and again when asked again', () => {
  const { collect, giveBack } = started();
  for (let times = 0; times < 3; times++) giveBack();
  vi.advanceTimersByTime(60_000);
  expect(collect).toHaveBeenCalledTimes(1);
  giveBack();
  vi.advanceTimersByTime(60_000);
  expect(collect).toHaveBeenCalledTimes(2);
});

test('waits until the process is quiet', () => {
  const { load, collect, giveBack } = started();
  load.share = 0.5;
  giveBack();
  vi.advanceTimersByTime(60_000);
  expect(collect).not.toHaveBeenCalled();
  load.share = 0.01;
  vi.advanceTimersByTime(1000);
  expect(collect).toHaveBeenCalledTimes(1);
  expect(vi.getTimerCount()).toBe(0);
});

test('garbage is collected, and code in a sandbox gets no gc', async () => {
  const dropped = new WeakRef({ large: Array.from({ length: 1000 }) });
  // An object lives at least until the end of the turn in which its reference was made.
  await new Promise((resolve) => void setTimeout(resolve));
  await collectGarbage();
  expect(dropped.deref()).toBeUndefined();
  expect(runInNewContext('typeof gc')).toBe('undefined');
});
