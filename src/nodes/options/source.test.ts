import { expect, test } from 'vitest';
import type { Property } from '../description.ts';
import { asSet, parametersFor } from './setting.ts';
import { dependsOn, optionSource } from './source.ts';

const property = (type: string, change: Partial<Property> = {}): Property => ({
  name: 'p',
  displayName: 'P',
  type,
  ...change,
});

const list = { name: 'list', type: 'list', typeOptions: { searchListMethod: 'getChannels', searchable: true } };

test('each kind of lookup is recognised', () => {
  expect(optionSource(property('options', { typeOptions: { loadOptionsMethod: 'getTags' } }))).toEqual({
    by: 'method',
    method: 'getTags',
  });
  expect(optionSource(property('options', { typeOptions: { loadOptions: {} } }))).toEqual({ by: 'request' });
  expect(optionSource(property('resourceLocator', { modes: [{ name: 'id', type: 'string' }, list] }))).toEqual({
    by: 'search',
    method: 'getChannels',
    searchable: true,
    filterRequired: false,
  });
  const mapper = (resourceMapper: object) =>
    optionSource(property('resourceMapper', { typeOptions: { resourceMapper } }));
  expect(mapper({ resourceMapperMethod: 'getColumns' })).toEqual({ by: 'fields', method: 'getColumns', local: false });
  expect(mapper({ localResourceMapperMethod: 'getInputs' })).toEqual({
    by: 'fields',
    method: 'getInputs',
    local: true,
  });
  expect(optionSource(property('workflowSelector'))).toEqual({ by: 'workflows' });
});

test('a parameter without a lookup has no source, nor has a broken description', () => {
  expect(optionSource(property('string'))).toBeUndefined();
  expect(optionSource(property('resourceLocator', { modes: [{ name: 'id', type: 'string' }] }))).toBeUndefined();
  expect(optionSource(property('resourceMapper', { typeOptions: { resourceMapper: 'odd' } }))).toBeUndefined();
  expect(optionSource(property('options', { typeOptions: { loadOptionsMethod: 7 } }))).toBeUndefined();
});

test('a list names the parameters it depends on', () => {
  expect(
    dependsOn(property('options', { typeOptions: { loadOptionsDependsOn: ['base.value', 'table.mode', 'x'] } })),
  ).toEqual(['base', 'table', 'x']);
  expect(dependsOn(property('options', { typeOptions: { loadOptionsDependsOn: 'odd' } }))).toEqual([]);
});

test('a value is written in the form of its parameter', () => {
  const search = { by: 'search', method: 'm', searchable: true, filterRequired: false } as const;
  expect(asSet(property('resourceLocator', { modes: [list] }), search, 'C1', 'general')).toEqual({
    __rl: true,
    mode: 'list',
    value: 'C1',
    cachedResultName: 'general',
  });
  expect(asSet(property('options'), { by: 'request' }, 'a', 'A')).toBe('a');
  expect(asSet(property('multiOptions'), { by: 'request' }, 'a', 'A')).toEqual(['a']);
});

test('a credential implies the parameter that selects it', () => {
  expect(
    parametersFor({
      name: 'slackApi',
      displayOptions: { show: { authentication: ['accessToken'], '@version': [2], '/x': ['y'] } },
    }),
  ).toEqual({
    authentication: 'accessToken',
  });
  expect(parametersFor(undefined)).toEqual({});
});
