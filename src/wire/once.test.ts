import { afterEach, expect, test, vi } from 'vitest';
import { createOnce } from './once.ts';

afterEach(() => void vi.useRealTimers());

test('a text is new once, for at least the time', () => {
  vi.useFakeTimers({ now: 0 });
  const isNew = createOnce(1000);
  vi.advanceTimersByTime(999);
  expect([isNew('a'), isNew('a'), isNew('b')]).toEqual([true, false, true]);
  vi.advanceTimersByTime(999);
  expect([isNew('a'), isNew('c'), isNew('c')]).toEqual([false, true, false]);
  vi.advanceTimersByTime(5000);
  expect(isNew('a')).toBe(true);
});

test('remembers at least the newest ones if there are too many, and no more than twice as many', () => {
  const isNew = createOnce(60_000, 10);
  const texts = Array.from({ length: 100 }, (_, index) => String(index));
  expect(texts.every(isNew)).toBe(true);
  expect(texts.slice(-10).some(isNew)).toBe(false);
  expect(texts.slice(0, 70).every(isNew)).toBe(true);
});
