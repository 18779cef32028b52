import { expect, test } from 'vitest';
import { soleArgument } from './sole-argument.ts';

const text = { type: 'string' };
/** As n8n lists it. */
const calculator = { type: 'object', properties: { input: text }, additionalProperties: true };

test.each([
  [{ expression: '2*3' }, { input: '2*3' }],
  [{ input: '2*3' }, { input: '2*3' }],
  [{}, {}],
  [
    { expression: '2*3', precision: 2 },
    { expression: '2*3', precision: 2 },
  ],
  [
    { input: '2*3', more: 'x' },
    { input: '2*3', more: 'x' },
  ],
  [{ expression: 6 }, { expression: 6 }],
])('to a tool that takes a text, %j means %j', (given, meant) => {
  expect(soleArgument(calculator)?.(given)).toEqual(meant);
});

test('a closed schema changes nothing, and neither does a required argument', () => {
  const strict = { ...calculator, required: ['input'], additionalProperties: false };
  expect(soleArgument(strict)?.({ expression: '2*3' })).toEqual({ input: '2*3' });
});

test.each([
  ['several arguments', { type: 'object', properties: { a: text, b: text } }],
  ['none', { type: 'object' }],
  ['others of a kind', { ...calculator, additionalProperties: { type: 'number' } }],
])('a tool that takes %s gets what was given', (_, schema) => {
  expect(soleArgument(schema)).toBeUndefined();
});
