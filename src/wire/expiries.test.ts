import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createExpiries } from './expiries.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const entry = (afterMs: number, ended: number[]) => ({
  expires: Date.now() + afterMs,
  end: () => void ended.push(afterMs),
});

test('each entry ends in time, in any order of adding', () => {
  const expiries = createExpiries();
  const ended: number[] = [];
  for (const ms of [3000, 1000, 2000]) expiries.add(entry(ms, ended));
  vi.advanceTimersByTime(999);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual([1000]);
  vi.advanceTimersByTime(2000);
  expect(ended).toEqual([1000, 2000, 3000]);
  expect(expiries.size()).toBe(0);
});

test('a renewed or removed entry does not end', () => {
  const expiries = createExpiries();
  const ended: number[] = [];
  const renewed = entry(1000, ended);
  const removed = entry(1000, ended);
  expiries.add(renewed);
  expiries.add(removed);
  renewed.expires += 5000;
  expiries.remove(removed);
  vi.advanceTimersByTime(5999);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual([1000]);
});

test('a token valid for many months does not end early', () => {
  const expiries = createExpiries();
  const ended: number[] = [];
  const days = 40 * 24 * 3_600_000;
  expiries.add(entry(days, ended));
  vi.advanceTimersByTime(days - 1);
  expect(ended).toEqual([]);
  vi.advanceTimersByTime(1);
  expect(ended).toEqual([days]);
});

test('sets no timer if nothing expires', () => {
  createExpiries();
  expect(vi.getTimerCount()).toBe(0);
});
