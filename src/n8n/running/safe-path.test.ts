import { describe, expect, test } from 'vitest';
import { safePath } from './safe-path.ts';

describe('a path', () => {
  test.each([
    ['/orders/42', 'orders/42'],
    ['a b/ü', 'a%20b/%C3%BC'],
    ['a%20b', 'a%20b'],
    ['100%', '100%25'],
    ['a?b#c', 'a%3Fb%23c'],
  ])('%s becomes %s', (path, expected) => {
    expect(safePath(path)).toBe(expected);
  });

  test.each(['../x', 'a/../../rest', 'a/%2e%2e/b', './x', 'a/.%2E'])('%s is refused', (path) => {
    expect(() => safePath(path)).toThrow('no "." or ".."');
  });
});
