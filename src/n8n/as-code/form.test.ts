import * as fc from 'fast-check';
import { describe, expect, it, test } from 'vitest';
import type { Node, Workflow } from '../client/shapes.ts';
import { formOf, hashInN8n, hashOf, readForm, textOf } from './form.ts';
import { asFile, type Known, refIn, refOfName, withRenamed } from './references.ts';
import { pointsElsewhere, resolved, type Target8n } from './resolve.ts';

const files = new Map([
  ['w1', 'orders.json'],
  ['w2', 'invoices.json'],
]);
const workflows = new Map(
  [
    ['w1', 'Orders'],
    ['w2', 'Invoices'],
    ['w3', 'Shared, 100% ours'],
  ].map(([id, name]) => [id as string, { id: id as string, name: name as string }]),
);
const credentials = [
  { id: 'c1', name: 'Bot', type: 'slackApi' },
  { id: 'c2', name: 'Twin', type: 'slackApi' },
  { id: 'c3', name: 'Twin', type: 'slackApi' },
];
const known: Known = {
  fileOf: (id) => files.get(id),
  workflowName: (id) => workflows.get(id)?.name,
  credentialName: (id) => credentials.find((one) => one.id === id)?.name,
};
const target: Target8n = {
  instance: 'lab',
  workflows,
  credentials,
  side: { credentials: new Map(), named: new Map() },
  files: new Set(files.values()),
  idOf: (file) => [...files].find(([, name]) => name === file)?.[0],
  isComing: () => false,
};

const node = (name: string, type: string, more: Partial<Node> = {}): Node => ({
  id: `id of ${name}`,
  name,
  type: `n8n-nodes-base.${type}`,
  typeVersion: 1,
  position: [0, 0],
  parameters: {},
  ...more,
});
const call = (value: string): Node =>
  node('Call', 'executeWorkflow', {
    parameters: {
      workflowId: { __rl: true, mode: 'list', value, cachedResultName: 'x', cachedResultUrl: `/w/${value}` },
    },
  });
const workflow = (nodes: Node[], more: Partial<Workflow> = {}): Workflow => ({
  id: 'w1',
  name: 'Orders',
  active: true,
  isArchived: false,
  versionId: 'v1',
  nodes,
  connections: {},
  settings: {},
  ...more,
});
const fileOf = (one: Workflow) => asFile(one, known, false);

describe('a workflow in a file', () => {
  it('has nothing that belongs to one n8n', () => {
    const given = workflow(
      [
        node('Post', 'slack', { credentials: { slackApi: { id: 'c1', name: 'stale' } }, webhookId: 'hook', notes: '' }),
        call('w2'),
        node('Rows', 'dataTable', {
          parameters: { dataTableId: { __rl: true, mode: 'list', value: 't1', cachedResultName: 'customers' } },
        }),
      ],
      {
        settings: { errorWorkflow: 'w3', callerIds: 'w2, w3', timezone: 'DEFAULT', odd: 1 },
        tags: [
          { id: 't', name: 'b' },
          { id: 'u', name: 'a' },
        ],
        pinData: { Post: [] },
        staticData: { seen: 1 },
      },
    );
    expect(JSON.parse(textOf(fileOf(given)))).toEqual({
      name: 'Orders',
      tags: [{ name: 'a' }, { name: 'b' }],
      settings: {
        callerIds: './invoices.json,name:Shared%2C 100%25 ours',
        errorWorkflow: 'name:Shared%2C 100%25 ours',
      },
      nodes: [
        { ...node('Post', 'slack'), credentials: { slackApi: { name: 'Bot' } }, webhookId: 'hook' },
        {
          ...node('Call', 'executeWorkflow'),
          parameters: {
            workflowId: { __rl: true, mode: 'list', value: './invoices.json', cachedResultName: 'Invoices' },
          },
        },
        {
          ...node('Rows', 'dataTable'),
          parameters: { dataTableId: { __rl: true, mode: 'name', value: 'customers' } },
        },
      ],
      connections: {},
    });
  });

  it('keeps pinned data only if the folder does', () => {
    const given = workflow([node('A', 'noOp')], { pinData: { A: [{ json: { secret: 1 } }] } });
    expect(textOf(asFile(given, known, false))).not.toContain('secret');
    expect(asFile(given, known, true).pinData).toEqual({ A: [{ json: { secret: 1 } }] });
  });

  it('is read back, also if somebody formatted it, or put an export of n8n there', () => {
    const form = fileOf(workflow([node('A', 'noOp'), call('w2')]));
    for (const text of [textOf(form), JSON.stringify(form), `\uFEFF${JSON.stringify(form, null, 8)}`])
      expect(readForm(text, false)).toEqual({ form });
    const exported = workflow([node('A', 'slack', { credentials: { slackApi: { id: 'zz', name: 'Bot' } } })]);
    const { form: read } = readForm(JSON.stringify({ ...exported, meta: {}, pinData: null }), false) as {
      form: unknown;
    };
    expect(read).toEqual(fileOf(exported));
  });

  it.each([
    ['{"nodes": [', 'not JSON'],
    ['{"name": "", "nodes": []}', 'name'],
    ['{"name": "A", "nodes": [{}]}', 'nodes.0'],
    ['{"name": "A", "nodes": {}}', 'nodes'],
    ['['.repeat(100_000), 'not JSON'],
  ])('%.30s cannot be read', (text, why) =>
    expect(readForm(text, false)).toEqual({ problem: expect.stringContaining(why) as string }),
  );

  it.each(['{"name": "package", "version": "1.0.0"}', '[]', '1'])('%s is none', (text) =>
    expect(readForm(text, false)).toBe('no workflow'),
  );

  it('is the same text whatever the order of keys was', () => {
    const given = workflow([node('A', 'noOp', { parameters: { b: 1, a: { d: 1, c: 2 } } })]);
    const turned = JSON.parse(JSON.stringify(given), (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).toReversed())
        : value,
    ) as Workflow;
    expect(textOf(fileOf(turned))).toBe(textOf(fileOf(given)));
  });
});

