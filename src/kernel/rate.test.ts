import { describe, expect, it, vi } from 'vitest';
import { createLimiter, readRate } from './rate.ts';

describe('a rate', () => {
  it.each([
    ['100/min', { count: 100, perMs: 60_000 }],
    ['5/s', { count: 5, perMs: 1000 }],
    ['1000/h', { count: 1000, perMs: 3_600_000 }],
  ])('%s', (text, rate) => expect(readRate(text)).toEqual(rate));

  it.each(['', '100', '0/min', '-1/s', '1/day', '1.5/s', '1 / s'])('%j is not a rate', (text) =>
    expect(readRate(text)).toBeUndefined(),
  );
});

describe('a limiter', () => {
  it('lets a whole period through at once, then says when there is room', () => {
    let time = 1_000_000;
    const { exceeded } = createLimiter(() => time);
    const rate = { count: 3, perMs: 60_000 };
    for (let n = 0; n < 3; n++) expect(exceeded('a', rate)).toBeUndefined();
    expect(exceeded('a', rate)).toBe(20);
    expect(exceeded('b', rate)).toBeUndefined();
    time += 20_000;
    expect(exceeded('a', rate)).toBeUndefined();
    expect(exceeded('a', rate)).toBe(20);
    time += 60_000;
    for (let n = 0; n < 3; n++) expect(exceeded('a', rate)).toBeUndefined();
    expect(exceeded('a', rate)).toBe(20);
  });
});

it('a clock set back does not make callers wait', () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  try {
    const { exceeded } = createLimiter();
    const rate = { count: 2, perMs: 60_000 };
    expect(exceeded('a', rate)).toBeUndefined();
    vi.setSystemTime(Date.now() - 3_600_000);
    expect(exceeded('a', rate)).toBeUndefined();
  } finally {
    vi.useRealTimers();
  }
});

it('costs the same for any number of names, and forgets expired ones', () => {
  let time = 1_000_000;
  const { exceeded } = createLimiter(() => time);
  const rate = { count: 1, perMs: 60_000 };
  const cpu = process.cpuUsage();
  for (let n = 0; n < 60_000; n++) exceeded(`name ${n}`, rate);
  // Scanning all names each time would take minutes.
  expect(process.cpuUsage(cpu).user / 1e6).toBeLessThan(5);
  expect(exceeded('name 0', rate)).toBe(60);
  time += 60_000;
  expect(exceeded('another', rate)).toBeUndefined();
  expect(exceeded('name 0', rate)).toBeUndefined();
});
