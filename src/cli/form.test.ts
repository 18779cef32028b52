import { describe, expect, test } from 'vitest';
import { fieldsOf } from './form.ts';

const only = (property: object) => {
  const [field] = fieldsOf({ type: 'object', properties: { it: property } });
  if (!field) throw new Error('no field');
  return field;
};

test('a question says what is wanted', () => {
  const [first, second] = fieldsOf({
    properties: {
      name: { type: 'string', title: 'Your name', description: 'as in the passport' },
      age: { type: 'integer', default: 18 },
    },
    required: ['name'],
  });
  expect(first).toMatchObject({ key: 'name', required: true, question: 'Your name – as in the passport: ' });
  expect(second).toMatchObject({ key: 'age', required: false, question: 'age (a number) [18]: ' });
});

test('a schema that is none has no fields', () => {
  expect(fieldsOf(undefined)).toEqual([]);
  expect(fieldsOf({ properties: [] })).toEqual([]);
});

describe('an answer', () => {
  test.each([
    [{ type: 'string' }, 'Bob', 'Bob'],
    [{ type: 'number' }, '1.5', 1.5],
    [{ type: 'integer' }, '-3', -3],
    [{ type: 'boolean' }, 'Yes', true],
    [{ type: 'boolean' }, 'n', false],
    [{ type: 'boolean', default: true }, '', true],
    [{ type: 'string', enum: ['r', 'g'], enumNames: ['Red', 'Green'] }, 'green', 'g'],
    [{ type: 'string', oneOf: [{ const: 'r', title: 'Red' }] }, 'r', 'r'],
    [{ type: 'array', items: { enum: ['a', 'b', 'c'] } }, 'a, c', ['a', 'c']],
    [{ type: 'array', items: { anyOf: [{ const: 'x', title: 'The X' }] } }, 'the x', ['x']],
    [{ type: 'array', items: { enum: ['a'] }, default: ['a'] }, '', ['a']],
  ])('%j to %j', (property, text, value) => expect(only(property).read(text)).toEqual({ value }));

  test.each([
    [{ type: 'number' }, 'many', /a number/],
    [{ type: 'number' }, '', /a number/],
    [{ type: 'integer' }, '1.5', /a whole number/],
    [{ type: 'boolean' }, 'perhaps', /yes or no/],
    [{ type: 'string', enum: ['r', 'g'] }, 'blue', /one of: r, g/],
    [{ type: 'array', items: { enum: ['a', 'b'] } }, 'a,z', /some of: a, b/],
  ])('%j is not %j', (property, text, problem) => {
    expect(only(property).read(text)).toEqual({ problem: expect.stringMatching(problem) as string });
  });
});
