import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { catalogueIsMissing, testCatalogue } from '../../../../test/support/catalogue.ts';
import { corpus } from '../../../../test/validation/corpus.ts';
import { type Workflow, workflowShape } from '../../client/shapes.ts';
import { drafted } from '../import/member.ts';
import { checkedNodes } from '../import/node-check.ts';
import { sourceOf } from '../import/source.ts';
import { fileNameOf } from './file-name.ts';
import { type Keep, keepable, sanitised } from './sanitised.ts';

const uuid = '0f0f0f0f-0f0f-4f0f-8f0f-0f0f0f0f0f0f';

const workflow = workflowShape.parse({
  id: 'w1',
  name: 'Orders',
  active: true,
  description: 'Runs at http://localhost:5678',
  versionId: 'v1',
  meta: { instanceId: 'i1' },
  shared: [{ projectId: 'p1' }],
  staticData: { lastId: 7 },
  tags: [{ id: 't1', name: 'shop' }],
  nodes: [
    {
      id: 'n1',
      name: 'Hook',
      type: 'n8n-nodes-base.webhook',
      typeVersion: 2,
      position: [0, 0],
      webhookId: uuid,
      parameters: { path: uuid, httpMethod: 'POST' },
    },
    {
      id: 'n2',
      name: 'Post',
      type: 'n8n-nodes-base.slack',
      typeVersion: 2.3,
      position: [200, 0],
      credentials: { slackApi: { id: 'c1', name: 'Bot' } },
      parameters: { text: '={{ $vars.greeting }}' },
      notes: 'Ask http://10.0.0.1',
    },
    {
      id: 'n3',
      name: 'Call',
      type: 'n8n-nodes-base.executeWorkflow',
      typeVersion: 1.2,
      position: [400, 0],
      parameters: { workflowId: { __rl: true, mode: 'list', value: 'w2', cachedResultName: 'Old name' } },
    },
    {
      id: 'n4',
      name: 'Note',
      type: 'n8n-nodes-base.stickyNote',
      typeVersion: 1,
      position: [0, 300],
      parameters: { content: '## How to' },
    },
  ],
  connections: { Hook: { main: [[{ node: 'Post', type: 'main', index: 0 }]] } },
  settings: { errorWorkflow: 'w9', callerPolicy: 'workflowsFromAList', callerIds: 'w5', timezone: 'Europe/Berlin' },
  pinData: { Hook: [{ json: { customer: 'Bob' } }] },
});

const exported = (keep: readonly Keep[] = [], given: Workflow = workflow) =>
  sanitised(given, {
    keep: new Set(keep),
    nameOf: ({ id, name = '' }) => (id === 'w2' ? { id: 'Invoices', name: 'Invoices' } : { id: name, name }),
  });

