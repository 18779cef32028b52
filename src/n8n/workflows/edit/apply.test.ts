import { describe, expect, test } from 'vitest';
import { applyOperations, type Draft } from './apply.ts';
import { type Operation, operation } from './operations.ts';

const base: Draft = {
  name: 'W',
  description: null,
  settings: { executionOrder: 'v1' },
  tags: ['a'],
  pinData: { Set: [{ json: { x: 1 } }] },
  nodes: [
    {
      id: '1',
      name: 'In',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      position: [0, 0],
      parameters: { path: 'p' },
    },
    {
      id: '2',
      name: 'Set',
      type: 'n8n-nodes-base.set',
      typeVersion: 3.4,
      position: [220, 0],
      parameters: { value: '={{ $json.a }}', text: 'one two one' },
      credentials: { header: { id: 'c1', name: 'Old key' } },
      notes: 'mine',
    },
    {
      id: '3',
      name: 'End',
      type: 'n8n-nodes-base.noOp',
      typeVersion: 1,
      position: [440, 0],
      parameters: { from: "={{ $('Set').item.json.x }}" },
    },
  ],
  connections: {
    In: { main: [[{ node: 'Set', type: 'main', index: 0 }]] },
    Set: { main: [[{ node: 'End', type: 'main', index: 0 }]] },
  },
};

const after = (...operations: Operation[]) =>
  applyOperations(
    base,
    operations.map((one) => operation.parse(one)),
  );
const nodeIn = (draft: Draft, name: string) => draft.nodes.find((node) => node.name === name);
const leads = (from: string, to: string, index = 0) => ({ [from]: { main: [[{ node: to, type: 'main', index }]] } });

describe('an operation', () => {
  test('adds a node after another, with a new id and position', () => {
    const { draft } = after({ op: 'add_node', node: { name: 'New', type: 't', typeVersion: 1 }, after: 'In' });
    expect(nodeIn(draft, 'New')).toMatchObject({
      id: expect.any(String) as string,
      position: [224, 192],
      parameters: {},
    });
    expect(draft.connections.In?.main?.[0]).toEqual([
      { node: 'Set', type: 'main', index: 0 },
      { node: 'New', type: 'main', index: 0 },
    ]);
  });

  test('removes a node with its connections and pinned data, and warns of expressions that still refer to it', () => {
    const { draft, warnings } = after({ op: 'remove_node', node: 'Set' });
    expect(draft.nodes.map(({ name }) => name)).toEqual(['In', 'End']);
    expect(draft.connections).toEqual({});
    expect(draft.pinData).toEqual({});
    expect(warnings).toEqual(['"Set" was removed, but expressions still refer to it in "End".']);
  });

  test('removes a node and connects its predecessor to its successor', () => {
    expect(after({ op: 'remove_node', node: 'Set', reconnect: true }).draft.connections).toEqual(leads('In', 'End'));
  });

  test('renames a node everywhere', () => {
    const { draft } = after({ op: 'rename_node', node: 'Set', to: 'Fields' });
    expect(draft.connections).toEqual({ ...leads('In', 'Fields'), ...leads('Fields', 'End') });
    expect(draft.pinData).toEqual({ Fields: [{ json: { x: 1 } }] });
    expect(nodeIn(draft, 'End')?.parameters).toEqual({ from: "={{ $('Fields').item.json.x }}" });
    expect(nodeIn(draft, 'Fields')).toMatchObject({ id: '2', credentials: { header: { id: 'c1' } }, notes: 'mine' });
  });

  test('moves, disables, enables and sets options', () => {
    const { draft } = after(
      { op: 'move_node', node: 'Set', position: [1, 2] },
      { op: 'disable_node', node: 'Set' },
      { op: 'disable_node', node: 'End' },
      { op: 'enable_node', node: 'End' },
      { op: 'set_node', node: 'Set', set: { notes: 'ours', retryOnFail: true } },
    );
    expect(nodeIn(draft, 'Set')).toMatchObject({ position: [1, 2], disabled: true, notes: 'ours', retryOnFail: true });
    expect(nodeIn(draft, 'End')).not.toHaveProperty('disabled');
  });

  test('sets, removes and replaces within parameters', () => {
    const { draft } = after(
      { op: 'set_parameter', node: 'Set', path: 'options.x', value: [1] },
      { op: 'remove_parameter', node: 'Set', path: 'value' },
      { op: 'replace_text', node: 'Set', path: 'text', find: 'two', replace: '$& three' },
      { op: 'replace_text', node: 'Set', path: 'text', find: 'one', replace: '1', all: true },
    );
    expect(nodeIn(draft, 'Set')?.parameters).toEqual({ options: { x: [1] }, text: '1 $& three 1' });
  });

  test('sets, removes and replaces credentials', () => {
    expect(
      nodeIn(after({ op: 'set_credential', node: 'End', type: 't', id: 'c2', name: 'N' }).draft, 'End')?.credentials,
    ).toEqual({ t: { id: 'c2', name: 'N' } });
    expect(nodeIn(after({ op: 'remove_credential', node: 'Set', type: 'header' }).draft, 'Set')?.credentials).toEqual(
      {},
    );
    expect(
      nodeIn(after({ op: 'replace_credential', from: 'c1', id: 'c9', name: 'New key' }).draft, 'Set')?.credentials,
    ).toEqual({ header: { id: 'c9', name: 'New key' } });
  });

  test('connects and disconnects by kind, output and input', () => {
    const { draft } = after(
      { op: 'connect', from: 'In', to: 'End', output: 2, input: 1 },
      { op: 'connect', from: 'Set', to: 'End', kind: 'ai_tool' },
      { op: 'connect', from: 'In', to: 'Set' },
      { op: 'disconnect', from: 'Set', to: 'End', kind: 'main' },
    );
    expect(draft.connections).toEqual({
      In: { main: [[{ node: 'Set', type: 'main', index: 0 }], [], [{ node: 'End', type: 'main', index: 1 }]] },
      Set: { ai_tool: [[{ node: 'End', type: 'ai_tool', index: 0 }]] },
    });
  });

  test('changes settings, name, description, pinned data and tags', () => {
    const { draft } = after(
      { op: 'set_settings', settings: { timezone: 'UTC' } },
      { op: 'set_name', name: 'X' },
      { op: 'set_description', description: 'why' },
      { op: 'pin_data', node: 'In', items: [{ a: 1 }] },
      { op: 'pin_data', node: 'Set', items: null },
      { op: 'add_tags', tags: ['b', 'a'] },
      { op: 'remove_tags', tags: ['a'] },
    );
    expect(draft).toMatchObject({
      name: 'X',
      description: 'why',
      settings: { executionOrder: 'v1', timezone: 'UTC' },
      pinData: { In: [{ json: { a: 1 } }] },
      tags: ['b'],
    });
  });

  test('sees the result of earlier operations', () => {
    const { draft } = after(
      { op: 'rename_node', node: 'Set', to: 'A' },
      { op: 'set_parameter', node: 'A', path: 'x', value: 1 },
    );
    expect(nodeIn(draft, 'A')?.parameters.x).toBe(1);
  });

  test('does not change the original', () => {
    const copy = structuredClone(base);
    after({ op: 'remove_node', node: 'Set' }, { op: 'set_name', name: 'Y' });
    expect(base).toEqual(copy);
  });
});

