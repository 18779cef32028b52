import { expect, test } from 'vitest';
import type { Execution, Workflow } from '../client/shapes.ts';
import { type Day, failuresOf } from './day.ts';

const run = (id: number, workflowId: string): Execution => ({
  id: String(id),
  workflowId,
  status: 'error',
  startedAt: `2026-01-01T00:00:${id}.000Z`,
});

const day = (failed: Execution[], succeeded: Execution[], read: [string, string][]): Day => ({
  succeeded: { items: succeeded, cut: false },
  canceled: { items: [], cut: false },
  running: { items: [], cut: false },
  waiting: { items: [], cut: false },
  failures: {
    found: failed,
    cut: false,
    read: new Map(read.map(([id, message]) => [id, { error: { message, node: 'Fetch' } }])),
    left: 0,
  },
});

const workflows = ['a', 'b'].map((id) => ({ id, name: `Name of ${id}` })) as Workflow[];

test('summarises a workflow: how often it failed, the last known cause, and whether it succeeded since', () => {
  const failed = [run(15, 'b'), run(14, 'a'), run(13, 'a'), run(12, 'a'), run(11, 'b')];
  const found = day(
    failed,
    [run(16, 'b'), run(10, 'a')],
    [
      ['13', 'Not found'],
      ['12', 'Gone'],
      ['15', 'Refused'],
    ],
  );
  expect(failuresOf(found, workflows)).toEqual([
    {
      workflow: 'a',
      name: 'Name of a',
      node: 'Fetch',
      cause: 'Not found',
      count: 3,
      last: '2026-01-01T00:00:14.000Z',
      example: '13',
    },
    {
      workflow: 'b',
      name: 'Name of b',
      node: 'Fetch',
      cause: 'Refused',
      count: 2,
      last: '2026-01-01T00:00:15.000Z',
      example: '15',
      recovered: true,
    },
  ]);
});
