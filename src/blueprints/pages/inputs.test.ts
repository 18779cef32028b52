import { expect, test } from 'vitest';
import { defaultText, kindOf, readInputs } from './inputs.ts';
import type { Input } from './shapes.ts';

const input = (name: string, schema: Record<string, unknown>, secret = false): Input => ({
  name,
  schema,
  required: !Object.hasOwn(schema, 'default'),
  secret,
});

test.each([
  [{ type: 'string' }, 'text'],
  [{ type: 'string', maxLength: 5000 }, 'long'],
  [{ type: 'integer' }, 'integer'],
  [{ type: 'number' }, 'number'],
  [{ type: 'boolean' }, 'yes-no'],
  [{ enum: ['a', 2] }, 'choice'],
  [{ enum: ['a', null] }, 'form'],
  [{ type: 'array', items: { type: 'string' } }, 'texts'],
  [{ type: 'array', items: { type: 'string', enum: ['a'] } }, 'form'],
  [{ type: 'array' }, 'json'],
  [{ type: 'object' }, 'json'],
  [{ type: 'object', properties: { a: {} } }, 'form'],
  [{ anyOf: [{ type: 'string' }, { type: 'number' }] }, 'form'],
  [{ type: 'array', items: 'nonsense' }, 'json'],
  [{ type: ['string', 'null'] }, 'json'],
  [{ type: ['string', 'integer'] }, 'form'],
  [{ $ref: '#' }, 'json'],
  [{}, 'json'],
])('%j is asked for as %s', (schema, kind) => {
  expect(kindOf(input('a', schema))).toBe(kind);
});

test('secrets are typed unseen, and their defaults are not shown', () => {
  const secret = input('a', { type: 'string', default: 'initial' }, true);
  expect(kindOf(secret)).toBe('secret');
  expect(defaultText(secret)).toBe('');
  expect(kindOf(input('a', { enum: ['x'], type: 'string' }, true))).toBe('secret');
  expect(kindOf(input('a', { type: 'object', properties: { b: {} } }, true))).toBe('json');
});

test('what was typed becomes values, and what is empty keeps its default', () => {
  const inputs = [
    input('text', { type: 'string' }),
    input('count', { type: 'integer' }),
    input('pin', { type: 'integer', default: 1 }, true),
    input('yes', { type: 'boolean' }),
    input('tier', { enum: [1, 2] }),
    input('tags', { type: 'array', items: { type: 'string' } }),
    input('extra', { type: 'object' }),
    input('left', { type: 'string', default: 'x' }),
    input('more', { type: 'object', default: { a: 1 } }),
  ];
  const typed = { text: ' a ', count: '3', yes: 'false', tier: '2', tags: 'a\n\n b\n', extra: '{"a":[1]}', left: '' };
  expect(readInputs(inputs, typed)).toEqual({
    values: { text: ' a ', count: 3, yes: false, tier: 2, tags: ['a', ' b'], extra: { a: [1] }, more: { a: 1 } },
    problems: new Map(),
  });
});

test('what cannot be read is said at its input', () => {
  const inputs = [
    input('count', { type: 'integer' }),
    input('share', { type: 'number' }),
    input('extra', { type: 'object' }),
    input('missing', { type: 'boolean' }),
    input('empty', { type: 'string' }),
  ];
  const { values, problems } = readInputs(inputs, { count: '1.5', share: 'x', extra: '{' });
  expect([...problems.keys()]).toEqual(['count', 'share', 'extra', 'missing']);
  expect(problems.get('count')).toBe('A whole number is needed.');
  expect(values).toEqual({ empty: '' });
});

test('names of inputs are only names', () => {
  const { values } = readInputs([input('__proto__', { type: 'string' })], {});
  expect(Object.keys(values)).toEqual(['__proto__']);
  expect(readInputs([input('constructor', { type: 'string', default: 'x' })], {}).values).toEqual({ constructor: 'x' });
});
