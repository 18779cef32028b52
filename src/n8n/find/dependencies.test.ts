import { describe, expect, test } from 'vitest';
import { cpuTime } from '../../../test/validation/cpu-time.ts';
import type { Node, Workflow } from '../client/shapes.ts';
import { tableNaming, tablesIn } from './data-tables.ts';
import { dependenciesOf, type Target } from './dependencies.ts';
import { referencesOf } from './references.ts';

const node = (type: string, parameters: Record<string, unknown>, more: Partial<Node> = {}): Node => ({
  name: type,
  type: `n8n-nodes-base.${type}`,
  parameters,
  ...more,
});
const calls = (id: string) =>
  node('executeWorkflow', { workflowId: { __rl: true, mode: 'list', value: id, cachedResultName: `Name of ${id}` } });
const workflow = (id: string, nodes: Node[] = [], settings: Record<string, unknown> = {}): Workflow => ({
  id,
  name: id.toUpperCase(),
  active: true,
  isArchived: false,
  nodes,
  connections: {},
  settings,
});

describe('references of a workflow', () => {
  test('are found in every form that n8n has had', () => {
    const nodes = [
      calls('b'),
      node('executeWorkflow', { workflowId: 'c' }),
      node('executeWorkflow', { workflowId: { __rl: true, mode: 'id', value: '={{ $json.id }}' } }),
      node('executeWorkflow', { source: 'parameter', workflowJson: '{}' }),
      { ...node('x', { workflowId: { value: 'd' } }), type: '@n8n/n8n-nodes-langchain.toolWorkflow' },
      node('dataTable', { dataTableId: { __rl: true, mode: 'list', value: 't', cachedResultName: 'Prices' } }),
      node('dataTableTool', { dataTableId: { __rl: true, mode: 'name', value: 'Prices' } }),
      node('evaluationTrigger', { source: 'dataTable', dataTableId: { __rl: true, mode: 'id', value: 'e' } }),
      node('slack', {}, { credentials: { slackApi: { id: 's', name: 'Bot' }, old: { id: null, name: 'Lost' } } }),
      node('httpRequest', { url: 'https://n8n.example.com/webhook/orders/1?x=1' }),
      node('set', { workflowId: 'not a call' }),
    ];
    const found = referencesOf(workflow('a', nodes, { errorWorkflow: 'e' })).map(({ kind, id, name }) => [
      kind,
      id,
      name,
    ]);
    expect(found).toEqual([
      ['error workflow', 'e', undefined],
      ['sub-workflow', 'b', 'Name of b'],
      ['sub-workflow', 'c', undefined],
      ['sub-workflow', undefined, '={{ $json.id }}'],
      ['sub-workflow', 'd', undefined],
      ['data table', 't', 'Prices'],
      ['data table', undefined, 'Prices'],
      ['data table', 'e', undefined],
      ['credential', 's', 'Bot'],
      ['credential', undefined, 'Lost'],
      ['webhook', 'orders/1', undefined],
    ]);
  });
});

test('a data table is recognised by id and by name, even if n8n does not list tables', () => {
  const uses = (id: string, dataTableId: unknown) => workflow(id, [node('dataTable', { dataTableId })]);
  const all = [
    uses('a', { mode: 'list', value: 't', cachedResultName: 'Prices' }),
    uses('b', { mode: 'name', value: 'prices' }),
    uses('c', { mode: 'id', value: 't' }),
    uses('d', { mode: 'name', value: 'Other' }),
    uses('e', { mode: 'name', value: '={{ $json.t }}' }),
  ];
  const naming = tableNaming(tablesIn(all.flatMap(referencesOf)));
  const users = (target: Target) => dependenciesOf(target, all, naming).usedBy.map((one) => one.workflow.id);
  expect(users({ kind: 'data table', id: 't', name: 'Prices' })).toEqual(['a', 'b', 'c']);
  expect(users({ kind: 'data table', name: 'Other' })).toEqual(['d']);
});

describe('workflows affected by a change', () => {
  const all = [
    workflow('a', [calls('b')]),
    workflow('b', [calls('c'), node('webhook', { path: 'orders/:id' }, { name: 'Hook' })]),
    workflow('c', [calls('a')]),
    workflow('d', [node('httpRequest', { url: 'http://n8n/webhook/orders/7' })]),
    workflow('e', [], { errorWorkflow: 'a' }),
    workflow('f', [calls('e')]),
  ];
  const of = (id: string) =>
    dependenciesOf({ kind: 'workflow', workflow: all.find((one) => one.id === id) as Workflow }, all);

  test('are found directly and through others, each once, even if they call each other in a circle', () => {
    const told = of('c').affected.map(({ workflow: { id }, depth, through }) => [id, depth, through]);
    expect(told).toEqual([
      ['b', 1, undefined],
      ['a', 2, 'B'],
      ['d', 2, 'B'],
    ]);
  });

  test('include callers of its webhook and users of it as error workflow', () => {
    expect(of('b').usedBy.map(({ workflow: { id }, reference: { kind } }) => [id, kind])).toEqual([
      ['a', 'sub-workflow'],
      ['d', 'webhook'],
    ]);
    expect(of('a').usedBy.map(({ workflow: { id }, reference: { kind } }) => [id, kind])).toEqual([
      ['c', 'sub-workflow'],
      ['e', 'error workflow'],
    ]);
  });

  test('do not include indirect users of an error workflow', () => {
    const ids = of('a').affected.map(({ workflow: { id } }) => id);
    expect(ids).toContain('e');
    expect(of('b').affected.map(({ workflow: { id } }) => id)).not.toContain('e');
  });

  test('are found quickly in a chain of a thousand', () => {
    const chain = Array.from({ length: 1000 }, (_, i) => workflow(`w${i}`, [calls(`w${i + 1}`)]));
    const last = chain[999] as Workflow;
    const { result, ms } = cpuTime(() => dependenciesOf({ kind: 'workflow', workflow: last }, chain));
    expect(result.affected).toHaveLength(999);
    expect(ms).toBeLessThan(2000);
  });
});
