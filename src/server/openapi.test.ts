import { expect, it } from 'vitest';
import type { Route } from '../kernel/route.ts';
import { openapiRoute } from './openapi.ts';

const anybody = {
  request: new Request('http://x/openapi.json'),
  params: {},
  principal: { id: 'x', scopes: new Set('') },
  isBrowser: false,
  address: '127.0.0.1',
};

it('is rebuilt only when something in it has changed', async () => {
  let made = 0;
  let scope = 'health:check';
  const route: Route = {
    path: '/metrics',
    get scope() {
      return scope;
    },
    get openapi() {
      made++;
      return { responses: {} };
    },
    handle: () => new Response(),
  };
  const described = openapiRoute({ version: '1', routes: [route] });
  const read = async () =>
    (await (await described.handle(anybody)).json()) as { paths: Record<string, { get: object }> };
  const first = await read();
  const after = made;
  expect(await read()).toEqual(first);
  expect(made).toBe(after);
  expect(first.paths['/metrics']?.get).toHaveProperty('x-scope', 'health:check');
  scope = 'public';
  expect((await read()).paths['/metrics']?.get).not.toHaveProperty('x-scope');
});

it('is built again after a failure', async () => {
  let isAway = true;
  const openapi = async () => {
    if (isAway) throw new Error('EMFILE');
    return { responses: {} };
  };
  const route: Route = { path: '/metrics', scope: 'health:check', openapi, handle: () => new Response() };
  const described = openapiRoute({ version: '1', routes: [route] });
  await expect(described.handle(anybody)).rejects.toThrow('EMFILE');
  isAway = false;
  expect((await described.handle(anybody)).status).toBe(200);
});
