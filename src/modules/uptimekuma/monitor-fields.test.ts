import { describe, expect, test } from 'vitest';
import { fullUrl, kumaFields, nameFor, needFields, newMonitor, timeoutFor, typeFor } from './monitor-fields.ts';

describe('the type follows from what is given', () => {
  test.each([
    [{ url: 'https://a.example' }, 'http'],
    [{ url: 'a.example', keyword: 'ok' }, 'keyword'],
    [{ url: 'a.example', json_path: '$.x' }, 'json-query'],
    [{ hostname: 'a.example' }, 'ping'],
    [{ hostname: 'a.example', port: 22 }, 'port'],
    [{ hostname: 'a.example', dns_type: 'MX' as const }, 'dns'],
  ])('%j is %s', (given, type) => {
    expect(typeFor(given)).toBe(type);
  });
  test('nothing is not enough', () => {
    expect(() => typeFor({})).toThrow('Say what to monitor');
  });
});

test('a URL needs no scheme, and a name follows from it', () => {
  expect(fullUrl('example.com/health')).toBe('https://example.com/health');
  expect(nameFor('http', { url: 'https://example.com:8443/health/' })).toBe('example.com:8443/health');
  expect(nameFor('http', { url: 'example.com' })).toBe('example.com');
  expect(nameFor('port', { hostname: 'db', port: 5432 })).toBe('db:5432');
  expect(() => nameFor('push', {})).toThrow('a name');
  expect(() => fullUrl('not a url')).toThrow('is not a URL');
});

test('each type needs its fields', () => {
  expect(() => needFields('keyword', { url: 'https://a.example' })).toThrow('also needs keyword');
  expect(() => needFields('port', { port: 1 })).toThrow('also needs hostname');
  expect(() => needFields('http', { url: 'redis://a.example' })).toThrow('must begin with http://');
  expect(needFields('push', {})).toBeUndefined();
});

test('fields get the names of the server', () => {
  expect(
    kumaFields({
      url: 'a.example',
      retries: 2,
      headers: { 'X-A': '1' },
      basic_auth: { user: 'u', password: 'p' },
      fields: { docker_host: 1 },
    }),
  ).toEqual({
    url: 'https://a.example',
    maxretries: 2,
    headers: '{"X-A":"1"}',
    authMethod: 'basic',
    basic_auth_user: 'u',
    basic_auth_pass: 'p',
    docker_host: 1,
  });
});

test.each(['id', 'user_id', '__proto__', 'pushToken'])('fields may not set %s', (name) => {
  expect(() => kumaFields({ fields: Object.fromEntries([[name, 1]]) })).toThrow('cannot be set');
});

test('an older server gets no fields that it does not have', () => {
  expect(newMonitor('http', true, 60)).not.toHaveProperty('conditions');
  expect(newMonitor('json-query', false, 60)).toMatchObject({ conditions: [], jsonPathOperator: '==', timeout: 48 });
  expect(timeoutFor('ping', 60)).toBe(10);
});
