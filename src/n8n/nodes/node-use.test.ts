import { expect, test } from 'vitest';
import type { Node, Workflow } from '../client/shapes.ts';
import { countTypes, usesIn } from './node-use.ts';

const node = (name: string, type: string, typeVersion?: number, change: Partial<Node> = {}): Node => ({
  name,
  type: `n8n-nodes-base.${type}`,
  parameters: {},
  ...(typeVersion !== undefined && { typeVersion }),
  ...change,
});

const workflow = (nodes: Node[], change: Partial<Workflow> = {}): Workflow => ({
  id: 'w',
  name: 'Orders',
  active: false,
  isArchived: false,
  nodes,
  connections: {},
  ...change,
});

const all = () => true;

test('counts nodes by type and version; a node without a version has version 1', () => {
  const uses = usesIn(
    workflow([node('a', 'set', 3.4), node('b', 'set', 3.4, { disabled: true }), node('c', 'set'), node('d', 'if', 2)]),
    (type) => type.endsWith('.set'),
  );
  expect(uses).toEqual([
    { type: 'n8n-nodes-base.set', version: 3.4, names: ['a', 'b'], disabled: 1 },
    { type: 'n8n-nodes-base.set', version: 1, names: ['c'], disabled: 0 },
  ]);
});

test('marks nodes that only the live version has, and counts a node in both versions once', () => {
  const live = { nodes: [node('a', 'set', 3.4), node('old', 'set', 2)], versionId: 'v1' };
  const uses = usesIn(
    workflow([node('a', 'set', 3.4)], { active: true, versionId: 'v2', activeVersionId: 'v1', activeVersion: live }),
    all,
  );
  expect(uses).toEqual([
    { type: 'n8n-nodes-base.set', version: 3.4, names: ['a'], disabled: 0 },
    { type: 'n8n-nodes-base.set', version: 2, names: ['old'], disabled: 0, live: true },
  ]);
});

test('lists the most used type first, with its versions in order', () => {
  const first = {
    active: true,
    uses: usesIn(workflow([node('a', 'set', 3), node('b', 'set', 2), node('c', 'if', 2)]), all),
  };
  const second = { active: false, uses: usesIn(workflow([node('a', 'set', 3)]), all) };
  expect(countTypes([first, second])).toEqual([
    {
      type: 'n8n-nodes-base.set',
      workflows: 2,
      live: 1,
      nodes: 3,
      versions: [
        { version: 2, nodes: 1 },
        { version: 3, nodes: 2 },
      ],
    },
    { type: 'n8n-nodes-base.if', workflows: 1, live: 1, nodes: 1, versions: [{ version: 2, nodes: 1 }] },
  ]);
});

test('counts a node type called __proto__', () => {
  const uses = usesIn(workflow([{ name: 'x', type: '__proto__', parameters: {} }]), all);
  expect(countTypes([{ active: false, uses }])).toMatchObject([{ type: '__proto__', workflows: 1 }]);
});
