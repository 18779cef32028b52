import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { AppError } from '../../../src/kernel/errors.ts';
import type { Json } from '../../../src/kernel/source.ts';
import { tagTools } from '../../../src/n8n/tags/tools.ts';
import { workflowTools } from '../../../src/n8n/workflows/tools.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { answering } from './fixtures.ts';
import { openWorkbench, reachN8n, type Reached, type Workbench } from '../../support/workbench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;
const tools = [...workflowTools, ...tagTools];

describe.skipIf(missing)('bad input to the tools for workflows', () => {
  let reached: Reached;
  let bench: Workbench;
  let id: string;

  beforeAll(async () => {
    reached = await reachN8n();
    bench = await openWorkbench(tools, reached);
    const name = bench.name('Customer invoices');
    const made = await bench.call<{ workflow: { id: string } }>('n8n_create_workflow', { name, ...answering(name) });
    id = made.workflow.id;
  }, N8N_START_MS);

  afterAll(() => bench[Symbol.asyncDispose]());

  /** Calls that need an id, with their other arguments. */
  const calls: [string, Json][] = [
    ['n8n_get_workflow', {}],
    ['n8n_update_workflow', { name: 'x' }],
    ['n8n_edit_workflow', { operations: [{ op: 'set_name', name: 'x' }] }],
    ['n8n_delete_workflow', {}],
    ['n8n_publish_workflow', {}],
    ['n8n_unpublish_workflow', {}],
    ['n8n_archive_workflow', {}],
    ['n8n_archive_workflow', { archived: false }],
    ['n8n_duplicate_workflow', {}],
    ['n8n_list_versions', {}],
    ['n8n_get_workflow', { version: 'draft' }],
    ['n8n_diff_versions', {}],
    ['n8n_set_workflow_tags', { tags: [] }],
  ];

  test.each(calls)('%s: an unknown id gets the nearest name', async (tool, args) => {
    const wanted = bench.name('Custmer invoices');
    const offered = `Did you mean "${bench.name('Customer invoices')}" (id ${id})?`;
    await expect(bench.call(tool, { id: wanted, ...args })).rejects.toThrow(offered);
    await expect(bench.call(tool, { id: '../credentials', ...args })).rejects.toThrow(/No workflow \.\.\/credentials/);
  });

  test.each([...calls, ['n8n_list_workflows', {}], ['n8n_create_workflow', { name: 'x', nodes: [] }]] as [
    string,
    Json,
  ][])('%s: an unknown argument is named, and nothing is done', async (tool, args) => {
    const before = await bench.client.workflows.get(id);
    await expect(bench.call(tool, { ...(tool.includes('list') ? {} : { id }), ...args, extra: 1 })).rejects.toThrow(
      /extra/,
    );
    expect(await bench.client.workflows.get(id)).toEqual(before);
  });

  test.each<[string, string, Json, RegExp]>([
    [
      'a property that nodes do not have',
      'n8n_update_workflow',
      { nodes: [{ name: 'A', type: 't', typeVersion: 1, colour: 'red' }] },
      /nodes\.0.*colour/,
    ],
    [
      'a setting that n8n does not have',
      'n8n_update_workflow',
      { settings: { timeZone: 'UTC' } },
      /Did you mean timezone\?/,
    ],
    [
      'two nodes with the same name',
      'n8n_update_workflow',
      { nodes: ['A', 'A'].map((name) => ({ name, type: 't', typeVersion: 1 })) },
      /Two nodes are called "A"/,
    ],
    [
      'a connection to a missing node',
      'n8n_update_workflow',
      { connections: { In: { main: [[{ node: 'Nowhere', type: 'main', index: 0 }]] } } },
      /unknown-connection-target at \/connections\/In\/main\/0\/0/,
    ],
    [
      'a connection to a missing node, checked only by n8n',
      'n8n_update_workflow',
      { connections: { In: { main: [[{ node: 'Nowhere', type: 'main', index: 0 }]] } }, validate: 'off' },
      /"Nowhere" does not reference an existing node/,
    ],
    ['an unknown operation', 'n8n_edit_workflow', { operations: [{ op: 'explode' }] }, /operations\.0\.op/],
    ['no operation', 'n8n_edit_workflow', { operations: [] }, /operations/],
    [
      'a second operation that fails',
      'n8n_edit_workflow',
      {
        operations: [
          { op: 'set_name', name: 'half' },
          { op: 'remove_node', node: 'Nobody' },
        ],
      },
      /operations\[1\] \(remove_node\) failed, so nothing was changed/,
    ],
    [
      'a credential that does not exist',
      'n8n_edit_workflow',
      { operations: [{ op: 'set_credential', node: 'In', type: 'httpHeaderAuth', id: 'nope' }] },
      /No credential nope/,
    ],
    [
      'a tag that does not exist',
      'n8n_edit_workflow',
      { operations: [{ op: 'add_tags', tags: ['no such tag at all'] }] },
      /No tag "no such tag at all"/,
    ],
    ['an unknown n8n', 'n8n_update_workflow', { instance: 'mars', name: 'x' }, /There is no n8n mars\. Known: default/],
  ])('%s is refused, and the workflow stays unchanged', async (_, tool, args, message) => {
    const before = await bench.client.workflows.get(id);
    await expect(bench.call(tool, { id, ...args })).rejects.toThrow(message);
    expect(await bench.client.workflows.get(id)).toEqual(before);
  });

  test('20 MB are too much for n8n: the error says so, and the workflow is unchanged', async () => {
    const before = await bench.client.workflows.get(id);
    const operations = [
      { op: 'set_parameter', node: 'Answer', path: 'jsonOutput', value: `"${'x'.repeat(20_000_000)}"` },
    ];
    await expect(bench.call('n8n_edit_workflow', { id, operations })).rejects.toThrow(/too large for n8n/);
    expect(await bench.client.workflows.get(id)).toEqual(before);
  });

  test('a call that is cancelled before it starts changes nothing', async () => {
    const before = await bench.client.workflows.get(id);
    const operations = [{ op: 'set_name', name: 'x' }];
    const enough = AbortSignal.abort(new AppError('cancelled', 'Enough.'));
    await expect(bench.call('n8n_edit_workflow', { id, operations }, enough)).rejects.toThrow('Enough.');
    expect(await bench.client.workflows.get(id)).toEqual(before);
  });

  test('a wrong key is reported, with the setting to change', async () => {
    await using wrong = await openWorkbench(tools, reached, { apiKey: 'wrong' });
    for (const [tool, args] of calls) {
      await expect(wrong.call(tool, { id, ...args }), tool).rejects.toThrow(
        /refused the API key.*n8n\.default\.apiKey/,
      );
    }
  });

  test('an n8n that is down is reported', async () => {
    const server = createServer().listen(0, '127.0.0.1');
    await new Promise((listening) => server.once('listening', listening));
    const { port } = server.address() as AddressInfo;
    await new Promise((closed) => server.close(closed));
    await using down = await openWorkbench(tools, reached, { url: `http://127.0.0.1:${port}` });
    await expect(down.call('n8n_edit_workflow', { id, operations: [{ op: 'set_name', name: 'x' }] })).rejects.toThrow(
      /cannot be reached.*n8n\.default\.url/,
    );
  });

  test('publishing works even if n8n refuses the login', async () => {
    const login = { email: 'nobody@example.com', password: 'wrong' };
    await using locked = await openWorkbench(tools, reached, { login });
    const name = locked.name('locked');
    const made = await locked.call('n8n_create_workflow', { name, ...answering(name), publish: true });
    expect(made.publication).toEqual({
      published: true,
      note: expect.stringMatching(/checking this failed: The login to n8n/) as string,
    });
  });

  test('a new webhook is confirmed as live and as gone even without a login', async () => {
    await using blind = await openWorkbench(tools, { url: reached.url, apiKey: reached.apiKey });
    const name = blind.name('blind');
    const made = await blind.call<{ workflow: { id: string }; publication: Json }>('n8n_create_workflow', {
      name,
      ...answering(name),
      publish: true,
    });
    expect(made.publication).toEqual({ published: true, live: true });
    expect((await fetch(`${reached.url}/webhook/${name}`)).status).toBe(200);
    const operations = [{ op: 'set_parameter', node: 'Answer', path: 'jsonOutput', value: '{}' }];
    const { edited } = await blind.call<{ edited: Json[] }>('n8n_edit_workflow', {
      id: made.workflow.id,
      operations,
      publish: true,
    });
    expect(edited[0]?.publication).toEqual({
      published: true,
      note: expect.stringMatching(/To check this, set n8n/) as string,
    });
    expect(await blind.call('n8n_unpublish_workflow', { id: made.workflow.id })).toMatchObject({
      unpublished: [{ gone: true }],
    });
    expect((await fetch(`${reached.url}/webhook/${name}`)).status).toBe(404);
  });
});
