import { describe, expect, test } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import { createAbilities, endpointsIn, isAmong } from './abilities.ts';
import { errorFrom } from './client/http-errors.ts';
import { scopeOf } from './endpoint-scopes.ts';

test.each([
  ['GET', '/api/v1/workflows', 'workflow:list'],
  ['GET', '/api/v1/workflows?limit=1', 'workflow:list'],
  ['GET', '/api/v1/workflows/abc', 'workflow:read'],
  ['PUT', '/api/v1/workflows/abc', 'workflow:update'],
  ['POST', '/api/v1/workflows/abc/publish', 'workflow:activate'],
  ['POST', '/api/v1/workflows/abc/unarchive', 'workflow:delete'],
  ['PUT', '/api/v1/workflows/abc/tags', 'workflowTags:update'],
  ['POST', '/api/v1/executions/7/retry', 'execution:retry'],
  ['DELETE', '/api/v1/executions/7', 'execution:delete'],
  ['PATCH', '/api/v1/credentials/7', 'credential:update'],
  ['POST', '/api/v1/credentials/7/test', 'credential:read'],
  ['GET', '/api/v1/credentials/schema/slackApi', undefined],
  ['GET', '/api/v1/data-tables', 'dataTable:list'],
  ['DELETE', '/api/v1/data-tables/abc', 'dataTable:delete'],
  ['GET', '/api/v1/data-tables/abc/rows?limit=1', 'dataTableRow:read'],
  ['POST', '/api/v1/data-tables/abc/rows', 'dataTableRow:create'],
  ['PATCH', '/api/v1/data-tables/abc/rows/update', 'dataTableRow:update'],
  ['POST', '/api/v1/data-tables/abc/rows/upsert', 'dataTableRow:upsert'],
  ['DELETE', '/api/v1/data-tables/abc/rows/clear', 'dataTableRow:delete'],
  ['POST', '/api/v1/data-tables/abc/columns', 'dataTableColumn:create'],
  ['PATCH', '/api/v1/data-tables/abc/columns/def', 'dataTableColumn:update'],
  ['GET', '/api/v1/discover', undefined],
])('%s %s needs %s', (method, path, scope) => {
  expect(scopeOf(method, path)).toBe(scope);
});

test.each([
  ['GET', '/api/v1/workflows/abc/versions/def?x=1', 'GET /api/v1/workflows/{}/versions/{}', true],
  ['GET', '/api/v1/workflows/abc/versions', 'GET /api/v1/workflows/{}/versions/{}', false],
  ['POST', '/api/v1/executions/stop', 'POST /api/v1/executions/stop', true],
  ['POST', '/api/v1/executions/7/retry', 'GET /api/v1/executions/{}/retry', false],
  ['GET', '/api/v1/promotions/connections/c/projects', 'GET /api/v1/promotions/connections/{}/projects', true],
])('%s %s is %s: %s', (method, path, endpoint, expected) => {
  expect(isAmong(new Set([endpoint]), method, path)).toBe(expected);
});

const yaml = `openapi: 3.0.0
paths:
  /workflows:
    get:
      tags: [a]
    post:
      parameters:
        get: not a method
  '/workflows/{id}/tags':
    put:
      x: 1
components:
  /no/path:
    get:
      x: 1
`;

test('extracts the endpoints from the OpenAPI description', () => {
  expect([...endpointsIn(yaml)]).toEqual([
    'GET /api/v1/workflows',
    'POST /api/v1/workflows',
    'PUT /api/v1/workflows/{}/tags',
  ]);
});

describe('a refusal', () => {
  const explain = (status: number, said: string, scopes: string[], served: string | undefined = yaml) => {
    const endpoints = scopes.includes('workflow:list') ? [{ method: 'GET', path: '/api/v1/workflows' }] : [];
    const answers: Record<string, unknown> = {
      '/api/v1/discover': { data: { scopes, resources: { workflow: { endpoints } } } },
      '/api/v1/openapi.yml': served,
    };
    const http = {
      address: { name: 'lab', url: '', headers: {}, timeoutMs: 1 },
      send: async (_: string, path: string) => ({
        status: answers[path] === undefined ? 500 : 200,
        headers: new Headers(),
        body: answers[path],
      }),
    };
    return (method: string, path: string) => {
      const answer = { status, headers: new Headers(), body: { message: said } };
      return createAbilities(http).explain(errorFrom(http.address, answer, method, path), method, path);
    };
  };

  test('names the missing scope', async () => {
    const error = await explain(403, 'Forbidden', ['workflow:list'])('POST', '/api/v1/workflows');
    expect(error.message).toContain('lacks the scope workflow:create');
    expect(error.data).toMatchObject({ scope: 'workflow:create' });
  });

  test('blames the user when the key has the scope', async () => {
    const error = await explain(403, 'Forbidden', ['workflow:list'])('GET', '/api/v1/workflows');
    expect(error.message).toMatch(
      /^n8n \(lab\) does not allow it: Forbidden\. The API key of n8n \(lab\) has the scope, but its user may not/,
    );
  });

  test('says when n8n does not have the endpoint, with or without its OpenAPI description', async () => {
    for (const served of [yaml, undefined]) {
      const error = await explain(404, 'not found', ['workflow:list'], served)('GET', '/api/v1/node-types');
      expect(error).toMatchObject({
        code: 'unsupported',
        message: expect.stringContaining('does not offer GET /api/v1/node-types') as string,
      });
    }
  });

  test('says so of an n8n that is too old to tell what it offers', async () => {
    const old = (status: number, said: string) => {
      const http = {
        address: { name: 'lab', url: '', headers: {}, timeoutMs: 1 },
        send: async () => ({ status: 404, headers: new Headers(), body: { message: 'not found' } }),
      };
      const answer = { status, headers: new Headers(), body: { message: said } };
      const error = errorFrom(http.address, answer, 'GET', '/api/v1/data-tables');
      return createAbilities(http).explain(error, 'GET', '/api/v1/data-tables');
    };
    expect((await old(404, 'not found')).message).toMatch(/does not offer GET \/api\/v1\/data-tables: it is too old/);
    expect((await old(405, 'GET method not allowed')).message).toMatch(/does not offer GET/);
    expect((await old(403, 'Forbidden')).message).toContain('The API key may lack a scope');
  });

  test('blames the user also if n8n does not list the endpoint for the key', async () => {
    const error = await explain(403, 'Forbidden', ['workflow:move'])('PUT', '/api/v1/workflows/x/transfer');
    expect(error.message).toContain('has the scope, but its user may not do this here');
  });

  test('stays unchanged for an id that does not exist', async () => {
    const error = await explain(404, 'Not Found', [])('GET', '/api/v1/workflows/none');
    expect(error.message).toBe('n8n (lab) answered 404 to GET /api/v1/workflows/none: Not Found');
  });
});

test('a description of the API that could not be read is read again', async () => {
  let isAway = true;
  const { read } = createAbilities({
    address: { name: 'lab', url: '', headers: {}, timeoutMs: 1 },
    async send(_, path) {
      const isDescription = path === '/api/v1/openapi.yml';
      if (isDescription && isAway) throw new AppError('unavailable', 'away');
      return {
        status: 200,
        headers: new Headers(),
        body: isDescription ? yaml : { data: { scopes: [], resources: {} } },
      };
    },
  });
  expect(await read()).not.toHaveProperty('offered');
  isAway = false;
  expect((await read())?.offered?.size).toBeGreaterThan(0);
});
