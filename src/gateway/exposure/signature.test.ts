import { expect, test } from 'vitest';
import { signature } from './signature.ts';

const wire = (properties: object, more: object = {}) => ({
  name: 'x',
  inputSchema: { type: 'object', properties, ...more },
});

test('a tool in one line: parameters with their types, what it is for', () => {
  const inputSchema = {
    type: 'object',
    properties: {
      repo: { type: 'string' },
      number: { type: 'integer' },
      state: { enum: ['open', 'closed'] },
      labels: { type: 'array', items: { type: 'string' } },
      since: { type: ['string', 'null'] },
      filter: { $ref: '#/$defs/filter' },
      any: true,
    },
    required: ['repo', 'number'],
  };
  expect(signature('get_issue', { name: 'x', description: 'Reads an issue. And its comments.', inputSchema })).toBe(
    'get_issue(repo: string, number: integer, state?: open|closed, labels?: string[], since?: string|null, filter?: any, any?: any) – Reads an issue.',
  );
});

test('alternatives of a type are shown if there are few', () => {
  const string = { type: 'string' };
  const either = { anyOf: [string, { type: 'array', items: string }, string] };
  const properties = {
    id: either,
    open: { oneOf: [string, {}] },
    list: { type: 'array', items: { oneOf: [string, { type: 'integer' }] } },
  };
  expect(signature('x', wire(properties))).toBe('x(id?: string|string[], open?: any, list?: (string|integer)[])');
});

test('the title replaces a missing description; without both there is only the call', () => {
  expect(signature('x', { ...wire({}), title: 'Do it' })).toBe('x() – Do it');
  expect(signature('x', wire({}))).toBe('x()');
});

test('it is one line, and not too long', () => {
  expect(signature('x', { ...wire({}), description: 'First line\nSecond line' })).toBe('x() – First line');
  const line = signature('x', { ...wire({}), description: 'word '.repeat(1000) });
  expect(line.length).toBeLessThan(200);
  expect(line).toMatch(/…$/);
});

test('a long list of values becomes its type, and hundreds of parameters are cut', () => {
  expect(signature('x', wire({ a: { type: 'string', enum: Array.from({ length: 50 }, (_, i) => `v${i}`) } }))).toBe(
    'x(a?: string)',
  );
  const properties = Object.fromEntries(Array.from({ length: 300 }, (_, i) => [`parameter_${i}`, { type: 'string' }]));
  const line = signature('x', wire(properties, { required: ['parameter_299'] }));
  expect(line.length).toBeLessThan(600);
  expect(line).toContain('parameter_299: string');
  expect(line).toMatch(/…\)$/);
});

test('an invalid schema does not throw', () => {
  expect(signature('x', { name: 'x', inputSchema: { properties: [], required: 'all' } })).toBe('x()');
});
