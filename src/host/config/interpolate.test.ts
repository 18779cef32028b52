import { expect, test } from 'vitest';
import { interpolate, referencesIn } from './interpolate.ts';
import type { NameRead } from './scheme.ts';

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

const vault: Record<string, NameRead> = {
  'secret/app#password': { value: 'p4ss' },
  'secret/app#empty': { value: '' },
  'secret/app#user name': { value: 'ana' },
  'secret/app#odd': { value: '${TOKEN} ${vault:secret/app#password} $&' },
  'secret/app#gone': { absent: true, message: 'there is no gone', fix: 'Add it.' },
  'secret/away#x': { absent: false, message: 'Vault is away', fix: 'Start it.' },
};
const refer = (tree: unknown) =>
  interpolate(tree, (name) => env[name], { schemes: ['vault'], find: ({ name }) => vault[name] as NameRead });

test.each([
  ['${vault:secret/app#password}', 'p4ss'],
  ['redis://:${vault:secret/app#password}@host/${TOKEN}', 'redis://:p4ss@host/abc'],
  ['${vault:secret/app#user name}', 'ana'],
  ['${vault:secret/app#password:-x}', 'p4ss'],
  ['${vault:secret/app#gone:-x y}', 'x y'],
  ['${vault:secret/app#gone:-}', ''],
  ['${vault:secret/app#empty:-x}', 'x'],
  ['$${vault:secret/app#password}', '${vault:secret/app#password}'],
  ['${vault:-x}', 'x'],
  ['${vault:a b}', '${vault:a b}'],
  ['${other:secret/app#password}', '${other:secret/app#password}'],
  ['${vault:secret/app#odd}', '${TOKEN} ${vault:secret/app#password} $&'],
])('with references, %s -> %s', (text, expected) => {
  const { value, missing } = refer([text]);
  expect(value).toEqual([expected]);
  expect(missing).toEqual([]);
});

test('a text with an unknown scheme stays as it is', () => {
  expect(run(['${vault:secret/app#password}']).value).toEqual(['${vault:secret/app#password}']);
});

test('reports the values that references inserted', () => {
  expect(refer(['${vault:secret/app#password}', '${vault:secret/app#gone:-plain}']).used).toEqual(['p4ss']);
});

test('a default is not used for a secret that cannot be read now', () => {
  const { missing } = refer({
    a: ['${vault:secret/away#x:-d}', '${vault:secret/app#gone}', '${vault:secret/app#empty}'],
  });
  expect(missing).toMatchObject([
    { path: ['a', 0], message: 'missing secret: Vault is away', fix: 'Start it.' },
    { path: ['a', 1], message: 'missing secret: there is no gone', fix: 'Add it.' },
    {
      path: ['a', 2],
      message: 'missing secret: ${vault:secret/app#empty} is empty',
      fix: expect.stringContaining('${vault:secret/app#empty:-}'),
    },
  ]);
});

test('finds references with the paths of their texts', () => {
  const tree = { a: ['${vault:x#k} ${vault:y}', '$${vault:z#k}'], b: '${vault:x#k:-d}' };
  expect(referencesIn(tree, ['vault'])).toEqual([
    { reference: { scheme: 'vault', name: 'x#k' }, path: ['a', 0] },
    { reference: { scheme: 'vault', name: 'y' }, path: ['a', 0] },
    { reference: { scheme: 'vault', name: 'x#k' }, path: ['b'] },
  ]);
});
