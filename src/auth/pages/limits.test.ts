import { expect, it } from 'vitest';
import { limitsInWords } from './limits.ts';

it('says what limits a key', () => {
  expect(limitsInWords({})).toEqual([]);
  expect(limitsInWords({ tools: ['a__*'], readOnly: true, confirm: 'writes', rate: '5/s' })).toEqual([
    'only a__*',
    'only tools that change nothing',
    'confirms everything that writes',
    'at most 5/s',
  ]);
  const tools = Array.from({ length: 9 }, (_, index) => `t${index}`);
  expect(limitsInWords({ tools })).toEqual(['only t0, t1, t2, t3, t4, t5 and 3 more']);
});
