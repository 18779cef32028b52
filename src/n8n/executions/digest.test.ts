import { expect, test } from 'vitest';
import type { Execution } from '../client/shapes.ts';
import { digestOf, nodesOf } from './digest.ts';

function execution(resultData: object, status = 'error'): Execution {
  const nodes = [
    { name: 'Hook', type: 'n8n-nodes-base.webhook' },
    { name: 'Fetch', type: 'n8n-nodes-base.httpRequest' },
  ];
  return { id: '1', workflowId: 'w', status, data: { resultData }, workflowData: { name: 'W', nodes } };
}

const source = [{ previousNode: 'Hook', previousNodeOutput: 0, previousNodeRun: 0 }];
const hook = {
  executionIndex: 0,
  executionTime: 1,
  source: [],
  data: { main: [[{ json: { n: 1 } }, { json: { n: 2 } }]] },
};
const error = {
  message: 'Bad request - please check your parameters',
  description: 'id is missing',
  httpCode: '400',
  messages: ['400 - "id is missing"', '400 - "id is missing"'],
  context: { itemIndex: 1, request: { headers: { authorization: 'Bearer secret' }, uri: 'https://example.com' } },
  node: { name: 'Fetch', parameters: { password: 'secret' } },
  stack: 'at /somewhere/node_modules',
};
const failed = execution({
  error,
  lastNodeExecuted: 'Fetch',
  runData: { Hook: [hook], Fetch: [{ executionIndex: 1, executionTime: 9, source, error }] },
});

test('a failure shows the node, message, status and failing item', () => {
  expect(digestOf(failed)).toEqual({
    node: 'Fetch',
    type: 'n8n-nodes-base.httpRequest',
    message: 'Bad request - please check your parameters',
    description: 'id is missing',
    http_status: '400',
    details: ['400 - "id is missing"'],
    item: 1,
    input: { n: 2 },
    from: 'Hook',
  });
});

test('leaves out the request, the parameters and the stack', () => {
  expect(JSON.stringify(digestOf(failed))).not.toMatch(/secret|node_modules/);
});

test('a failure before any node ran has a digest, a success has none', () => {
  expect(digestOf(execution({ error: { message: 'Workflow has issues' }, runData: {} }))).toEqual({
    message: 'Workflow has issues',
  });
  expect(digestOf(execution({ runData: { Hook: [hook] }, lastNodeExecuted: 'Hook' }, 'success'))).toBeUndefined();
  expect(digestOf({ id: '1', workflowId: 'w', status: 'error' })).toBeUndefined();
});

test('nodes are listed in the order they ran, with runs, pins and failures', () => {
  const looped = execution({
    pinData: { Hook: [] },
    runData: {
      Fetch: [
        { executionIndex: 1, executionTime: 2, data: { main: [[], [{ json: {} }]] } },
        { executionIndex: 2, executionTime: 3, error: { message: 'x' } },
      ],
      Hook: [hook],
    },
  });
  expect(nodesOf(looped)).toEqual([
    { node: 'Hook', type: 'n8n-nodes-base.webhook', items: 2, ms: 1, pinned: true },
    {
      node: 'Fetch',
      type: 'n8n-nodes-base.httpRequest',
      items: 1,
      outputs: { 0: 0, 1: 1 },
      ms: 5,
      runs: 2,
      failed: true,
    },
  ]);
});

test('every run of a node in a loop counts, not only the last', () => {
  const runs = [
    [1, 0],
    [0, 1],
    [1, 0],
  ].map((counts, executionIndex) => ({
    executionIndex,
    data: { main: counts.map((count) => Array.from({ length: count }, () => ({ json: {} }))) },
  }));
  const [node] = nodesOf(execution({ runData: { Fetch: runs } }));
  expect(node).toMatchObject({ items: 3, outputs: { 0: 2, 1: 1 }, runs: 3 });
});
