import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { createN8nHttp } from './http.ts';
import { createSession } from './session.ts';

let logins = 0;
const server = createServer((request, response) => {
  if (request.url === '/rest/login' && ++logins === 1) return void request.socket.destroy();
  response.setHeader('content-type', 'application/json');
  if (request.url === '/rest/login') response.setHeader('set-cookie', 'n8n-auth=let-me-in; Path=/');
  response.end(JSON.stringify({ data: { cookie: request.headers.cookie ?? null } }));
});

beforeAll(() => new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve)));
afterAll(() => new Promise<unknown>((resolve) => void server.close(resolve)));

it('signs in again when the connection is lost before n8n has answered', async () => {
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = createN8nHttp({ name: 'default', url, headers: {}, timeoutMs: 5000 });
  const session = createSession(http, { email: 'owner@example.com', password: 'secret' });
  expect(await session.ask('GET', '/me')).toEqual({ cookie: 'n8n-auth=let-me-in' });
  expect(logins).toBe(2);
});
