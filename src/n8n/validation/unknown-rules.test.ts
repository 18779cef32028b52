import { describe, expect, it } from 'vitest';
import { unknownRules } from './unknown-rules.ts';

const findings = (rules: unknown) => unknownRules({ validation: { rules } });

describe('validator rules in the file', () => {
  it('can be rule ids and groups', async () => {
    expect(await findings({ lint: 'off', 'unknown-parameter': 'error' })).toEqual([]);
    expect(await unknownRules({})).toEqual([]);
    expect(await findings(['lint'])).toEqual([]);
  });

  it('must exist', async () => {
    expect(await findings({ 'unknown-paramter': 'off' })).toEqual([
      {
        path: ['validation', 'rules', 'unknown-paramter'],
        message: 'is not a rule of the validator',
        fix: 'Did you mean "unknown-parameter"?',
      },
    ]);
    expect((await findings({ zzzzzzzz: 'off', constructor: 'off' })).map(({ fix }) => fix)).toEqual([
      expect.stringContaining('a group: structure, parameters'),
      expect.stringContaining('a group: structure, parameters'),
    ]);
  });
});
