import { expect, test } from 'vitest';
import { type Facts, lookAt } from './look-at.ts';

const quiet: Facts = {
  failing: [],
  failed: 0,
  missing: [],
  withoutCredential: [],
  longRunning: 0,
  waiting: 0,
  drafts: [],
  unused: 0,
};

const failing = (workflow: string, count: number, recovered?: boolean) => ({
  workflow,
  name: `Name of ${workflow}`,
  node: 'Fetch',
  cause: 'Not found',
  count,
  example: `${workflow}1`,
  ...(recovered && { recovered }),
});

test('lists nothing if nothing is wrong', () => {
  expect(lookAt(quiet, undefined)).toEqual([]);
});

test('lists current failures first, then future failures, stuck executions and forgotten things', () => {
  const found = lookAt(
    {
      failing: [failing('a', 9, true), failing('b', 3), failing('c', 1)],
      failed: 13,
      missing: [
        { name: 'Idle key', type: 'slackApi', live: 0 },
        { name: 'Key', type: 'slackApi', live: 2 },
      ],
      withoutCredential: [],
      longRunning: 1,
      waiting: 2,
      drafts: [
        { id: 'd', name: 'Draft' },
        { id: 'e', name: 'Other' },
      ],
      unused: 4,
    },
    'lab',
  );
  expect(found).toEqual([
    {
      why: '"Name of b" failed 3 times, last at "Fetch": Not found',
      tool: 'n8n_get_execution',
      arguments: { instance: 'lab', id: 'b1' },
    },
    {
      why: '"Name of c" failed once at "Fetch": Not found',
      tool: 'n8n_get_execution',
      arguments: { instance: 'lab', id: 'c1' },
    },
    {
      why: 'All 13 failures of the last day, by cause',
      tool: 'n8n_list_failures',
      arguments: { instance: 'lab', since: '24h' },
    },
    {
      why: 'The credential "Key" (slackApi) and 1 more are used but missing (live workflows: 2)',
      tool: 'n8n_get_dependencies',
      arguments: { instance: 'lab', credentials: true },
    },
    {
      why: 'Executions running for over an hour: 1',
      tool: 'n8n_list_executions',
      arguments: { instance: 'lab', status: 'running' },
    },
    {
      why: '"Draft" and 1 more: changes that are not published yet',
      tool: 'n8n_diff_versions',
      arguments: { instance: 'lab', id: 'd' },
    },
  ]);
});

test('only counts failures of a workflow that has recovered', () => {
  expect(lookAt({ ...quiet, failing: [failing('a', 9, true)], failed: 9 }, undefined)).toEqual([
    { why: 'All 9 failures of the last day, by cause', tool: 'n8n_list_failures', arguments: { since: '24h' } },
  ]);
});
