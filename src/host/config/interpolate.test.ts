import { expect, test } from 'vitest';
import { interpolate } from './interpolate.ts';

const env: Record<string, string> = { TOKEN: 'abc', EMPTY: '' };
const run = (tree: unknown) => interpolate(tree, (name) => env[name]);

test.each([
  ['${TOKEN}', 'abc'],
  ['Bearer ${TOKEN}', 'Bearer abc'],
  ['${TOKEN}${TOKEN}', 'abcabc'],
  ['${env:TOKEN}', 'abc'],
  ['${TOKEN:-x}', 'abc'],
  ['${OTHER:-x y}', 'x y'],
  ['${OTHER:-}', ''],
  ['${EMPTY:-x}', 'x'],
  ['$${TOKEN}', '${TOKEN}'],
  ['$TOKEN', '$TOKEN'],
  ['${a + b}', '${a + b}'],
  ['${my-name}', '${my-name}'],
])('%s -> %s', (text, expected) => {
  const { value, missing } = run({ list: [text] });
  expect(value).toEqual({ list: [expected] });
  expect(missing).toEqual([]);
});

test('only values are replaced, and only texts', () => {
  expect(run({ '${TOKEN}': 1, on: true, none: null }).value).toEqual({ '${TOKEN}': 1, on: true, none: null });
});

test('reports inserted values, but not defaults', () => {
  expect(run(['${TOKEN}', '${OTHER:-plain}']).used).toEqual(['abc']);
});

test('reports every missing value with its path', () => {
  const { missing } = run({ a: { b: ['${NOPE}', '${EMPTY}', '${input:api-key}'] } });
  expect(missing).toEqual([
    { path: ['a', 'b', 0], message: 'missing secret: NOPE is not set', fix: expect.stringContaining('Set NOPE') },
    { path: ['a', 'b', 1], message: 'missing secret: EMPTY is empty', fix: expect.stringContaining('${EMPTY:-}') },
    { path: ['a', 'b', 2], message: expect.stringContaining('VS Code'), fix: expect.stringContaining('${API_KEY}') },
  ]);
});

test('a default that looks like a reference is not read twice', () => {
  const secret = { LEAK: '${TOKEN}' };
  const { value } = interpolate('${LEAK}', (name) => ({ ...env, ...secret })[name]);
  expect(value).toBe('${TOKEN}');
});
