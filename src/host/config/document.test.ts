import { describe, expect, test } from 'vitest';
import { readDocument } from './document.ts';

describe('references need no quotes', () => {
  test.each([
    [
      'n8n: { default: { url: http://127.0.0.1:5678, apiKey: ${KEY} } }',
      { n8n: { default: { url: 'http://127.0.0.1:5678', apiKey: '${KEY}' } } },
    ],
    ['a: [${A}, "${B}", \'${C}\']', { a: ['${A}', '${B}', '${C}'] }],
    ['a: { b: ${A:-x, y: [z] #1} }', { a: { b: '${A:-x, y: [z] #1}' } }],
    ['a: |\n  ${A:-b: c}\n', { a: '${A:-b: c}\n' }],
    ['"${A}": 1', { '${A}': 1 }],
    ['a: { b: $${A} }', { a: { b: '$${A}' } }],
    ['a: "${env:A}"', { a: '${env:A}' }],
  ])('%s', async (text, value) => {
    expect(await readDocument(text, 'yaml')).toMatchObject({ problems: [], value });
  });
});

test('finds the line of a path', async () => {
  const source = await readDocument('a:\n  b:\n    - one\n    - c: 1\n      d: 2\ne: { f: 3 }\n', 'yaml');
  const lineOf = await source.lines();
  expect(lineOf(['a'])).toBe(1);
  expect(lineOf(['a', 'b', 1, 'd'])).toBe(5);
  expect(lineOf(['e', 'f'])).toBe(6);
  expect(lineOf(['a', 'b', 1, 'missing'])).toBe(4);
  expect(lineOf([])).toBeUndefined();
});

test('finds the line where aliased and merged values are written', async () => {
  const source = await readDocument('x: &x\n  p: 1\ny: *x\nz:\n  <<: *x\n  q: 2\n', 'yaml');
  const lineOf = await source.lines();
  expect(source.value).toMatchObject({ y: { p: 1 }, z: { p: 1, q: 2 } });
  expect(lineOf(['y', 'p'])).toBe(2);
  expect(lineOf(['z', 'p'])).toBe(4);
});

test('JSON keeps its lines below comments, and tabs are fine', async () => {
  const source = await readDocument('{\n\t// why\n\t"a": {\n\t\t"b": 1,\n\t},\n}', 'json');
  const lineOf = await source.lines();
  expect(source.value).toEqual({ a: { b: 1 } });
  expect(lineOf(['a', 'b'])).toBe(4);
});

test.each(['', '# nothing but a comment\n', '---\n'])('%j is an empty map', async (text) => {
  expect(await readDocument(text, 'yaml')).toMatchObject({ value: {}, problems: [] });
});

test.each([
  ['a: 1\nb: 2\na: 3\n', { line: 3, message: '"a" appears twice' }],
  ['a: [1, 2\nb: 3\n', { line: 2, message: expect.stringContaining('cannot be read') }],
  ['a:\n\tb: 1\n', { line: 2, message: 'is indented with a tab' }],
  ['- 1\n- 2\n', { line: 1, message: 'is not a map of keys' }],
  ['just text', { line: 1, message: 'is not a map of keys' }],
])('%j', async (text, problem) => {
  expect((await readDocument(text, 'yaml')).problems).toEqual([{ path: '', fix: expect.any(String), ...problem }]);
});

test('a syntax error does not quote the line, which may contain a secret', async () => {
  const { problems } = await readDocument('apiKey: "hunter2" hunter2\ntoken: } hunter2\n', 'yaml');
  expect(problems.length).toBeGreaterThan(0);
  expect(JSON.stringify(problems)).not.toContain('hunter2');
});

test('aliases that expand without limit are refused', async () => {
  const levels = Array.from({ length: 10 }, (_, n) => `l${n + 1}: &l${n + 1} [${Array(10).fill(`*l${n}`).join(', ')}]`);
  const { problems } = await readDocument(['l0: &l0 [x]', ...levels].join('\n'), 'yaml');
  expect(problems).toMatchObject([{ message: 'uses its aliases too often' }]);
});

describe('JSON is read without the YAML parser, with the same result', () => {
  test.each([
    ['{"a": {"b": ["c", {"d": 1}]}, "e\\": \\"f": "g: h"}', { a: { b: ['c', { d: 1 }] }, 'e": "f': 'g: h' }],
    ['\uFEFF{ "a": "${A}" } // b', { a: '${A}' }],
  ])('%s', async (text, value) => {
    expect(await readDocument(text, 'json')).toMatchObject({ value, problems: [] });
  });

  test('finds the line of a path', async () => {
    const source = await readDocument('{\n"a": {\n"b": 1\n}\n}', 'json');
    expect((await source.lines())(['a', 'b'])).toBe(3);
  });

  test('finds a duplicate key', async () => {
    const { problems } = await readDocument('{\n"a": {"b": 1,\n"b": 2}\n}', 'json');
    expect(problems).toMatchObject([{ line: 3, message: '"b" appears twice' }]);
  });

  test('extremely deep nesting is a problem, not an exception', async () => {
    const deep = `{"a": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`;
    expect((await readDocument(deep, 'json').catch(() => ({ problems: ['thrown'] }))).problems).not.toEqual([]);
  });
});
