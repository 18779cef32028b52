import { describe, expect, it } from 'vitest';
import { ruleSwitches } from './rule-switches.ts';

describe('--rule', () => {
  it('takes rules and groups, one or several', async () => {
    expect(await ruleSwitches(undefined)).toEqual({});
    expect(await ruleSwitches('lint=off, unknown-parameter=error')).toEqual({
      lint: 'off',
      'unknown-parameter': 'error',
    });
  });

  it.each([
    ['unknown-paramter=off', /Did you mean unknown-parameter/],
    ['zzzzzz=off', /A group is one of structure/],
    ['lint', /ID=off, error, warning or info, not lint/],
    ['lint=fatal', /not lint=fatal/],
    ['__proto__=off', /there is no rule __proto__/],
  ])('says what is wrong with %s', async (given, words) => {
    await expect(ruleSwitches(given)).rejects.toThrow(words);
  });
});
