import { expect, test } from 'vitest';
import { requestEffect } from './request-effect.ts';

test.each([
  [{}, 'read'],
  [{ path: '/users' }, 'read'],
  [{ method: 'POST', path: '/tags' }, 'create'],
  [{ method: 'PUT', path: '/tags/1' }, 'update'],
  [{ method: 'PATCH', path: '/users/1/role' }, 'update'],
  [{ method: 'DELETE', path: '/tags/1' }, 'delete'],
  [{ method: 'POST', path: '/executions/7/retry' }, 'execute'],
  [{ method: 'POST', path: 'executions/7/retry/' }, 'execute'],
  [{ method: 'TRACE', path: '/tags' }, 'execute'],
])('%j has the effect %s', (given, effect) => {
  expect(requestEffect(given)).toBe(effect);
});

test.each([
  '/executions/7/retry ',
  '\t/executions/7/retry\n',
  '/executions/7/%72etry',
  '/executions/7/RETRY',
  '/api/v1/executions/7/ret%72y/',
  '/executions/7/retry?x=1',
  '/executions/7/%',
])('a request that runs something is one however its path %j is written', (path) => {
  expect(requestEffect({ method: 'POST', path })).toBe('execute');
});