describe('a name in a file', () => {
  test('of a workflow survives commas, percent signs and anything else', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom(',', '%', '2', 'C', '5', 'é', ' ') }), (name) => {
        expect(refOfName(name)).not.toContain(',');
        expect(refIn(refOfName(name))).toEqual({ name });
      }),
    );
  });

  it('points at what the n8n has', () => {
    const given = workflow(
      [node('Post', 'slack', { credentials: { slackApi: { id: 'c1', name: 'Bot' } } }), call('w2')],
      {
        settings: { errorWorkflow: 'w3', callerIds: 'w2,w3' },
      },
    );
    const { form, problems, pending } = resolved(fileOf(given), undefined, target);
    expect([problems, pending]).toEqual([[], []]);
    expect(form.settings).toEqual(given.settings);
    expect(form.nodes[0]?.credentials).toEqual({ slackApi: { id: 'c1', name: 'Bot' } });
    expect(form.nodes[1]?.parameters.workflowId).toMatchObject({ value: 'w2', cachedResultName: 'Invoices' });
    expect(pointsElsewhere(form, given)).toBe(false);
    expect(pointsElsewhere(form, { ...given, nodes: [given.nodes[0] as Node, call('w9')] })).toBe(true);
  });

  it.each([
    [
      'a credential that is missing',
      [node('A', 'slack', { credentials: { slackApi: { name: 'Bod' } } })],
      {},
      'it has "Bot"',
    ],
    [
      'two credentials of one name',
      [node('A', 'slack', { credentials: { slackApi: { name: 'Twin' } } })],
      {},
      'c2, c3',
    ],
    ['a file that is missing', [call('./invoice.json')], {}, './invoices.json'],
    ['a workflow that is missing', [call('name:Nobody')], {}, '"Nobody"'],
    ['an id of another n8n', [call('w8')], {}, 'w8'],
    ['an error workflow', [], { errorWorkflow: './gone.json' }, 'settings.errorWorkflow'],
  ])('reports %s', (_, nodes, settings, why) => {
    const { problems } = resolved(formOf({ name: 'A', nodes, connections: {}, settings }, false), undefined, target);
    expect(problems).toEqual([expect.stringContaining(why)]);
  });

  it('means the credential that the node has already, or the one in the side file', () => {
    const twin = (id: string) => workflow([node('A', 'slack', { credentials: { slackApi: { id, name: 'Twin' } } })]);
    const idIn = (now: Workflow | undefined, pins: [string, string][] = []) => {
      const side = { credentials: new Map(pins), named: new Map<string, string>() };
      return resolved(fileOf(twin('c2')), now, { ...target, side }).form.nodes[0]?.credentials?.slackApi?.id;
    };
    expect(idIn(twin('c3'))).toBe('c3');
    expect(idIn(twin('c3'), [['slackApi/Twin', 'c2']])).toBe('c2');
    expect(idIn(undefined, [['slackApi/Twin', 'c2']])).toBe('c2');
    const other = {
      ...target,
      side: { credentials: new Map([['slackApi/Twin', 'h1']]), named: new Map<string, string>() },
    };
    const credentials = [...target.credentials, { id: 'h1', name: 'Twin', type: 'httpHeaderAuth' }];
    expect(resolved(fileOf(twin('c2')), undefined, { ...other, credentials }).problems).toEqual([
      expect.stringContaining('pins to h1: n8n has no credential of this id and type (slackApi)'),
    ]);
  });

  it('follows a file that is renamed', () => {
    const form = fileOf(workflow([call('w2')], { settings: { callerIds: 'w1,w2' } }));
    const next = withRenamed(form, new Map([['invoices.json', 'bills.json']]));
    expect(next.nodes[0]?.parameters.workflowId).toMatchObject({ value: './bills.json', cachedResultName: 'Invoices' });
    expect(next.settings.callerIds).toBe('./orders.json,./bills.json');
  });
});

