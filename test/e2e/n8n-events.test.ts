/** The gateway's events in a workflow of a real n8n: signed as docs/webhooks.md shows, and each exactly once. */
import { createHmac } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createN8nClient, type N8nClient } from '../../src/n8n/client/client.ts';
import type { Execution } from '../../src/n8n/client/shapes.ts';
import { runDataOf } from '../../src/n8n/executions/run-data.ts';
import { sharedCache } from '../support/catalogue.ts';
import { type FreshN8n, N8N_START_MS, n8nIsMissing, startFreshN8n } from '../support/n8n.ts';
import { createPlace, type Place, reference, type Started } from '../support/command-line.ts';

const secret = 'a secret of the two';

interface Event {
  id: string;
  event_type: string;
  data: { tool?: string };
}

/** The Code node from the documentation. */
async function documentedCode(): Promise<string> {
  const page = await readFile(new URL('../../docs/webhooks.md', import.meta.url), 'utf8');
  const code = /```js\n([^]*?)```/.exec(page)?.[1] ?? '';
  expect(code).toContain("'the same as in sluice.yaml'");
  return code.replace('the same as in sluice.yaml', secret);
}

describe.skipIf(n8nIsMissing)('events sent to a workflow of n8n', () => {
  let n8n: FreshN8n;
  let client: N8nClient;
  let place: Place;
  let gateway: Started & AsyncDisposable;
  let workflow: string;

  beforeAll(async () => {
    n8n = await startFreshN8n({ env: { NODE_FUNCTION_ALLOW_BUILTIN: 'crypto' } });
    const { url, apiKey, owner: login } = n8n;
    client = createN8nClient('default', { url, apiKey, timeoutMs: 30_000 });
    place = await createPlace({
      n8n: { default: { url, apiKey, login } },
      mcpServers: { ref: reference },
      events: {
        webhook: {
          url: `${url}/webhook/sluice`,
          secret,
          filter: ['tool.call_completed'],
          retry: { first: '100ms', most: '500ms' },
        },
      },
    });
    gateway = await place.serve(sharedCache);
    workflow = await createReceiver();
  }, N8N_START_MS);

  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await place?.[Symbol.asyncDispose]();
    await n8n?.[Symbol.asyncDispose]();
  });

  async function call(tool: string, args: object): Promise<unknown> {
    const { code, stdout, stderr } = await place.run(['call', tool, JSON.stringify(args), '--json']);
    if (code !== 0) throw new Error(stderr);
    return JSON.parse(stdout) as unknown;
  }

  async function createReceiver(): Promise<string> {
    const link = (node: string) => ({ main: [[{ node, type: 'main', index: 0 }]] });
    const made = await call('n8n_create_workflow', {
      name: 'Events of Sluice',
      publish: true,
      nodes: [
        {
          name: 'Webhook',
          type: 'n8n-nodes-base.webhook',
          typeVersion: 2,
          parameters: { path: 'sluice', httpMethod: 'POST', options: { rawBody: true } },
        },
        { name: 'Check', type: 'n8n-nodes-base.code', typeVersion: 2, parameters: { jsCode: await documentedCode() } },
        {
          name: 'New',
          type: 'n8n-nodes-base.removeDuplicates',
          typeVersion: 2,
          parameters: { operation: 'removeItemsSeenInPreviousExecutions', dedupeValue: '={{ $json.id }}' },
        },
        { name: 'Use', type: 'n8n-nodes-base.noOp', typeVersion: 1 },
      ],
      connections: { Webhook: link('Check'), Check: link('New'), New: link('Use') },
    });
    return JSON.stringify(made).match(/"id":"(\w+)"/)?.[1] as string;
  }

  /** The output of a node of the workflow, over all its executions. */
  async function given(node: string): Promise<Event[]> {
    const executions = await Array.fromAsync(client.executions.all({ workflowId: workflow, includeData: true }));
    return executions.toReversed().flatMap((execution) => outputs(execution, node));
  }

  const outputs = (execution: Execution, node: string): Event[] => {
    const ran = runDataOf(execution)?.nodes[node]?.at(-1);
    return (ran?.data?.main?.[0] ?? []).map(({ json }) => json as Event);
  };

  /** As the gateway sends it. */
  function send(events: readonly Event[], timestamp = Math.floor(Date.now() / 1000), key = secret): Promise<Response> {
    const body = JSON.stringify({ delivery: 'again', events });
    const signature = createHmac('sha256', key).update(`${timestamp}.${body}`).digest('hex');
    return fetch(`${n8n.url}/webhook/sluice`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'x-sluice-timestamp': String(timestamp),
        'x-sluice-signature': `sha256=${signature}`,
      },
      body,
    });
  }

  async function executionAfter(work: () => Promise<unknown>): Promise<Execution> {
    const newest = async () => (await client.executions.page({ workflowId: workflow, limit: 1 })).items[0];
    const before = (await newest())?.id;
    await work();
    const id = await vi.waitFor(async () => {
      const now = await newest();
      expect(now?.id).not.toBe(before);
      return now?.id as string;
    }, 10_000);
    return client.executions.get(id, true);
  }

  it('arrive signed and in order, including those from before it was published', async () => {
    for (const text of ['one', 'two', 'three']) await call('ref__echo', { text });
    const tools = async () => (await given('Use')).map(({ data }) => data.tool);
    await expect
      .poll(tools, { timeout: 20_000 })
      .toEqual(['n8n_create_workflow', 'ref__echo', 'ref__echo', 'ref__echo']);
    const ids = (await given('Use')).map(({ id }) => id);
    expect(new Set(ids).size).toBe(4);
  }, 60_000);

  it('that come a second time are skipped', async () => {
    const events = await given('Use');
    const execution = await executionAfter(() => send(events));
    expect(execution.status).toBe('success');
    expect(outputs(execution, 'Check')).toEqual(events);
    expect(outputs(execution, 'Use')).toEqual([]);
  }, 60_000);

  it.each<[string, () => Promise<Response>]>([
    ['The signature is wrong', () => send([], undefined, 'another secret')],
    ['The delivery is too old', () => send([], Math.floor(Date.now() / 1000) - 600)],
  ])('are refused by the workflow: %s', async (message, work) => {
    const execution = await executionAfter(work);
    expect(execution.status).toBe('error');
    expect(JSON.stringify(runDataOf(execution)?.error)).toContain(message);
  });

  it('wait while n8n is away, and are then delivered', async () => {
    const before = (await given('Use')).length;
    await n8n.kill();
    await call('ref__echo', { text: 'in the dark' });
    await n8n.ready();
    await expect.poll(async () => (await given('Use')).length, { timeout: 30_000 }).toBe(before + 1);
    const state = async () => JSON.parse((await place.run(['webhooks', '--json'])).stdout) as unknown;
    await expect.poll(state, { timeout: 20_000 }).toMatchObject([{ delivered: before + 1, waiting: 0, dead: 0 }]);
  }, 120_000);
});
