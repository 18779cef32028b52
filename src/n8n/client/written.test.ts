import { expect, test } from 'vitest';
import { writtenBy } from './written.ts';

test.each([
  ['POST', '/api/v1/workflows', { id: 'made' }, { workflow: 'made' }],
  ['PUT', '/api/v1/workflows/a%20b', {}, { workflow: 'a b' }],
  ['POST', '/api/v1/workflows/7/publish', {}, { workflow: '7' }],
  ['PUT', '/api/v1/workflows/7/tags', [], { workflow: '7' }],
  ['DELETE', '/api/v1/workflows/7', undefined, { workflow: '7' }],
  ['POST', '/api/v1/n8n-packages/import', {}, 'any'],
  ['DELETE', '/api/v1/tags/3', {}, 'any'],
  ['GET', '/api/v1/workflows/7', {}, undefined],
  ['POST', '/api/v1/credentials', { id: 'c' }, undefined],
  ['POST', '/api/v1/executions/3/retry', {}, undefined],
  ['POST', '/webhook/order', { id: 'x' }, undefined],
])('%s %s', (method, path, answer, written) => {
  expect(writtenBy(method, path, answer)).toEqual(written);
});
