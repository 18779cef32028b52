/** People paste exports: a download, a template, the clipboard, or an answer of n8n's API. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Json } from '../../../src/kernel/source.ts';
import type { Workflow } from '../../../src/n8n/client/shapes.ts';
import { n8nTools } from '../../../src/n8n/own-source.ts';
import { testCatalogue } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { answering } from './fixtures.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

interface Outcome {
  workflow: { id: string; name: string; tags?: string[]; active: boolean };
  changes: string[];
  note?: string;
}

describe.skipIf(missing)('pasting a workflow', () => {
  let bench: Workbench;
  /** The answer of n8n's API for a published workflow with a tag, settings and pinned data. */
  let answer: Json;

  beforeAll(async () => {
    bench = await openWorkbench(n8nTools);
    const { workflow } = await bench.call<Outcome>('n8n_create_workflow', {
      name: bench.name('source'),
      ...answering(bench.name('source-path'), 1),
      pin_data: { In: [{ json: { body: { a: 1 } } }] },
      settings: { timezone: 'UTC' },
      tags: [bench.name('tag')],
      create_tags: true,
      publish: true,
    });
    answer = (await bench.client.http.ask('GET', `/api/v1/workflows/${workflow.id}`)) as Json;
  }, N8N_START_MS);

  afterAll(() => bench[Symbol.asyncDispose]());

  const read = (id: string): Promise<Workflow> => bench.client.workflows.get(id);
  const create = (args: Json) => bench.call<Outcome>('n8n_create_workflow', args);
  const named = (name: string): Json => ({ ...answer, name: bench.name(name) });

  test("n8n's API refuses its own answer as input", async () => {
    await expect(bench.client.http.ask('POST', '/api/v1/workflows', { body: answer })).rejects.toThrow('answered 400');
  });

  test.each<[string, (given: Json) => Json]>([
    ['flat', (given) => given],
    ['wrapped', (given) => ({ workflow: given })],
    ['text', (given) => ({ workflow: JSON.stringify(given) })],
  ])('%s creates a new draft with all that n8n accepts, and one line says what was left out', async (kind, form) => {
    const { workflow, note } = await create(form(named(kind)));
    const made = await read(workflow.id);
    expect(made).toMatchObject({
      name: bench.name(kind),
      active: false,
      nodes: answer.nodes,
      connections: answer.connections,
      settings: { timezone: 'UTC' },
      pinData: answer.pinData,
      tags: [{ name: bench.name('tag') }],
    });
    expect(made.id).not.toBe(answer.id);
    expect(note).toMatch(
      /^Dropped from the pasted workflow[^.]*\bid\b[^.]*versionId[^.]*\. It was live where you exported it/,
    );
  });

  test('with unknown tags leaves them out, or creates them on request', async () => {
    const tags = [{ id: 'x', name: bench.name('new') }];
    const { workflow, note } = await create({ ...named('untagged'), tags });
    expect(workflow.tags).toBeUndefined();
    expect(note).toContain(`Left out tags that this n8n does not have: "${bench.name('new')}"`);
    const asked = await create({ ...named('tagged'), tags, create_tags: true });
    expect(asked.workflow.tags).toEqual([bench.name('new')]);
  });

  test('a node without a typeVersion gets the newest, in every tool that accepts nodes', async () => {
    const latest = testCatalogue().node('n8n-nodes-base.set')?.latest;
    const set = (name: string) => ({ name, type: 'n8n-nodes-base.set', parameters: { mode: 'raw', jsonOutput: '{}' } });
    const { workflow, note } = await create({ name: bench.name('versions'), nodes: [set('A')] });
    expect(note).toBe(`Nodes without a typeVersion got the newest of this n8n: "A" ${latest}.`);
    const { id } = workflow;
    const updated = await bench.call<Outcome>('n8n_update_workflow', { id, nodes: [set('A'), set('B')] });
    expect(updated.note).toContain(`"B" ${latest}`);
    expect(updated.note).not.toContain('"A"');
    const edited = await bench.call<{ note: string }>('n8n_edit_workflow', {
      id,
      operations: [{ op: 'add_node', node: set('C'), after: 'B' }],
    });
    expect(edited.note).toContain(`"C" ${latest}`);
    expect((await read(id)).nodes.map(({ typeVersion }) => typeVersion)).toEqual([latest, latest, latest]);
  });

  test('nodes without a position are laid out by their connections; the others keep theirs', async () => {
    const noOp = (name: string) => ({ name, type: 'n8n-nodes-base.noOp', typeVersion: 1 });
    const to = (...names: string[]) => names.map((name) => ({ node: name, type: 'main', index: 0 }));
    const nodes = [
      noOp('Both'),
      { ...noOp('If'), type: 'n8n-nodes-base.if', typeVersion: 2.2 },
      noOp('No'),
      noOp('Yes'),
    ];
    const connections = {
      If: { main: [to('Yes'), to('No')] },
      Yes: { main: [to('Both')] },
      No: { main: [to('Both')] },
    };
    const { workflow } = await create({ name: bench.name('laid out'), nodes, connections });
    const { id } = workflow;
    const places = async () => Object.fromEntries((await read(id)).nodes.map(({ name, position }) => [name, position]));
    const first = { Both: [448, 0], If: [0, 0], No: [224, 96], Yes: [224, -96] };
    expect(await places()).toEqual(first);
    await bench.call('n8n_update_workflow', {
      id,
      nodes: [...nodes, noOp('End')],
      connections: { ...connections, Both: { main: [to('End')] } },
    });
    expect(await places()).toEqual({ ...first, End: [672, 0] });
    const operations = [{ op: 'add_node', node: noOp('Beside'), after: 'If' }];
    await bench.call('n8n_edit_workflow', { id, operations, validate: 'warn' });
    expect(await places()).toEqual({ ...first, End: [672, 0], Beside: [224, 288] });
  });

  test('into another workflow replaces its nodes and keeps its settings and tags', async () => {
    const { workflow: target } = await create({
      name: bench.name('target'),
      nodes: [{ name: 'Old', type: 'n8n-nodes-base.noOp', typeVersion: 1 }],
      settings: { executionTimeout: 60 },
      tags: [bench.name('own')],
      create_tags: true,
    });
    const outcome = await bench.call<Outcome>('n8n_update_workflow', { id: target.id, workflow: answer });
    expect(outcome.note).toContain(`You pasted the workflow ${answer.id as string}; it was written into ${target.id}.`);
    expect(await read(target.id)).toMatchObject({
      name: bench.name('source'),
      nodes: answer.nodes,
      settings: { executionTimeout: 60, timezone: 'UTC' },
      pinData: answer.pinData,
      tags: expect.arrayContaining([
        expect.objectContaining({ name: bench.name('own') }),
        expect.objectContaining({ name: bench.name('tag') }),
      ]) as unknown,
    });
    expect((await read(answer.id as string)).versionId).toBe(answer.versionId);
  });

  test('into its original workflow needs no id, and says if that has changed since', async () => {
    const { workflow } = await create(named('back'));
    const old = (await bench.client.http.ask('GET', `/api/v1/workflows/${workflow.id}`)) as Json;
    const operations = [{ op: 'set_parameter', node: 'Answer', path: 'jsonOutput', value: '{"value":2}' }];
    await bench.call('n8n_edit_workflow', { id: workflow.id, operations });
    const { changes, note } = await bench.call<Outcome>('n8n_update_workflow', { workflow: old });
    expect(changes).toHaveLength(1);
    expect(changes[0]).toContain('parameters.jsonOutput');
    expect(note).toContain(`You pasted version ${old.versionId as string}`);
  });

  test('is validated as it will be saved', async () => {
    for (const given of [{ workflow: answer }, answer]) {
      const judged = await bench.call<{ findings: { rule: string }[]; notes?: string[] }>('n8n_validate_workflow', {
        ...given,
        purpose: 'save',
      });
      expect(judged.findings.map(({ rule }) => rule)).not.toContain('unknown-workflow-key');
    }
  });

  test('with credentials in the old export format does not break any list', async () => {
    const slack = (name: string, slackApi: unknown) => ({
      id: name,
      name,
      type: 'n8n-nodes-base.slack',
      typeVersion: 2.3,
      position: [0, 0],
      parameters: {},
      credentials: { slackApi },
    });
    const body = {
      name: bench.name('old'),
      nodes: [slack('A', 'My Slack'), slack('B', {})],
      connections: {},
      settings: {},
    };
    const { id } = (await bench.client.http.ask('POST', '/api/v1/workflows', { body })) as Json;
    const { workflows } = await bench.call<{ workflows: { id: string }[] }>('n8n_list_workflows', { name: body.name });
    expect(workflows).toMatchObject([{ id }]);
    expect((await read(id as string)).nodes.map(({ credentials }) => credentials)).toEqual([
      { slackApi: { id: null, name: 'My Slack' } },
      { slackApi: { id: null, name: '' } },
    ]);
  });

  test('with a misspelt argument is refused with a hint', async () => {
    await expect(create({ workflow: answer, pulish: true })).rejects.toThrow(
      'pulish: unknown. Did you mean "publish"?',
    );
    await expect(create({ ...named('odd'), settings: { timezon: 'UTC' } })).rejects.toThrow('Did you mean timezone?');
    await expect(create({})).rejects.toThrow('paste an exported workflow as "workflow"');
    await expect(bench.call('n8n_update_workflow', { name: 'x' })).rejects.toThrow('id is missing');
  });
});
