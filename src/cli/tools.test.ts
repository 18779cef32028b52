import { expect, test } from 'vitest';
import { matches } from './tools.ts';

test.each([
  ['github__create_issue', 'issue', true],
  ['github__create_issue', 'ISSUE', true],
  ['github__create_issue', 'github__*', true],
  ['github__create_issue', '*__create_issu?', true],
  ['github__create_issue', 'create*', false],
  ['github__create_issue', 'slack', false],
  ['a.b', 'a?b*', true],
])('%s by %s: %s', (name, pattern, expected) => expect(matches(name, pattern)).toBe(expected));
