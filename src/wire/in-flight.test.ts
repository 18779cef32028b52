import { expect, it } from 'vitest';
import { InFlight } from './in-flight.ts';

it('keeps, finds and forgets by number', () => {
  const calls = new InFlight<string>();
  calls.set(1, 'one');
  calls.set(2, 'two');
  expect([calls.get(1), calls.get(2), calls.get(3), calls.get('1'), calls.get(undefined)]).toEqual([
    'one',
    'two',
    undefined,
    undefined,
    undefined,
  ]);
  expect(calls.delete(1)).toBe('one');
  expect(calls.delete(1)).toBeUndefined();
  expect([calls.size, calls.values()]).toEqual([1, ['two']]);
});

it('keeps a call that outlives thousands of others, and their order', () => {
  const calls = new InFlight<number>();
  calls.set(5, 5);
  for (let id = 6; id < 5000; id++) {
    calls.set(id, id);
    expect(calls.delete(id)).toBe(id);
  }
  calls.set(5 + 1024 * 5, -1);
  calls.set(5 + 1024 * 5 + 1, -2);
  expect(calls.get(5)).toBe(5);
  expect(calls.values()).toEqual([5, -1, -2]);
  expect([calls.delete(5), calls.delete(5 + 1024 * 5), calls.delete(5 + 1024 * 5 + 1), calls.size]).toEqual([
    5, -1, -2, 0,
  ]);
  expect(calls.entries()).toEqual([]);
});

it('holds more entries than slots', () => {
  const calls = new InFlight<number>();
  for (let id = 1; id <= 3000; id++) calls.set(id, id);
  expect(calls.size).toBe(3000);
  expect(calls.values()).toEqual(Array.from({ length: 3000 }, (_, index) => index + 1));
  for (let id = 3000; id >= 1; id--) expect(calls.delete(id)).toBe(id);
  expect(calls.size).toBe(0);
});
