import { expect, it } from 'vitest';
import { changesIn } from './json-changes.ts';

it('says what changed, where, and from what to what', () => {
  const before = { name: 'echo', schema: { type: 'object', required: ['a'] }, old: 1 };
  const after = { name: 'echo', schema: { type: 'object', required: ['a', 'b'], title: 'T' }, fresh: null };
  expect(changesIn(before, after)).toEqual([
    'schema.required[1] is new: "b"',
    'schema.title is new: "T"',
    'old is gone (was 1)',
    'fresh is new: null',
  ]);
  expect(changesIn([1], { 0: 1 })).toEqual(['The value changed from [1] to {"0":1}']);
  expect(changesIn({ a: 1 }, { a: 1 })).toEqual([]);
});

it('is not confused by the names of built-in properties', () => {
  expect(changesIn({}, JSON.parse('{"__proto__": 1, "constructor": 2}'))).toEqual([
    '__proto__ is new: 1',
    'constructor is new: 2',
  ]);
});
