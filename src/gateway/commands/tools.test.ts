import { expect, test } from 'vitest';
import { matches, rowOf } from './tools.ts';

test.each([
  ['github__create_issue', 'issue', true],
  ['github__create_issue', 'ISSUE', true],
  ['github__create_issue', 'github__*', true],
  ['github__create_issue', '*__create_issu?', true],
  ['github__create_issue', 'create*', false],
  ['github__create_issue', 'slack', false],
  ['a.b', 'a?b*', true],
])('%s by %s: %s', (name, pattern, expected) => expect(matches(name, pattern)).toBe(expected));

test('a tool cannot be named so that it makes lines or colours of its own', () => {
  expect(rowOf({ name: 'a\x1b[31m\r\nforged', description: 'one\ntwo' })).toEqual(['a', 'one']);
});
