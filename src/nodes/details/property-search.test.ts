import { expect, test } from 'vitest';
import type { NodeDescription, Property } from '../description.ts';
import { searchProperties } from './property-search.ts';

const property = (name: string, more: Partial<Property> = {}): Property => ({
  name,
  displayName: name,
  type: 'string',
  default: '',
  ...more,
});

const pump: NodeDescription = {
  name: 'pump',
  displayName: 'Pump',
  group: [],
  version: [1],
  inputs: [],
  outputs: [],
  properties: [
    property('timeoutNotice', { type: 'notice' }),
    property('pressure', { description: 'Counts until the timeout' }),
    property('channel', { displayOptions: { show: { resource: ['a'] } } }),
    property('channel', { displayOptions: { show: { resource: ['b'] } } }),
    property('options', {
      type: 'collection',
      options: [
        property('timeout', { type: 'number', default: 5 }),
        property('rules', {
          type: 'fixedCollection',
          typeOptions: { multipleValues: true },
          options: [{ name: 'values', displayName: 'Values', values: [property('headerName')] }],
        }),
      ],
    }),
    property('mode', {
      type: 'options',
      options: [
        { name: 'Queue', value: 'queue' },
        ...Array.from({ length: 40 }, (_, at) => ({ name: `M${at}`, value: at })),
      ],
    }),
  ],
};

const paths = (query: string) => searchProperties(pump, query).map(({ path }) => path);

test('a name counts more than a description, and what only the editor draws is no parameter', () => {
  expect(paths('timeout')).toEqual(['options.timeout', 'pressure']);
});

test('nested ones are found with their path', () => {
  expect(paths('header name')).toEqual(['options.rules.values[].headerName']);
  expect(paths('headerName')).toEqual(['options.rules.values[].headerName']);
});

test('several of one name are one answer that says when each is shown', () => {
  expect(searchProperties(pump, 'channel')).toEqual([
    { path: 'channel', title: 'channel', type: 'string', shown_when: ['resource is a', 'resource is b'] },
  ]);
});

test('a value to choose leads to its parameter, and a long list says that it goes on', () => {
  const [mode] = searchProperties(pump, 'queue');
  expect(mode).toMatchObject({ path: 'mode', options: expect.arrayContaining(['queue', '... 11 more']) as unknown });
});

test.each(['', '  ', '***', '__proto__', 'constructor', 'zzz'])('%j finds nothing, calmly', (query) => {
  expect(paths(query)).toEqual([]);
});
