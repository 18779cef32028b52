import { expect, test } from 'vitest';
import { requestPath } from './request-path.ts';

test.each([
  ['/workflows', '/api/v1/workflows'],
  ['workflows/abc', '/api/v1/workflows/abc'],
  ['/api/v1/workflows/abc/', '/api/v1/workflows/abc'],
  ['api/v1/workflows/abc', '/api/v1/workflows/abc'],
  ['/users/ada@example.com', '/api/v1/users/ada%40example.com'],
  ['/users/ada%40example.com', '/api/v1/users/ada%40example.com'],
  ['/roles/project:editor', '/api/v1/roles/project%3Aeditor'],
  ['/tags/ä b', '/api/v1/tags/%C3%A4%20b'],
])('%s is sent as %s', (given, sent) => {
  expect(requestPath(given)).toBe(sent);
});

test.each([
  'https://example.com/api/v1/workflows',
  '//example.com/workflows',
  'http://127.0.0.1/x',
  '/workflows/../../rest/login',
  '/workflows/%2e%2e/%2E%2E/rest/login',
  '/workflows/..%2f..%2frest/login',
  '/workflows/a%2fb',
  '/workflows/a%5cb',
  '/workflows/a\\b',
  '/workflows/%252e%252e',
  '/workflows?limit=1',
  '/workflows#x',
  '/workflows%3Flimit=1/%',
  '/workflows//1',
  '/workflows/a;b',
  '/workflows/a%00b',
  '/workflows/a\nb',
  '/workflows/\ud800',
  '',
  '/',
  '/api/v1/',
  `/${'a/'.repeat(50)}`,
])('%j is refused', (given) => {
  expect(() => requestPath(given)).toThrow(/^The path .* Nothing was sent\.$/s);
});

test('the error does not repeat a query, which may have a key in it', () => {
  for (const given of ['/users?apiKey=hunter2', '/users#hunter2', 'https://ada:hunter2@n8n.example/api/v1/users'])
    expect(() => requestPath(given)).toThrow(/^(?!.*hunter2)/s);
});

test('a path outside of the API stays inside', () => {
  expect(requestPath('/rest/login')).toBe('/api/v1/rest/login');
  expect(requestPath('/api/v2/x')).toBe('/api/v1/api/v2/x');
  expect(requestPath('/a?b'.replace('?', '%3F'))).toBe('/api/v1/a%3Fb');
});
