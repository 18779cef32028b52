import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { inputValue } from './input-value.ts';

describe('a value is read as the type of its input', () => {
  test.each([
    ['42', { type: 'string' }, '42'],
    ['{"a":1}', { type: 'string' }, '{"a":1}'],
    ['42', { type: 'integer' }, 42],
    ['4.5', { type: 'number' }, 4.5],
    ['true', { type: 'boolean' }, true],
    ['null', { type: ['string', 'null'] }, null],
    ['nil', { type: ['string', 'null'] }, 'nil'],
    ['7', { type: ['string', 'integer'] }, 7],
    ['["a,b","c"]', { type: 'array' }, ['a,b', 'c']],
    ['a, b', { type: 'array', items: { type: 'string' } }, ['a', 'b']],
    ['1,2', { type: 'array', items: { type: 'integer' } }, [1, 2]],
    ['', { type: 'array' }, []],
    ['{"a":{"b":1}}', { type: 'object' }, { a: { b: 1 } }],
    ['42', undefined, 42],
    ['plain', {}, 'plain'],
    ['[1', {}, '[1'],
    ['x', { type: 'unheard-of' }, 'x'],
  ])('%s with %j', (text, schema, value) => {
    expect(inputValue('n', text, schema)).toEqual(value);
  });

  test.each([
    ['x', { type: 'integer' }, 'the input n must be a whole number'],
    ['1.5', { type: 'integer' }, 'a whole number'],
    ['', { type: 'number' }, 'a number'],
    ['yes', { type: 'boolean' }, 'true or false'],
    ['[1', { type: 'array' }, 'a list as JSON'],
    ['a', { type: 'array', items: { type: 'object' } }, 'a list as JSON'],
    ['1,x', { type: 'array', items: { type: 'integer' } }, 'a list, each a whole number'],
    ['[]', { type: 'object' }, 'an object as JSON'],
    ['x', { type: ['integer', 'boolean'] }, 'a whole number or true or false'],
  ])('%s does not fit %j', (text, schema, problem) => {
    expect(() => inputValue('n', text, schema)).toThrow(problem);
  });

  test('a text stays what it is', () => {
    fc.assert(
      fc.property(fc.string(), (text) => {
        expect(inputValue('n', text, { type: 'string' })).toBe(text);
      }),
    );
  });
});