describe('a workflow for others', () => {
  it('has nothing of its owner or of this n8n', () => {
    const { workflow: clean, removed } = exported();
    expect(clean).toEqual({
      name: 'Orders',
      description: 'Runs at http://example.com',
      nodes: [
        {
          id: 'node-1',
          name: 'Hook',
          type: 'n8n-nodes-base.webhook',
          typeVersion: 2,
          position: [0, 0],
          parameters: { path: 'hook', httpMethod: 'POST' },
        },
        {
          id: 'node-2',
          name: 'Post',
          type: 'n8n-nodes-base.slack',
          typeVersion: 2.3,
          position: [200, 0],
          parameters: { text: '={{ $vars.greeting }}' },
          notes: 'Ask http://example.com',
        },
        {
          id: 'node-3',
          name: 'Call',
          type: 'n8n-nodes-base.executeWorkflow',
          typeVersion: 1.2,
          position: [400, 0],
          parameters: { workflowId: { __rl: true, mode: 'list', value: 'Invoices', cachedResultName: 'Invoices' } },
        },
        {
          id: 'node-4',
          name: 'Note',
          type: 'n8n-nodes-base.stickyNote',
          typeVersion: 1,
          position: [0, 300],
          parameters: { content: '## How to' },
        },
      ],
      connections: workflow.connections,
      settings: { executionOrder: 'v0', timezone: 'Europe/Berlin' },
    });
    expect(removed.lines()).toEqual([
      'Id of a sub-workflow: "Call", now by name: "Invoices"',
      'The error workflow (settings.errorWorkflow)',
      'The workflows that may call it (settings.callerIds)',
      'private address: "Post" notes, now example.com',
      'Pinned data of "Hook"',
      'Static data (what it remembers between runs)',
      'Tags: 1',
      'private address: description, now example.com',
      'Credentials of "Post"',
      'Webhook ids of "Hook"',
    ]);
  });

  it('keeps what was asked for', () => {
    const { workflow: whole } = exported(keepable);
    const { nodes, connections, settings, pinData, name, description } = workflow;
    expect(whole).toEqual({
      name,
      description,
      nodes,
      connections,
      settings: { executionOrder: 'v0', ...settings },
      pinData,
      tags: [{ name: 'shop' }],
    });
    expect(exported(['credentials']).workflow).toMatchObject({
      nodes: [{}, { credentials: { slackApi: {} } }, {}, {}],
    });
    expect(exported(['ids']).workflow).toMatchObject({ nodes: [{ id: 'n1', webhookId: uuid }, {}, {}, {}] });
  });

  it('keeps groups together', () => {
    const grouped = { ...workflow, nodeGroups: [{ id: 'g', name: 'G', nodeIds: ['n2', 'n3'] }] };
    expect(exported([], grouped).workflow.nodeGroups).toEqual([
      { id: 'group-1', name: 'G', nodeIds: ['node-2', 'node-3'] },
    ]);
  });

  const made = (id: string) => workflowShape.parse({ ...workflow, id, nodes: workflow.nodes });

  it('does not repeat its ids in texts', () => {
    const id = 'aB3xY9kLmN0pQrSt';
    const content = `https://n8n.acme.com/workflow/${id} and https://n8n.acme.com/webhook/${uuid}`;
    const [hook, post, call, note] = workflow.nodes;
    const { workflow: clean } = exported([], {
      ...made(id),
      nodes: [hook, post, call, { ...note, parameters: { content } }] as Workflow['nodes'],
    });
    expect(JSON.stringify(clean)).not.toContain(id);
    expect(JSON.stringify(clean)).not.toContain(uuid);
    expect(clean).toMatchObject({
      nodes: [{}, {}, {}, { parameters: { content: expect.stringContaining('/workflow/YOUR_WORKFLOW_ID and') } }],
    });
  });

  it('keeps paths apart that differ, and together that are the same', () => {
    const other = uuid.replace('0f', '1e');
    const hook = (name: string, path: string) => ({
      ...workflow.nodes[0],
      name,
      webhookId: path.slice(0, 36),
      parameters: { path },
    });
    const { workflow: clean } = exported([], {
      ...workflow,
      nodes: [
        hook('Hook', uuid),
        hook('Hook!', other),
        hook('Again', uuid),
        hook('Deep', `${uuid}/:id`),
      ] as Workflow['nodes'],
      connections: {},
    });
    const paths = (clean['nodes'] as Workflow['nodes']).map(({ parameters }) => parameters['path']);
    expect(paths).toEqual(['hook', 'hook-2', 'hook', 'hook/:id']);
  });

  it('renames nodes whose names hold something private, everywhere', () => {
    const secret = 'Ask http://10.0.0.7/';
    const [hook, post] = workflow.nodes;
    const { workflow: clean, removed } = exported([], {
      ...workflow,
      nodes: [
        { ...hook, name: secret },
        { ...post, parameters: { text: `={{ $('${secret}').item.json.x }}` } },
      ] as Workflow['nodes'],
      connections: { [secret]: { main: [[{ node: 'Post', type: 'main', index: 0 }]] } },
    });
    expect(JSON.stringify([clean, removed.lines()])).not.toContain('10.0.0.7');
    expect(clean).toMatchObject({
      nodes: [
        { name: 'Ask http://example.com/' },
        { parameters: { text: "={{ $('Ask http://example.com/').item.json.x }}" } },
      ],
      connections: { 'Ask http://example.com/': { main: [[{ node: 'Post' }]] } },
    });
  });

  it('cleans a workflow that is a parameter of a node', () => {
    const inside = JSON.stringify({ ...workflow, meta: { instanceId: 'i1' } });
    const { workflow: clean, removed } = exported([], {
      ...workflow,
      nodes: [{ ...workflow.nodes[2], parameters: { source: 'parameter', workflowJson: inside } }] as Workflow['nodes'],
      connections: {},
    });
    const [{ parameters }] = clean['nodes'] as [Workflow['nodes'][number]];
    const text = parameters['workflowJson'] as string;
    for (const one of ['"c1"', 'i1', uuid, 'Bob', 'lastId']) expect(text).not.toContain(one);
    expect(JSON.parse(text)).toMatchObject({ name: 'Orders', nodes: [{ name: 'Hook' }, {}, {}, {}] });
    expect(removed.lines()).toContain('"Call" parameters.workflowJson: Credentials of "Post"');
  });

  it('gets a file name from its name', () => {
    expect(fileNameOf('Orders → Slack (täglich)')).toBe('orders-slack-taglich.json');
    expect(fileNameOf('../../etc/passwd')).toBe('etc-passwd.json');
    expect(fileNameOf('!!!')).toBe('workflow.json');
    expect(fileNameOf('注文')).toBe('注文.json');
  });
});

