import { expect, test } from 'vitest';
import { addressIn } from './addresses.ts';

test.each<[string, Record<string, unknown>]>([
  ['options.baseURL', { options: { baseURL: 'http://elsewhere.example' } }],
  ['options.baseURL', { options: { baseURL: { __rl: true, mode: 'id', value: 'elsewhere.example' } } }],
  ['host', { resource: 'message', host: 'elsewhere.example' }],
  ['list.0.place', { list: [{ place: '//elsewhere.example' }] }],
  ['any', { any: "={{ 'http:' + '/' + '/elsewhere.example' }}" }],
  ['sheet.value', { sheet: { __rl: true, mode: 'url', value: '={{ $json.x }}' } }],
])('%s may control where a credential is sent', (path, parameters) => {
  expect(addressIn(parameters)).toBe(path);
});

test.each<Record<string, unknown>>([
  {},
  { resource: 'message', operation: 'post', limit: 5, all: true, none: null },
  {
    documentId: { __rl: true, mode: 'url', value: 'https://docs.example/d/1', cachedResultUrl: 'https://docs.example' },
  },
  { options: { baseURL: '' } },
])('%j selects a thing, not a host', (parameters) => {
  expect(addressIn(parameters)).toBeUndefined();
});
