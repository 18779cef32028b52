import { expect, test } from 'vitest';
import { HttpError } from '../http.ts';
import { explain, refusal } from './explain.ts';

const refused = (status: number, body: string, request = { method: 'GET', path: '/info' }) =>
  refusal(new HttpError(status, body, {}), request, 'modules.docker');

test.each([
  [400, 'invalid_input'],
  [401, 'unavailable'],
  [403, 'forbidden'],
  [404, 'not_found'],
  [409, 'conflict'],
  [500, 'conflict'],
  [501, 'unsupported'],
  [503, 'unavailable'],
] as const)('HTTP %i is %s', (status, code) => {
  const error = refused(status, '{"message":"no"}');
  expect(error.code).toBe(code);
});

test('a proxy that forbids an endpoint: which, and the variable that allows it', () => {
  const page = '<html><body><h1>403 Forbidden</h1>\nRequest forbidden by administrative rules.\n</body></html>';
  const said = (method: string, path: string) => refused(403, page, { method, path }).message;
  expect(said('POST', '/containers/4f5e/restart')).toBe(
    'POST /containers/{id}/restart is forbidden (403 Forbidden Request forbidden by administrative rules.). If a socket proxy is in between, allow it there: CONTAINERS=1 and POST=1.',
  );
  expect(said('POST', '/containers/4f5e/exec')).toContain('EXEC=1 and CONTAINERS=1 and POST=1');
  expect(said('GET', '/images/json')).toContain('GET /images/json is forbidden');
  expect(said('DELETE', '/images/ghcr.io/acme/app:1')).toContain('DELETE /images/{name} is forbidden');
  expect(said('GET', '/info')).toContain('INFO=1.');
});

test('messages keep no secrets, and are short', () => {
  const { message } = refused(500, JSON.stringify({ message: `cannot run --password hunter2 ${'x'.repeat(5000)}` }));
  expect(message).not.toContain('hunter2');
  expect(message.length).toBeLessThan(700);
});

test('plain HTTP to a port with TLS is named', () => {
  expect(refused(400, 'Client sent an HTTP request to an HTTPS server.').message).toContain('https://');
});

test('a socket that may not be opened is explained', () => {
  const error = Object.assign(new Error('connect EACCES'), { code: 'EACCES', address: '/var/run/docker.sock' });
  expect(explain(error, 'docker at /var/run/docker.sock')?.message).toContain('group docker');
  expect(explain(new Error('other'), 'docker')).toBeUndefined();
});
