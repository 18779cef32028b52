import { describe, expect, it } from 'vitest';
import { chosenCalls, wantedInputs } from './chosen.ts';
import type { RecentCall } from './recent.ts';

const call = (number: number, more: Partial<RecentCall> = {}): RecentCall => ({
  number,
  tool: 'a_b',
  at: 0,
  withheld: [],
  arguments: {},
  ...more,
});

const all = [call(4), call(5, { failed: 'timeout' }), call(6), call(7)];
const numbers = (calls: readonly RecentCall[]) => calls.map(({ number }) => number);

describe('chosen calls', () => {
  it('are the last ones that succeeded, or those with these numbers', () => {
    expect(numbers(chosenCalls(all, 3))).toEqual([4, 6, 7]);
    expect(numbers(chosenCalls(all, [7, 5, 5]))).toEqual([5, 7]);
  });

  it('have to exist', () => {
    expect(() => chosenCalls([], 1)).toThrow('no calls to save');
    expect(() => chosenCalls(all, 4)).toThrow('Only 3 of your calls succeeded');
    expect(() => chosenCalls(all, [3])).toThrow('no call 3');
  });
});

describe('wanted inputs', () => {
  it('are values, or the names of arguments', () => {
    const calls = [call(1, { arguments: { a: [{ team: 'acme' }] } }), call(2, { arguments: { team: 'other' } })];
    expect(wantedInputs({ x: 1 }, calls)).toEqual(new Map([['x', 1]]));
    expect(wantedInputs(['team'], calls)).toEqual(new Map([['team', 'acme']]));
    expect(wantedInputs(undefined, calls).size).toBe(0);
    expect(() => wantedInputs(['constructor'], calls)).toThrow('an argument "constructor"');
  });
});
