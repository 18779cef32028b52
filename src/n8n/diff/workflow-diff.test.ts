import { describe, expect, test } from 'vitest';
import type { Node } from '../client/shapes.ts';
import { type Comparable, describeDiff, diffWorkflows, isEmptyDiff } from './diff.ts';

const node = (name: string, more: Partial<Node> = {}): Node => ({
  id: `id-${name}`,
  name,
  type: 'n8n-nodes-base.set',
  typeVersion: 3.4,
  position: [0, 0],
  parameters: {},
  ...more,
});

const wire = (to: string, type = 'main', index = 0) => ({ node: to, type, index });

const base: Comparable = {
  name: 'Invoices',
  description: null,
  settings: { executionOrder: 'v1' },
  nodes: [
    node('In', { type: 'n8n-nodes-base.webhook', parameters: { path: 'in' } }),
    node('Fetch', { parameters: { url: 'https://a.example', options: { timeout: 5 } } }),
    node('Code', { parameters: { jsCode: 'const a = 1;\nconst b = 2;\nreturn a;' } }),
  ],
  connections: { In: { main: [[wire('Fetch')]] }, Fetch: { main: [[wire('Code')]] } },
  pinData: null,
  tags: [{ id: '1', name: 'old' }],
};

const lines = (change: (copy: Comparable) => void): string[] => {
  const after = structuredClone(base);
  change(after);
  return describeDiff(diffWorkflows(base, after));
};

const at = (copy: Comparable, index: number): Node => copy.nodes[index] as Node;

describe('the diff', () => {
  test('is empty for the same workflow, in any order of keys', () => {
    const turned = { ...structuredClone(base), settings: { executionOrder: 'v1' } };
    at(turned, 1).parameters = { options: { timeout: 5 }, url: 'https://a.example' };
    expect(isEmptyDiff(diffWorkflows(base, turned))).toBe(true);
    expect(describeDiff(diffWorkflows(base, turned))).toEqual([]);
  });

  test('names node and parameter', () => {
    expect(
      lines((copy) => {
        at(copy, 1).parameters = { url: 'https://b.example', options: { timeout: 5, redirect: true } };
        at(copy, 0).disabled = true;
      }),
    ).toEqual([
      '~ node "In": disabled set to true',
      '~ node "Fetch": parameters.url: "https://a.example" -> "https://b.example"',
      '~ node "Fetch": parameters.options.redirect set to true',
    ]);
  });

  test('of a multi-line text shows the changed lines', () => {
    expect(
      lines((copy) => {
        at(copy, 2).parameters = { jsCode: 'const a = 1;\nconst b = 3;\nreturn a;' };
      }),
    ).toEqual(['~ node "Code": parameters.jsCode: from line 2\n    - const b = 2;\n    + const b = 3;']);
  });

  test('of a list shows the inserted item, not all items after it', () => {
    const before = { nodes: [node('A', { parameters: { list: [1, 2, 3] } })], connections: {} };
    const after = { nodes: [node('A', { parameters: { list: [1, 9, 2, 3] } })], connections: {} };
    expect(describeDiff(diffWorkflows(before, after))).toEqual(['~ node "A": parameters.list[1] set to 9']);
  });

  test('names added and removed nodes and connections', () => {
    expect(
      lines((copy) => {
        copy.nodes = [at(copy, 0), at(copy, 1), node('Agent', { type: 'agent' }), node('Tool', { type: 'tool' })];
        copy.connections = {
          In: { main: [[wire('Fetch')], [wire('Agent', 'main', 1)]] },
          Tool: { ai_tool: [[wire('Agent', 'ai_tool')]] },
        };
      }),
    ).toEqual([
      '+ node "Agent" (agent)',
      '+ node "Tool" (tool)',
      '- node "Code" (n8n-nodes-base.set)',
      '+ connection In -> Agent (output 1, input 1)',
      '+ connection Tool -> Agent (ai_tool)',
      '- connection Fetch -> Code',
    ]);
  });

  test('of a renamed node shows only the name, not its connections and pinned data', () => {
    const before: Comparable = { ...base, pinData: { Fetch: [{ json: {} }] } };
    const after = structuredClone(before);
    at(after, 1).name = 'Load';
    after.connections = { In: { main: [[wire('Load')]] }, Load: { main: [[wire('Code')]] } };
    after.pinData = { Load: [{ json: {} }] };
    expect(describeDiff(diffWorkflows(before, after))).toEqual(['~ node "Fetch" is now called "Load"']);
  });

  test('includes moves, settings, tags, pinned and static data', () => {
    expect(
      lines((copy) => {
        at(copy, 1).position = [10, 20];
        copy.name = 'Bills';
        copy.settings = { executionOrder: 'v1', timezone: 'UTC' };
        copy.tags = [{ id: '2', name: 'new' }];
        copy.pinData = { Code: [{ json: { a: 1 } }] };
      }),
    ).toEqual([
      '~ name: "Invoices" -> "Bills"',
      '~ settings.timezone set to "UTC"',
      '~ node "Fetch" moved from [0, 0] to [10, 20]',
      '~ pinned data of "Code"',
      '+ tag "new"',
      '- tag "old"',
    ]);
  });

  test('ignores fields that one side does not have', () => {
    const version = { nodes: base.nodes, connections: base.connections };
    expect(isEmptyDiff(diffWorkflows(version, base))).toBe(true);
  });

  test('treats null, absent and empty as the same', () => {
    expect(isEmptyDiff(diffWorkflows(base, { ...base, description: '', pinData: {} }))).toBe(true);
  });

  test('pairs nodes without ids by name', () => {
    const { id: _, ...bare } = node('A', { parameters: { x: 1 } });
    const before = { nodes: [bare], connections: {} };
    const after = { nodes: [{ ...bare, parameters: { x: 2 } }], connections: {} };
    expect(describeDiff(diffWorkflows(before, after))).toEqual(['~ node "A": parameters.x: 1 -> 2']);
  });

  test('stays short for long values', () => {
    const [line = ''] = lines((copy) => {
      at(copy, 1).parameters = { url: 'x'.repeat(10_000), options: { timeout: 5 } };
    });
    expect(line.length).toBeLessThan(400);
    expect(line).toContain('10002 characters');
  });
});

test('groups of nodes', () => {
  const group = { id: 'g', name: 'G', nodeIds: ['id-In'] };
  const lines = (before: unknown, after: unknown) =>
    describeDiff(diffWorkflows({ ...base, nodeGroups: before }, { ...base, nodeGroups: after }));
  expect(lines([], [group])).toEqual(['~ groups of nodes']);
  expect(lines([], null)).toEqual([]);
  expect(lines(undefined, [group])).toEqual([]);
});
