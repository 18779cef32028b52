import { expect, test } from 'vitest';
import { plainJson } from './jsonc.ts';

test('removes comments and trailing commas, keeps strings and positions', () => {
  const text = `{
  // a line
  "url": "https://example.com/*x*/", /* a
  block */ "quote": "say \\"// hi\\"",
  "list": [1, 2,],
}`;
  const plain = plainJson(text);
  expect(JSON.parse(plain)).toEqual({ url: 'https://example.com/*x*/', quote: 'say "// hi"', list: [1, 2] });
  expect(plain).toHaveLength(text.length);
  expect(plain.indexOf('"list"')).toBe(text.indexOf('"list"'));
});

test('a byte order mark is ignored', () => {
  expect(JSON.parse(plainJson('\uFEFF{"a": 1}'))).toEqual({ a: 1 });
});
