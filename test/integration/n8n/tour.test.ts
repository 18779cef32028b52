/** The whole life of one workflow through MCP clients, from its creation to its restore after a deletion. */
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createN8nClient } from '../../../src/n8n/client/client.ts';
import { sharedCache } from '../../support/catalogue.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { type AnyClient, callTool, connectV2, type Json, startGateway, type TestGateway, textOf } from '../harness.ts';
import { reachN8n, type Reached } from '../../support/workbench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

interface Change {
  workflow: { id: string; draft?: boolean };
  changes: string[];
}

interface Ran {
  execution: string;
  status: string;
}

describe.skipIf(missing)('a tour of n8n through the gateway', () => {
  const name = `tour-${crypto.randomUUID().slice(0, 8)}`;
  const asked: string[] = [];
  /** The service that the workflow calls. Its URL has changed. */
  let rates: Server;
  let answered = 0;
  let n8n: Reached;
  let gateway: TestGateway;

  beforeAll(async () => {
    n8n = await reachN8n();
    rates = createServer(({ url }, response) => {
      answered += 1;
      response.writeHead(url === '/v2/rate' ? 200 : 404, { 'content-type': 'application/json' });
      response.end(JSON.stringify(url === '/v2/rate' ? { rate: 3 } : { message: 'this has moved to /v2/rate' }));
    }).listen(0, '127.0.0.1');
    await once(rates, 'listening');
    const { url, apiKey, owner: login } = n8n;
    gateway = await startGateway({ n8n: { default: { url, apiKey, ...(login && { login }) } } }, { env: sharedCache });
  }, N8N_START_MS);

  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    rates?.close();
    if (!n8n) return;
    const client = createN8nClient('default', { ...n8n, timeoutMs: 30_000 });
    for await (const workflow of client.workflows.all({ name })) await client.workflows.delete(workflow.id);
  });

  const connect = (path?: string) =>
    connectV2(gateway, {
      ...(path !== undefined && { path }),
      answer: (method, params) => {
        asked.push(`${method}: ${String(params?.message)}`);
        return { action: 'accept', content: { confirm: true } };
      },
    });

  async function result<T>(client: AnyClient, tool: string, args: Json): Promise<T> {
    const { isError, structuredContent, ...rest } = await callTool(client, tool, args, { timeout: 60_000 });
    if (isError) throw new Error(textOf(rest));
    return structuredContent as T;
  }

  test('creates, runs, repairs, deletes and restores a workflow', { timeout: 120_000 }, async () => {
    await using client = await connect();
    await using flat = await connect('/mcp?expose=flat');
    const call = <T = Json>(tool: string, params: Json) => result<T>(client, 'n8n_call', { tool, params });
    const read = <T = Json>(tool: string, params: Json) => result<T>(client, 'n8n_read', { tool, params });
    const order = (quantity: number) =>
      result<{ status: number; body?: unknown }>(flat, 'n8n_trigger_webhook', { path: name, body: { quantity } });

    // Find the tools.
    const { tools } = await client.listTools();
    expect(tools.map((tool) => tool.name)).toEqual(expect.arrayContaining(['n8n_list', 'n8n_call', 'n8n_read']));
    expect(tools.map((tool) => tool.name)).not.toContain('n8n_create_workflow');
    const found = textOf(await callTool(client, 'n8n_list', { query: 'create a workflow' }));
    expect(found).toContain('n8n_create_workflow');
    expect((await flat.listTools()).tools.map((tool) => tool.name)).toContain('n8n_create_workflow');

    // Create, and publish.
    const at = (path: string) => `http://127.0.0.1:${(rates.address() as AddressInfo).port}${path}`;
    const made = await call<Change>('n8n_create_workflow', {
      name,
      nodes: [
        {
          name: 'Order',
          type: 'n8n-nodes-base.webhook',
          typeVersion: 2,
          parameters: { path: name, httpMethod: 'POST', responseMode: 'lastNode' },
        },
        { name: 'Rate', type: 'n8n-nodes-base.httpRequest', typeVersion: 4.2, parameters: { url: at('/v1/rate') } },
        {
          name: 'Price',
          type: 'n8n-nodes-base.set',
          typeVersion: 3.4,
          parameters: {
            mode: 'raw',
            jsonOutput: "={{ JSON.stringify({ price: $('Order').item.json.body.quantity * $json.rate }) }}",
          },
        },
      ],
      connections: {
        Order: { main: [[{ node: 'Rate', type: 'main', index: 0 }]] },
        Rate: { main: [[{ node: 'Price', type: 'main', index: 0 }]] },
      },
    });
    const { id } = made.workflow;
    const published = await call('n8n_publish_workflow', { id });
    expect(published).toMatchObject({ workflow: { id, active: true }, publication: { published: true, live: true } });

    // Run by webhook, and see it fail.
    const failed = await call<Ran>('n8n_execute_workflow', { id, data: { quantity: 7 } });
    expect(failed).toMatchObject({ way: 'webhook', status: 'error', error: { node: 'Rate', http_status: '404' } });

    // Read the digest.
    const failures = await read('n8n_list_failures', { workflow: id, since: '1h' });
    expect(failures).toMatchObject({
      failed: 1,
      groups: [{ workflow: id, name, node: 'Rate', http_status: '404', count: 1, example: failed.execution }],
    });
    const digest = await result<Json>(flat, 'n8n_get_execution', { id: failed.execution });
    expect(digest).toMatchObject({ status: 'error', error: { node: 'Rate' } });
    expect(JSON.stringify(digest)).toContain('this has moved to /v2/rate');

    // Edit the draft: the published version stays unchanged.
    const { edited } = await call<{ edited: Change[] }>('n8n_edit_workflow', {
      id,
      operations: [
        { op: 'set_parameter', node: 'Rate', path: 'url', value: at('/v2/rate') },
        { op: 'rename_node', node: 'Price', to: 'Total' },
      ],
    });
    expect(edited).toMatchObject([{ workflow: { id, active: true, draft: true } }]);
    expect(edited[0]?.changes.join('\n')).toContain('/v1/rate" -> ');
    expect((await order(7)).status).toBe(500);

    // Test with pinned data: the service is not called.
    const before = answered;
    const tested = await call('n8n_test_workflow', {
      id,
      data: { quantity: 2 },
      pin_data: { Rate: [{ rate: 10 }] },
    });
    expect(tested).toMatchObject({
      status: 'success',
      data: [{ price: 20 }],
      pinned: expect.arrayContaining(['Rate']) as unknown,
    });
    expect(answered).toBe(before);

    // Publish: callers get the new version.
    await result(flat, 'n8n_publish_workflow', { id });
    expect(await order(7)).toMatchObject({ status: 200, body: { price: 21 } });

    // Retry the failed execution with the repaired workflow.
    const retried = await call('n8n_retry_execution', { id: failed.execution });
    expect(retried).toMatchObject({ status: 'success', retry_of: failed.execution, data: [{ price: 21 }] });

    // Back up.
    const { backups } = await result<{ backups: { backup: string }[] }>(flat, 'n8n_backup_workflow', { id });
    expect(backups).toHaveLength(1);

    // Delete: the user is asked first.
    const { deleted } = await call<{ deleted: { backup: string }[] }>('n8n_delete_workflow', { id });
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatch(/^elicitation\/create: .*n8n_delete_workflow/s);
    await expect(order(7)).rejects.toThrow(/not registered/);
    await expect(read('n8n_get_workflow', { id })).rejects.toThrow(`No workflow ${id}`);

    // Restore under the same id, published as before.
    const restored = await call('n8n_restore_workflow', { backup: deleted[0]?.backup, publish: true });
    expect(restored).toMatchObject({ restored: 'brought back', workflow: { id, name, active: true } });

    // Run again.
    const again = await call('n8n_execute_workflow', { id, data: { quantity: 5 } });
    expect(again).toMatchObject({ status: 'success', data: [{ price: 15 }], answer: { status: 200 } });
  });
});
