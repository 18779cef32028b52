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
    property('old', { displayOptions: { show: { '@version': [0.5] } } }),
    property('where', { type: 'filter' }),
    property('mode', {
      type: 'options',
      options: [
        { name: 'Queue', value: 'queue' },
        ...Array.from({ length: 40 }, (_, at) => ({ name: `M${at}`, value: at })),
      ],
    }),
  ],
};

const paths = (query: string) => searchProperties(pump, 1, query).map(({ path }) => path);

test('a name counts more than a description, and editor notices are not parameters', () => {
  expect(paths('timeout')).toEqual(['options.timeout', 'pressure']);
});

test('nested parameters are found with their path', () => {
  expect(paths('header name')).toEqual(['options.rules.values[].headerName']);
  expect(paths('headerName')).toEqual(['options.rules.values[].headerName']);
});

test.each([
  ['options.rules.values[].headerName', 'options.rules.values[].headerName'],
  ['options.rules.values[0].headerName', 'options.rules.values[].headerName'],
  ['options.timeout', 'options.timeout'],
  ['where.conditions[0].leftValue', 'where'],
])('the path %s finds only %s', (query, path) => {
  expect(paths(query)).toEqual([path]);
});

test('a structured value comes with its form', () => {
  expect(searchProperties(pump, 1, 'where.conditions[0].leftValue')[0]).toMatchObject({
    form: { combinator: 'and', conditions: [{ leftValue: expect.any(String) as string }] },
  });
});

test('parameters of other versions are not found', () => {
  expect(paths('old')).toEqual([]);
  expect(searchProperties(pump, 0.5, 'old')).toHaveLength(1);
});

test('parameters of the same name are merged, with the conditions of each', () => {
  expect(searchProperties(pump, 1, 'channel')).toEqual([
    { path: 'channel', title: 'channel', type: 'string', shown_when: ['resource is a', 'resource is b'] },
  ]);
});

test('an option value finds its parameter, and a long list says how many more there are', () => {
  const [mode] = searchProperties(pump, 1, 'queue');
  expect(mode).toMatchObject({ path: 'mode', options: expect.arrayContaining(['queue', '... 11 more']) as unknown });
});

test.each(['', '  ', '***', '__proto__', 'constructor', 'zzz'])('%j finds nothing and does not throw', (query) => {
  expect(paths(query)).toEqual([]);
});
