import { expect, test, vi } from 'vitest';
import { createRepeats } from './repeats.ts';

test('the same is said so often a minute, then again with how often it was passed over', () => {
  let time = 0;
  const repeats = createRepeats({ most: 2, now: () => time });
  expect([1, 2, 3, 4].map(() => repeats.pass('a'))).toEqual([0, 0, undefined, undefined]);
  expect(repeats.pass('b')).toBe(0);
  time = 60_000;
  expect([1, 2, 3].map(() => repeats.pass('a'))).toEqual([2, 0, undefined]);
});

test('ever new keys do not fill the memory', () => {
  const repeats = createRepeats({ most: 1, now: () => 0 });
  for (let index = 0; index < 5000; index++) expect(repeats.pass(`key ${index}`)).toBe(0);
  expect(repeats.pass('key 4999')).toBeUndefined();
  // Forgotten, and so said anew.
  expect(repeats.pass('key 0')).toBe(0);
});

test('a clock that is set back does not silence anything', () => {
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
