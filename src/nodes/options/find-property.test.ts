import { expect, test } from 'vitest';
import type { NodeDescription, Property } from '../description.ts';
import { findProperty } from './find-property.ts';

const property = (name: string, change: Partial<Property> = {}): Property => ({
  name,
  displayName: name,
  type: 'options',
  typeOptions: { loadOptionsMethod: `get-${name}` },
  ...change,
});

const described = (...properties: Property[]): NodeDescription => ({
  name: 'test.node',
  displayName: 'Node',
  group: [],
  version: [1],
  inputs: ['main'],
  outputs: ['main'],
  properties,
});

const key = property('keyName');
const node = described(
  property('channel', { displayName: 'hidden one' }),
  property('channel', { displayName: 'shown one' }),
  property('text', { type: 'string', typeOptions: {} }),
  {
    name: 'filters',
    displayName: 'Filters',
    type: 'fixedCollection',
    typeOptions: { multipleValues: true },
    options: [{ name: 'conditions', displayName: 'Conditions', values: [key] }],
  },
  { name: 'options', displayName: 'Options', type: 'collection', options: [property('view')] },
);

const always = { shows: () => true };

test('of several parameters with the same name, the shown one is used', () => {
  const shown = findProperty(node, 'channel', { shows: (one) => (one as Property).displayName === 'shown one' });
  expect(shown.property.displayName).toBe('shown one');
  expect(findProperty(node, 'channel', { shows: () => false }).property.displayName).toBe('hidden one');
});

test('a path leads into collections, with or without list indexes', () => {
  for (const path of ['filters.conditions.keyName', 'parameters.filters.conditions[2].keyName', 'keyName']) {
    expect(findProperty(node, path, always).property).toBe(key);
  }
  expect(findProperty(node, 'options.view', always).path).toBe('options.view');
});

test('an ambiguous last name is refused with the full paths', () => {
  const twice = described(
    { name: 'a', displayName: 'A', type: 'collection', options: [property('id')] },
    { name: 'b', displayName: 'B', type: 'collection', options: [property('id')] },
  );
  expect(() => findProperty(twice, 'id', always)).toThrow(/several parameters id. Use one of a.id, b.id/);
});

test('an unknown parameter is refused with similar names, or with those that have values', () => {
  expect(() => findProperty(node, 'chanel', always)).toThrow(/no parameter chanel. Did you mean channel/);
  expect(() => findProperty(node, 'zzzzzzzzz', always)).toThrow(/channel, filters.conditions.keyName, options.view/);
  for (const odd of ['__proto__', 'constructor', '[0]', '.'])
    expect(() => findProperty(node, odd, always)).toThrow(/no parameter/);
});