describe('a change in n8n', () => {
  const given = workflow([node('A', 'slack', { credentials: { slackApi: { id: 'c1', name: 'Bot' } } }), call('w2')]);
  const changed = (change: (copy: Workflow) => void) => {
    const copy = structuredClone(given);
    change(copy);
    return hashInN8n(copy, false) !== hashInN8n(given, false);
  };

  it.each<[string, boolean, (copy: Workflow) => void]>([
    ['another parameter', true, (copy) => Object.assign(copy.nodes[0]?.parameters ?? {}, { text: 'x' })],
    ['another name', true, (copy) => Object.assign(copy, { name: 'B' })],
    ['another tag', true, (copy) => Object.assign(copy, { tags: [{ id: '1', name: 'x' }] })],
    ['another credential', true, (copy) => Object.assign(copy.nodes[0]?.credentials?.slackApi ?? {}, { id: 'c2' })],
    [
      'a renamed credential',
      false,
      (copy) => Object.assign(copy.nodes[0]?.credentials?.slackApi ?? {}, { name: 'New' }),
    ],
    [
      'a renamed workflow that it calls',
      false,
      (copy) => Object.assign(copy.nodes[1]?.parameters.workflowId ?? {}, { cachedResultName: 'New' }),
    ],
    ['publishing', false, (copy) => Object.assign(copy, { active: false, versionId: 'v2', updatedAt: 'now' })],
    ['pinned data', false, (copy) => Object.assign(copy, { pinData: { A: [] } })],
  ])('%s: %s', (_, isChange, change) => expect(changed(change)).toBe(isChange));
});

const anyNode = fc
  .record({
    name: fc.constantFrom('A', 'B', 'C'),
    type: fc.constantFrom('slack', 'executeWorkflow', 'set'),
    credential: fc.constantFrom('c1', 'c2', 'c3', undefined),
    called: fc.constantFrom('w1', 'w2', 'w3', 'unknown', '={{ $json.id }}'),
    parameters: fc.dictionary(fc.string(), fc.jsonValue(), { maxKeys: 3 }),
    disabled: fc.option(fc.boolean(), { nil: undefined }),
  })
  .map(({ name, type, credential, called, parameters, disabled }) =>
    node(name, type, {
      parameters: type === 'executeWorkflow' ? call(called).parameters : parameters,
      ...(credential !== undefined && {
        credentials: { slackApi: { id: credential, name: known.credentialName(credential) as string } },
      }),
      ...(disabled !== undefined && { disabled }),
    }),
  );
const anyWorkflow = fc
  .record({
    nodes: fc.uniqueArray(anyNode, { selector: ({ name }) => name }),
    errors: fc.constantFrom('w1', 'w2', 'w3', 'unknown', 'DEFAULT', ''),
    description: fc.string(),
  })
  .map(({ nodes, errors, description }) => workflow(nodes, { description, settings: { errorWorkflow: errors } }));

describe('pull and push', () => {
  test('leave a workflow as it was', () => {
    fc.assert(
      fc.property(anyWorkflow, (given) => {
        const file = readForm(textOf(fileOf(given)), false) as { form: ReturnType<typeof fileOf> };
        expect(hashOf(file.form)).toBe(hashOf(fileOf(given)));
        const { form, problems } = resolved(file.form, given, target);
        expect(problems).toEqual([]);
        const back = { ...given, ...form, tags: [] } as Workflow;
        expect(hashInN8n(back, false)).toBe(hashInN8n(given, false));
        expect(textOf(fileOf(back))).toBe(textOf(fileOf(given)));
      }),
    );
  });
});