describe('an operation that fails says what would work', () => {
  test.each<[string, Operation, RegExp]>([
    [
      'an unknown node',
      { op: 'disable_node', node: 'Sett' },
      /operations\[1\] \(disable_node\).*No node "Sett"\. Did you mean "Set"/,
    ],
    ['a name that is taken', { op: 'rename_node', node: 'Set', to: 'End' }, /A node "End" already exists/],
    [
      'a second node with the same name',
      { op: 'add_node', node: { name: 'Set', type: 't', typeVersion: 1 } },
      /A node "Set" already exists/,
    ],
    [
      'a second node with the same id',
      { op: 'add_node', node: { id: '2', name: 'N', type: 't', typeVersion: 1 } },
      /with the id 2/,
    ],
    ['a connection that does not exist', { op: 'disconnect', from: 'In', to: 'End' }, /No such connection/],
    ['a connection to an unknown node', { op: 'connect', from: 'In', to: 'Nowhere' }, /No node "Nowhere"/],
    [
      'a text that occurs twice',
      { op: 'replace_text', node: 'Set', path: 'text', find: 'one', replace: '' },
      /2 times/,
    ],
    [
      'a text that does not occur',
      { op: 'replace_text', node: 'Set', path: 'text', find: 'zzz', replace: '' },
      /does not contain/,
    ],
    [
      'a parameter that is not a string',
      { op: 'replace_text', node: 'Set', path: 'nope', find: 'a', replace: '' },
      /is not a string/,
    ],
    ['an unknown setting', { op: 'set_settings', settings: { timeZone: 'UTC' } }, /Did you mean timezone\?/],
    ['a credential that no node uses', { op: 'replace_credential', from: 'zz', id: 'c', name: '' }, /No node uses/],
    ['a credential the node does not have', { op: 'remove_credential', node: 'Set', type: 'x' }, /It has: header/],
  ])('%s', (_, one, message) => {
    expect(() => after({ op: 'set_name', name: 'ok' }, one)).toThrow(message);
  });
});
