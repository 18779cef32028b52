import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Workflow } from '../../../src/n8n/client/shapes.ts';
import { templateTools } from '../../../src/n8n/templates/tools.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { openWorkbench, type Workbench } from '../../support/workbench.ts';

interface Exported {
  file_name: string;
  workflow: Workflow;
  sub_workflows?: { file_name: string; workflow: Workflow }[];
  removed: string[];
  left?: string[];
  needs: Record<string, unknown>;
}

/** Made up, and assembled at run time so that secret scanners do not flag this file. */
const token = `ghp_${'q7Zk2Vd9Lr4Tx8Wm3Yb6Nc1Hf5Js0Pg7Ra2Ue9Qi'.slice(0, 36)}`;

describe.skipIf(n8nIsMissing)('exporting workflows, from a real n8n', () => {
  let bench: Workbench;
  let inner: Workflow;
  let outer: Workflow;
  let credential: string;

  beforeAll(async () => {
    bench = await openWorkbench(templateTools);
    const secret = { name: bench.name('Key'), type: 'httpHeaderAuth', data: { name: 'X-Key', value: 'hidden' } };
    credential = (await bench.client.credentials.create(secret)).id;
    const trigger = {
      name: 'When called',
      type: 'n8n-nodes-base.executeWorkflowTrigger',
      typeVersion: 1.1,
      position: [0, 0] as [number, number],
      parameters: { inputSource: 'passthrough' },
    };
    inner = await bench.client.workflows.create({
      name: bench.name('Inner'),
      nodes: [trigger],
      connections: {},
      settings: { executionOrder: 'v1' },
    });
    outer = await bench.client.workflows.create({
      name: bench.name('Outer one'),
      nodes: [
        {
          name: 'Hook',
          type: 'n8n-nodes-base.webhook',
          typeVersion: 2,
          position: [0, 0],
          parameters: { path: 'orders', httpMethod: 'POST' },
        },
        {
          name: 'Call',
          type: 'n8n-nodes-base.httpRequest',
          typeVersion: 4.2,
          position: [200, 0],
          parameters: {
            url: `${bench.url}/webhook/orders?token=abc`,
            authentication: 'genericCredentialType',
            genericAuthType: 'httpHeaderAuth',
            sendHeaders: true,
            headerParameters: { parameters: [{ name: 'X-GitHub', value: token }] },
          },
          credentials: { httpHeaderAuth: { id: credential, name: secret.name } },
        },
        {
          name: 'Run inner',
          type: 'n8n-nodes-base.executeWorkflow',
          typeVersion: 1.2,
          position: [400, 0],
          parameters: { workflowId: { __rl: true, mode: 'id', value: inner.id } },
        },
        {
          name: 'Note',
          type: 'n8n-nodes-base.stickyNote',
          typeVersion: 1,
          position: [0, 300],
          parameters: { content: `Key: ${token}. Ask bob@acme.com.` },
        },
      ],
      connections: { Hook: { main: [[{ node: 'Call', type: 'main', index: 0 }]] } },
      settings: { executionOrder: 'v1', errorWorkflow: inner.id },
      pinData: { Hook: [{ json: { customer: 'Bob' } }] },
    });
  }, N8N_START_MS);

  afterAll(async () => {
    await bench.client.credentials.delete(credential);
    await bench[Symbol.asyncDispose]();
  });

  const exporting = (args: Record<string, unknown>) => bench.call<Exported>('n8n_export_workflow', args);

  it('removes what is private, and says what and where', async () => {
    const { workflow, removed, left, needs, file_name } = await exporting({ id: outer.id });
    const text = JSON.stringify(workflow);
    const hidden = [
      token,
      'token=abc',
      credential,
      outer.id,
      inner.id,
      outer.versionId,
      'Bob',
      new URL(bench.url).host,
    ];
    for (const one of [...hidden, ...outer.nodes.flatMap(({ id, webhookId }) => [id, webhookId])]) {
      if (one) expect(text).not.toContain(one);
    }
    expect(file_name).toBe(`${bench.name('outer-one')}.json`);
    expect(workflow.nodes[1]?.parameters.url).toBe('http://example.com/webhook/orders?token=YOUR_KEY');
    expect(workflow.nodes[2]?.parameters.workflowId).toMatchObject({ value: inner.name });
    expect(workflow.nodes[3]?.parameters.content).toBe('Key: YOUR_GITHUB_TOKEN. Ask bob@acme.com.');
    expect(removed).toEqual(
      expect.arrayContaining([
        'Pinned data of "Hook"',
        'Credentials of "Call"',
        expect.stringContaining('secret: "Call" parameters.headerParameters.parameters[0].value'),
        expect.stringContaining('secret: "Note"'),
        expect.stringContaining('private address: "Call" parameters.url'),
        'The error workflow (settings.errorWorkflow)',
      ]),
    );
    expect(left).toEqual(['E-mail address: "Note" parameters.content']);
    expect(needs).toMatchObject({
      credentials: [{ type: 'httpHeaderAuth', nodes: ['Call'] }],
      sub_workflows: [inner.name],
    });
  });

  it('keeps what was asked for, and brings sub-workflows', async () => {
    const keep = ['credentials', 'pinned_data', 'ids', 'urls', 'secrets'];
    const { workflow } = await exporting({ id: outer.id, keep });
    expect(workflow.nodes).toEqual(outer.nodes);
    expect(workflow.pinData).toEqual(outer.pinData);
    const whole = await exporting({ id: outer.id, sub_workflows: true });
    expect(whole.sub_workflows?.map(({ file_name, workflow: { name } }) => [file_name, name])).toEqual([
      [`${bench.name('inner')}.json`, inner.name],
    ]);
    expect(whole.workflow.settings).toMatchObject({ errorWorkflow: inner.name });
  });

  it('tells sub-workflows of the same name apart', async () => {
    const { nodes, connections } = inner;
    const twin = await bench.client.workflows.create({ name: inner.name, nodes, connections, settings: {} });
    const call = (name: string, id: string) => ({
      ...(outer.nodes[2] as Workflow['nodes'][number]),
      id: name,
      name,
      parameters: { workflowId: { __rl: true, mode: 'list', value: id, cachedResultName: inner.name } },
    });
    const both = await bench.client.workflows.create({
      name: bench.name('Both'),
      nodes: [call('One', inner.id), call('Other', twin.id)],
      connections: {},
      settings: {},
    });
    const { workflow, sub_workflows: files = [] } = await exporting({ id: both.id, sub_workflows: true });
    const [first = '', second = ''] = files.map(({ file_name: file }) => file.replace(/\.json$/, ''));
    expect(second).toBe(`${first}-2`);
    expect(workflow.nodes.map(({ parameters }) => parameters.workflowId)).toMatchObject([
      { value: inner.name, cachedResultName: inner.name },
      { value: second, cachedResultName: inner.name },
    ]);
    await bench.client.workflows.delete(twin.id);
  });

  it('refuses what is too long, and what does not exist', async () => {
    await expect(exporting({ id: outer.id, max_bytes: 1000 })).rejects.toThrow('larger "max_bytes"');
    await expect(exporting({ id: 'none' })).rejects.toThrow('No workflow none');
    await expect(exporting({ id: outer.id, keep: ['everything'] })).rejects.toThrow('keep');
  });

  it('can be imported again, equal but for what was removed', async () => {
    const { workflow: file } = await exporting({ id: outer.id });
    const { workflow, credentials } = await bench.call<{ workflow: { id: string }; credentials: unknown[] }>(
      'n8n_import_template',
      { workflow: file, name: bench.name('Back'), credentials: { httpHeaderAuth: credential } },
    );
    expect(credentials).toHaveLength(1);
    const back = await bench.client.workflows.get(workflow.id);
    expect(back.connections).toEqual(outer.connections);
    expect(back.settings).toMatchObject({ executionOrder: 'v1' });
    for (const [index, node] of back.nodes.entries()) {
      const { id: _, webhookId: __, parameters, ...rest } = outer.nodes[index] as Workflow['nodes'][number];
      expect(node).toMatchObject(rest);
      expect(Object.keys(node.parameters)).toEqual(Object.keys(parameters));
    }
    expect(back.nodes[2]?.parameters.workflowId).toMatchObject({ value: inner.id });
    expect(back.nodes[0]?.parameters.path).toMatch(/^orders-[0-9a-f]{8}$/);
  });
});