describe.skipIf(catalogueIsMissing)('export, then import', () => {
  /** What has to survive the way out and in again. */
  function essence({ nodes, connections, settings }: Pick<Workflow, 'nodes' | 'connections' | 'settings'>) {
    return {
      nodes: nodes.map(({ id: _, webhookId: __, credentials: ___, parameters, ...node }) => ({
        ...node,
        parameters: JSON.parse(
          JSON.stringify(parameters).replaceAll(/("path":"[^"]*?)-[0-9a-f]{8}(?=["/])/g, '$1'),
        ) as unknown,
      })),
      connections,
      // The editor's word for "not set".
      settings: Object.fromEntries(Object.entries(settings ?? {}).filter(([, value]) => value !== 'DEFAULT')),
    };
  }

  function roundTrip(given: Workflow) {
    const { workflow: file } = exported([], given);
    const source = sourceOf(JSON.stringify(file));
    const { nodes } = checkedNodes(source.nodes, source.connections, testCatalogue());
    const decided = { source, name: given.name, nodes, choices: [], target: () => undefined, pins: false };
    return { file: file as unknown as Workflow, back: drafted(decided, testCatalogue()).draft as Workflow };
  }

  it('gives the same workflow back, for every valid one of the corpus', async () => {
    const files = await corpus();
    let count = 0;
    for (const { workflow: given } of files.flatMap(({ cases }) =>
      cases.filter(({ expected }) => expected.length === 0),
    )) {
      const read = workflowShape.safeParse({ id: 'w', name: 'A', settings: {}, connections: {}, ...(given as object) });
      if (!read.success || read.data.nodes.length === 0) continue;
      const whole = read.data.nodes.every(({ typeVersion, position }) => typeVersion !== undefined && position);
      if (!whole) continue;
      const { file, back } = roundTrip(read.data);
      expect(essence(back)).toEqual(essence(file));
      count++;
    }
    expect(count).toBeGreaterThan(200);
  });

  it('gives the same workflow back, whatever its texts are', () => {
    const texts = fc.dictionary(
      fc.stringMatching(/^[a-z]{1,6}$/),
      fc.oneof(fc.string({ unit: 'grapheme' }), fc.webUrl(), fc.emailAddress()),
      { maxKeys: 5 },
    );
    fc.assert(
      fc.property(texts, fc.stringMatching(/^[a-z0-9-]{1,12}$/), (fields, path) => {
        const [hook, , , note] = workflow.nodes;
        const given = {
          ...workflow,
          nodes: [
            { ...hook, parameters: { path, options: fields } },
            { ...note, parameters: { content: JSON.stringify(fields) } },
          ],
          connections: {},
          pinData: undefined,
        } as Workflow;
        const { file, back } = roundTrip(given);
        expect(back.nodes.map(({ parameters }) => ({ ...parameters, path: undefined }))).toEqual(
          file.nodes.map(({ parameters }) => ({ ...parameters, path: undefined })),
        );
      }),
      { numRuns: 200 },
    );
  });
});
