import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { connectionsInput, nodeInput } from './node-input.ts';
import { Pasted, pasteable, pastedInput } from './pasted.ts';
import { settingsInput } from './settings.ts';

const input = pasteable(
  z.strictObject({
    id: z.string().optional(),
    workflow: pastedInput,
    name: z.string().optional(),
    description: z.string().optional(),
    nodes: z.array(nodeInput).optional(),
    connections: connectionsInput.optional(),
    settings: settingsInput.optional(),
    tags: z.array(z.string()).optional(),
    publish: z.boolean().optional(),
  }),
);

const node = { id: '1', name: 'In', type: 't', typeVersion: 1, position: [0, 0], parameters: {} };
/** Like the answer to `GET /workflows/{id}`. */
const exported = {
  name: 'Orders',
  description: null,
  active: true,
  isArchived: false,
  createdAt: '2026-01-01T00:00:00.000Z',
  updatedAt: '2026-01-01T00:00:00.000Z',
  versionId: 'v1',
  activeVersionId: null,
  triggerCount: 0,
  nodes: [{ ...node, typeVersion: '1', issues: { parameters: {} }, notes: null, webhookId: '' }],
  connections: {},
  settings: { executionOrder: 'v1', saveManualExecutions: 'DEFAULT', somethingOfAnotherVersion: 1 },
  staticData: null,
  pinData: { In: [{ json: { a: 1 } }] },
  nodeGroups: [{ id: 'g', name: 'G', nodeIds: ['1'] }],
  meta: { instanceId: 'x' },
  tags: [{ id: 'abc', name: 'finance', createdAt: 'x' }],
  shared: [{ role: 'workflow:owner' }],
};

/** Some callers send every object and array as JSON text. */
const texts = (workflow: object) =>
  Object.fromEntries(
    Object.entries(workflow).map(([key, value]) => [
      key,
      typeof value === 'object' && value !== null ? JSON.stringify(value) : (value as unknown),
    ]),
  );

const read = (given: unknown) => input.parse(given);
const refusal = (given: unknown) =>
  input.safeParse(given).error?.issues.map(({ path, message }) => `${path.join('.')}: ${message}`);

const taken = {
  name: 'Orders',
  nodes: [node],
  connections: {},
  settings: { executionOrder: 'v1' },
};

describe('a pasted workflow', () => {
  test.each<[string, unknown]>([
    ['as it is', exported],
    ['under "workflow"', { workflow: exported }],
    ['as JSON text', { workflow: JSON.stringify(exported) }],
    ['as JSON text in a Markdown code block', { workflow: `\n\`\`\`json\n${JSON.stringify(exported)}\n\`\`\`\n` }],
    ['with its parts as JSON text', { workflow: texts(exported) }],
    [
      'with its nodes as JSON text',
      { workflow: { ...exported, nodes: exported.nodes.map((one) => JSON.stringify(one)) } },
    ],
    ['next to an empty "workflow"', { ...exported, workflow: '' }],
    ['under another key', { workflow_json: exported }],
    ['as a template wraps it', { workflow: { name: 'Orders', workflow: exported } }],
    ['as the list that n8n exports', { workflow: [exported] }],
  ])('is read %s', (_, given) => {
    const { workflow, ...rest } = read(given);
    expect(rest).toEqual(taken);
    expect(workflow).toMatchObject({
      active: true,
      versionId: 'v1',
      tags: ['finance'],
      pinData: exported.pinData,
      nodeGroups: exported.nodeGroups,
    });
  });

  test('says in one line what was dropped, except empty values', () => {
    expect(read(exported).workflow?.lines()).toEqual([
      'Dropped from the pasted workflow, because n8n sets or refuses it: active, createdAt, updatedAt, versionId, meta, shared, nodes[].issues, settings.somethingOfAnotherVersion.',
    ]);
    expect(read({ workflow: { name: 'A', nodes: [], connections: {}, tags: [] } }).workflow?.lines()).toEqual([]);
  });

  test('says which tags and pinned data it could not read', () => {
    const odd = { name: 'A', nodes: [], connections: {}, tags: [{ id: 'abc' }], pinData: 'none' };
    expect(read({ workflow: odd }).workflow?.lines().join()).toContain('tags, pinData');
    expect(
      read({ workflow: { ...odd, tags: 'finance' } })
        .workflow?.lines()
        .join(),
    ).toContain('tags');
  });

  test('keeps its id apart from the id of the workflow to change', () => {
    const { id, workflow } = read({ id: 'target', workflow: { ...exported, id: 'source' } });
    expect([id, workflow?.id]).toEqual(['target', 'source']);
    expect(read({ ...exported, id: 'target' })).toMatchObject({ id: 'target' });
  });

  test('is overridden by arguments next to it', () => {
    expect(read({ workflow: exported, name: 'Mine', publish: true })).toMatchObject({ name: 'Mine', publish: true });
  });

  test('accepts credentials in every form that exports have had', () => {
    const credentials = { a: { id: '1', name: 'A' }, b: 'B', c: { id: '', name: 'C' }, d: {}, e: { id: '5' } };
    expect(read({ workflow: { ...exported, nodes: [{ ...node, credentials }] } }).nodes?.[0]?.credentials).toEqual({
      a: { id: '1', name: 'A' },
      b: { id: null, name: 'B' },
      c: { id: null, name: 'C' },
      e: { id: '5', name: '' },
    });
  });

  test.each<[string, unknown, string]>([
    ['a part', { ...exported, conections: {} }, 'conections: unknown. Did you mean "connections"?'],
    [
      'a part within',
      { workflow: { ...exported, conections: {} } },
      'workflow.conections: unknown. Did you mean "connections"?',
    ],
    [
      'a key of a node',
      { ...exported, nodes: [{ name: 'In', type: 't', paramters: {} }] },
      'nodes.0.paramters: unknown. Did you mean "parameters"?',
    ],
    ['an argument', { workflow: exported, publsh: true }, 'publsh: unknown. Did you mean "publish"?'],
    [
      'an argument inside',
      { workflow: { ...exported, publish: true } },
      'workflow.publish: put "publish" next to "workflow", not into it',
    ],
    [
      'two lists of nodes',
      { workflow: exported, nodes: [] },
      'nodes: cannot be next to "workflow", which has its own. Pass only one of them',
    ],
    ['no workflow', { workflow: 'Orders' }, 'workflow: This is not JSON'],
  ])('is refused with a hint: %s', (_, given, words) => {
    expect(refusal(given)?.join('\n')).toContain(words);
  });
});

describe('arguments that are not an export', () => {
  test('stay unchanged', () => {
    const given = { name: 'A', nodes: [node], tags: ['x'], settings: { odd: 1 } };
    expect(read(given)).toEqual(given);
  });

  test.each([
    [{ nodes: [{ name: 'In', type: 't', paramters: {} }] }, 'nodes.0.paramters: unknown.'],
    [
      { nodes: [{ name: 'In', type: 't', url: 'x' }] },
      'nodes.0.url: unknown. If it is a parameter, put it into "parameters"',
    ],
    [{ name: 'A', colour: 'red' }, 'colour: unknown. Known keys: id, workflow, name,'],
  ])('must not have unknown keys', (given, words) => {
    expect(refusal(given)?.join('\n')).toContain(words);
  });

  test('become a Pasted only if a workflow was pasted', () => {
    expect(read({ workflow: null })).toEqual({});
    expect(read({ workflow: exported }).workflow).toBeInstanceOf(Pasted);
  });
});
