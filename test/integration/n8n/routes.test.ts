import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import { createN8nClient, type N8nClient } from '../../../src/n8n/client/client.ts';
import type { Drawing, Instances, Run } from '../../../src/n8n/drawing/shapes.ts';
import type { Kept, ShownVersions, Whole } from '../../../src/n8n/routes/shapes.ts';
import { sharedCache } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing, startN8n, type TestN8n } from '../../support/n8n.ts';
import { hook, node } from '../../support/workflows.ts';
import { startGateway, type TestGateway } from '../harness.ts';

const prefix = `r${crypto.randomUUID().slice(0, 6)}-`;
const TOKEN = `sk-${'a1B2c3D4'.repeat(5)}`;
const PASSWORD = 'hunter2-very-secret-42';

describe.skipIf(n8nIsMissing)('the routes for pages about n8n, on a real n8n', () => {
  const held = new AsyncDisposableStack();
  let n8n: N8nClient;
  let reached: TestN8n;
  let gateway: TestGateway;
  let id: string;

  beforeAll(async () => {
    reached = await startN8n();
    const { url, apiKey } = reached;
    n8n = createN8nClient('default', { url, apiKey, timeoutMs: 30_000 });
    gateway = held.use(await startGateway({ n8n: { default: { url, apiKey } } }, { env: sharedCache }));
    const made = await n8n.workflows.create({
      name: `${prefix}orders <b>`,
      nodes: [
        hook(`${prefix}orders`),
        {
          ...node('Large?', 'if', 2.2, {
            conditions: {
              combinator: 'and',
              conditions: [
                {
                  id: 'c',
                  leftValue: '={{ $json.body.total }}',
                  rightValue: 10,
                  operator: { type: 'number', operation: 'gt' },
                },
              ],
              options: { caseSensitive: true, typeValidation: 'loose', version: 2 },
            },
            options: {},
          }),
          position: [300, 40],
        },
        node('Broken', 'code', 2, { jsCode: 'throw new Error("no <i>stock</i>")' }),
        node(
          'Pay',
          'httpRequest',
          4.2,
          {
            url: 'http://127.0.0.1:1/',
            sendHeaders: true,
            headerParameters: { parameters: [{ name: 'Authorization', value: `Bearer ${TOKEN}` }] },
          },
          { notes: `password: ${PASSWORD}` },
        ),
        node('Note', 'stickyNote', 1, {
          content: `Read <script>me\nPassword: ${PASSWORD}`,
          width: 320,
          height: 200,
        }),
        node('Off', 'noOp', 1, {}, { disabled: true, notes: 'later' }),
      ],
      connections: {
        Hook: { main: [[{ node: 'Large?', type: 'main', index: 0 }]] },
        'Large?': {
          main: [[{ node: 'Broken', type: 'main', index: 0 }], [{ node: 'Off', type: 'main', index: 0 }]],
        },
        Off: { main: [[{ node: 'Large?', type: 'main', index: 0 }]] },
      },
      settings: { executionOrder: 'v1' },
    });
    id = made.id;
    // Until the catalogue of its nodes is ready, little is known about types.
    await vi.waitFor(() => call('n8n_validate_workflow', { id }), { timeout: 120_000, interval: 200 });
    held.defer(() => n8n.workflows.delete(id));
  }, N8N_START_MS);

  afterAll(() => held.disposeAsync());

  async function read<T>(path: string, init?: RequestInit): Promise<T> {
    const response = await fetch(`${gateway.url}/api/v1/n8n${path}`, init);
    const text = await response.text();
    expect(response.headers.get('cache-control')).toBe('no-store');
    expect(text).not.toContain(TOKEN);
    expect(text).not.toContain(PASSWORD);
    expect(text).not.toContain(reached.apiKey);
    if (!response.ok) throw new Error(text);
    return JSON.parse(text) as T;
  }

  const failing = async (path: string) => (await fetch(`${gateway.url}/api/v1/n8n${path}`)).text();

  const call = async <T>(name: string, args: object): Promise<T> => {
    const response = await fetch(`${gateway.url}/api/v1/mcp/invoke`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ name, arguments: args }),
    });
    const text = await response.text();
    const { result } = JSON.parse(text) as { result?: { structuredContent?: T } };
    if (!result?.structuredContent) throw new Error(text);
    return result.structuredContent;
  };

  it('lists the instances with version and state', async () => {
    const { instances } = await read<Instances>('');
    expect(instances).toMatchObject([{ name: 'default', state: 'ready', url: reached.url }]);
    expect(instances[0]?.version).toMatch(/^\d+\.\d+/);
  });

  it('draws a workflow as it is, also with links in circles', async () => {
    const { url, nodes, links } = await read<Drawing>(`/default/workflows/${id}/drawing`);
    expect(url).toBe(`${reached.url}/workflow/${id}`);
    const named = new Map(nodes.map((one) => [one.name, one]));
    expect(named.get('Large?')).toMatchObject({ outputs: ['true', 'false'], at: { x: 300, y: 40 } });
    expect(named.get('Hook')).toMatchObject({ trigger: true });
    expect(named.get('Note')).toMatchObject({ size: { wide: 320, tall: 200 } });
    expect(named.get('Off')).toMatchObject({ disabled: true, notes: 'later' });
    expect(links).toContainEqual({ from: 'Large?', to: 'Off', kind: 'main', output: 1, input: 0 });
    expect(links).toContainEqual({ from: 'Off', to: 'Large?', kind: 'main', output: 0, input: 0 });
  });

  it('shows on the drawing what ran, and what failed', async () => {
    await call('n8n_publish_workflow', { id, validate: 'off' });
    const ran = await call<{ status: string; execution: string }>('n8n_execute_workflow', { id, data: { total: 12 } });
    expect(ran.status).toBe('error');
    const run = await read<Run>(`/default/executions/${ran.execution}/drawing`);
    expect(run.workflow).toBe(id);
    expect(run.nodes.map(({ node: name }) => name)).toEqual(['Hook', 'Large?', 'Broken']);
    expect(run.nodes[1]?.outputs.map(({ items }) => items)).toEqual([1, 0]);
    expect(run.nodes[2]).toMatchObject({ failed: true, inputs: [{ from: 'Large?', output: 0, items: 1 }] });
    expect(run.nodes[2]?.error).toContain('no <i>stock</i>');
    expect(await failing('/default/executions/nothing/drawing')).toContain('is a number');
    expect(await failing('/default/executions/99999999/drawing')).toContain('99999999');
  });

  it('compares the newest backup with the draft, and hides secrets in both', async () => {
    await call('n8n_backup_workflow', { id });
    await call('n8n_edit_workflow', {
      id,
      operations: [
        { op: 'set_parameter', node: 'Pay', path: 'url', value: 'http://127.0.0.1:2/' },
        { op: 'rename_node', node: 'Off', to: 'Later' },
      ],
    });
    const diff = await read<ShownVersions>(`/version-diff?workflow=${id}&before=backup&after=draft`);
    expect(diff).toMatchObject({ workflow: { id }, hidesSecrets: true });
    expect(diff.changes.length).toBeGreaterThan(0);
    expect(JSON.stringify(diff.before.content)).not.toEqual(JSON.stringify(diff.after.content));
    expect(await failing(`/version-diff?workflow=${id}&before=draft`)).toContain('after');
    expect(await failing(`/version-diff?before=draft&after=backup`)).toContain('id');
    expect(await failing(`/version-diff?workflow=${id}&before=draft&after=draft&more=1`)).toContain('more');
  });

  it('backs up a whole n8n and tells how far it is, then says what is in it', async () => {
    const response = await fetch(`${gateway.url}/api/v1/n8n/backups`, { method: 'POST', body: '{}' });
    expect(response.headers.get('content-type')).toBe('text/event-stream');
    const events = (await response.text()).trim().split('\n\n');
    expect(events.at(-1)).toMatch(/^event: done\n/);
    const { backup } = JSON.parse(events.at(-1)?.split('data: ')[1] ?? '') as { backup: string };
    const kept = await read<Kept>('/backups');
    expect(kept.disk).toMatchObject({ directory: expect.stringContaining(gateway.home) });
    expect(kept.whole).toMatchObject([{ id: backup, where: ['disk'] }]);
    expect(kept.workflows.find((one) => one.id === id)).toMatchObject({ state: 'present' });
    const whole = await read<Whole>(`/whole-backup?backup=${encodeURIComponent(backup)}`);
    expect(whole.workflows.find((one) => one.id === id)).toMatchObject({ state: 'present', nodes: 6 });
    expect(await failing('/whole-backup?backup=nothing')).toContain('error');
    const refused = await fetch(`${gateway.url}/api/v1/n8n/backups`, { method: 'POST', body: '{"all":1}' });
    expect(refused.status).toBe(400);
  });

  it('asks for confirmation where the key has to confirm, and takes the token', async () => {
    const { url, apiKey } = reached;
    await using locked = await startGateway({ auth: { mode: 'keys' }, n8n: { default: { url, apiKey } } });
    const { key } = await createKey(locked.runtime.store.keys, {
      name: 'careful',
      scopes: ['n8n:write'],
      confirm: 'writes',
      createdAt: new Date().toISOString(),
      createdBy: 'test',
    });
    const take = async (body: object) => {
      const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' };
      const answer = await fetch(`${locked.url}/api/v1/n8n/backups`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      });
      const last = (await answer.text()).trim().split('\n\n').at(-1) ?? '';
      const [event, data = ''] = last.split('\ndata: ');
      return { event, data: JSON.parse(data) as { code?: string; confirm?: string } };
    };
    const refused = await take({});
    expect(refused).toMatchObject({ event: 'event: failed', data: { code: 'confirmation_required' } });
    expect(await take({ confirm: refused.data.confirm })).toMatchObject({ event: 'event: done' });
  });

  it('answers only whom the tools would answer', async () => {
    const { url, apiKey } = reached;
    await using locked = await startGateway({ auth: { mode: 'keys' }, n8n: { default: { url, apiKey } } });
    const asked = async (scopes: string[], path: string, method = 'GET') => {
      const grant = {
        name: path + method + scopes.join(),
        scopes,
        createdAt: new Date().toISOString(),
        createdBy: 'test',
      };
      const { key } = await createKey(locked.runtime.store.keys, grant);
      const headers = { authorization: `Bearer ${key}` };
      return (await fetch(`${locked.url}/api/v1/n8n${path}`, { method, headers })).status;
    };
    const drawing = `/default/workflows/${id}/drawing`;
    expect(await asked(['n8n:read'], drawing)).toBe(200);
    expect(await asked(['n8n:read'], '/backups')).toBe(200);
    expect(await asked(['n8n:read'], '/backups', 'POST')).toBe(403);
    expect(await asked(['memory:read'], drawing)).toBe(403);
    expect(await asked(['memory:read'], '')).toBe(403);
  });
});
