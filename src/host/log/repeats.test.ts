import { expect, test, vi } from 'vitest';
import { createRepeats } from './repeats.ts';

test('limits repeats per minute, then reports how many were skipped', () => {
  let time = 0;
  const repeats = createRepeats({ most: 2, now: () => time });
  expect([1, 2, 3, 4].map(() => repeats.pass('a'))).toEqual([0, 0, undefined, undefined]);
  expect(repeats.pass('b')).toBe(0);
  time = 60_000;
  expect([1, 2, 3].map(() => repeats.pass('a'))).toEqual([2, 0, undefined]);
});

test('new keys without end do not fill the memory', () => {
  const repeats = createRepeats({ most: 1, now: () => 0 });
  for (let index = 0; index < 5000; index++) expect(repeats.pass(`key ${index}`)).toBe(0);
  expect(repeats.pass('key 4999')).toBeUndefined();
  // The key was forgotten, so it passes again.
  expect(repeats.pass('key 0')).toBe(0);
});

test('a clock set back does not silence anything', () => {
  vi.useFakeTimers({ toFake: ['Date', 'performance'] });
  try {
    const repeats = createRepeats({ most: 1 });
    expect(repeats.pass('a')).toBe(0);
    expect(repeats.pass('a')).toBeUndefined();
    vi.setSystemTime(Date.now() - 3_600_000);
    vi.advanceTimersByTime(61_000);
    expect(repeats.pass('a')).toBe(1);
  } finally {
    vi.useRealTimers();
  }
});
