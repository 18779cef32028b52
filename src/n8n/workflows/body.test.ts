import { expect, test } from 'vitest';
import type { Node } from '../client/shapes.ts';
import { completedNodes, groupsWithin, writable } from './body.ts';
import { onlySettings } from './settings.ts';

const known: Node = {
  id: '1',
  name: 'Fetch',
  type: 'http',
  typeVersion: 4,
  position: [10, 20],
  parameters: { url: 'a' },
  credentials: { header: { id: 'c1', name: 'Key' } },
  notes: 'mine',
  webhookId: 'w',
};

test('leaves out the fields that n8n sends but refuses, and keeps everything else', () => {
  const body = writable({
    id: 'x',
    name: 'W',
    active: true,
    versionId: 'v',
    nodes: [{ ...known, issues: {}, createdAt: 'now' }],
    connections: {},
    settings: { timezone: 'UTC', somethingNew: 1 },
    pinData: { Fetch: [] },
    staticData: { a: 1 },
    meta: {},
    nodeGroups: [],
  });
  expect(body).toEqual({
    name: 'W',
    nodes: [known],
    connections: {},
    settings: { timezone: 'UTC' },
    pinData: { Fetch: [] },
    nodeGroups: [],
  });
});

test('an existing node keeps fields that are not repeated', () => {
  expect(
    completedNodes([{ name: 'Fetch', type: 'http', typeVersion: 5, parameters: { url: 'b' } }], {}, [known]),
  ).toEqual([{ ...known, typeVersion: 5, parameters: { url: 'b' } }]);
});

test('an existing node is found by id even if renamed', () => {
  const [node] = completedNodes([{ id: '1', name: 'Load', type: 'http', typeVersion: 4 }], {}, [known]);
  expect(node).toEqual({ ...known, name: 'Load' });
});

test('an existing node is found by name if its id is unknown', () => {
  const [node] = completedNodes([{ id: 'made up', name: 'Fetch', type: 'http', typeVersion: 4 }], {}, [known]);
  expect(node).toMatchObject({ id: 'made up', credentials: known.credentials, notes: 'mine' });
});

test('a new node with the old name of a renamed node gets nothing from it', () => {
  const [first, second] = completedNodes(
    [
      { id: '1', name: 'Load', type: 'http', typeVersion: 4 },
      { name: 'Fetch', type: 'http', typeVersion: 4 },
    ],
    {},
    [known],
  );
  expect(first).toMatchObject({ id: '1', notes: 'mine' });
  expect(second).not.toHaveProperty('notes');
  expect(second?.id).not.toBe('1');
});

test('an empty object clears the credentials', () => {
  const [node] = completedNodes([{ name: 'Fetch', type: 'http', typeVersion: 4, credentials: {} }], {}, [known]);
  expect(node?.credentials).toEqual({});
});

test('a node with the same name but another type is a new node', () => {
  const [node] = completedNodes([{ name: 'Fetch', type: 'code', typeVersion: 2 }], {}, [known]);
  expect(node).not.toHaveProperty('credentials');
  expect(node?.id).not.toBe('1');
});

test('new nodes are placed by their connections; others keep their position', () => {
  const nodes = completedNodes(
    [
      { name: 'Fetch', type: 'http', typeVersion: 4 },
      { name: 'New', type: 't', typeVersion: 1 },
    ],
    { Fetch: { main: [[{ node: 'New', type: 'main', index: 0 }]] } },
    [known],
  );
  expect(nodes.map(({ position }) => position)).toEqual([
    [10, 20],
    [234, 20],
  ]);
});

test('a group loses removed nodes, and disappears with the last', () => {
  const groups = [
    { id: 'g', name: 'G', nodeIds: ['1', '2'] },
    { id: 'h', name: 'H', nodeIds: ['2'] },
  ];
  expect(groupsWithin(groups, [{ id: '1' }])).toEqual([{ id: 'g', name: 'G', nodeIds: ['1'] }]);
  expect(groupsWithin(undefined, [])).toBeUndefined();
});

test('with exact, an existing node keeps only what identifies it', () => {
  const [node] = completedNodes([{ name: 'Fetch', type: 'http' }], {}, [known], true);
  expect(node).toEqual({
    id: '1',
    name: 'Fetch',
    type: 'http',
    typeVersion: 4,
    position: [10, 20],
    webhookId: 'w',
    parameters: {},
  });
});

test('settings that are not wanted are unset, as far as n8n can', () => {
  const now = { timezone: 'UTC', errorWorkflow: 'w', executionOrder: 'v1', saveDataErrorExecution: 'none', odd: 1 };
  expect(onlySettings({ timezone: 'Europe/Berlin' }, now)).toEqual({
    settings: {
      timezone: 'Europe/Berlin',
      errorWorkflow: 'DEFAULT',
      executionOrder: 'v1',
      saveDataErrorExecution: 'none',
    },
    kept: ['saveDataErrorExecution'],
  });
});
