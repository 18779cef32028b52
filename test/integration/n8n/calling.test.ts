/** How the tools for n8n are listed, called and confirmed, through the gateway as a client finds it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createN8nClient, type N8nClient } from '../../../src/n8n/client/client.ts';
import { N8N_START_MS, n8nIsMissing } from '../../n8n.ts';
import { type CallResult, type Json, startGateway, type TestGateway, textOf } from '../harness.ts';
import { call } from '../protocol/exchange.ts';
import { reachN8n } from './workbench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

describe.skipIf(missing)('the tools for n8n, as a client calls them', () => {
  const prefix = `calling-${crypto.randomUUID().slice(0, 8)}`;
  let gateway: TestGateway;
  let client: N8nClient;
  let id: string;

  beforeAll(async () => {
    const { url, apiKey, owner: login } = await reachN8n();
    gateway = await startGateway({ n8n: { default: { url, apiKey, ...(login && { login }) } } });
    client = createN8nClient('default', { url, apiKey, timeoutMs: 30_000 });
    id = await made('one');
  }, N8N_START_MS);

  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    for await (const workflow of client?.workflows.all() ?? [])
      if (workflow.name.startsWith(prefix)) await client.workflows.delete(workflow.id);
  });

  async function made(name: string, nodes: unknown[] = []): Promise<string> {
    const { workflow } = await ok<{ workflow: { id: string } }>('n8n_create_workflow', {
      name: `${prefix} ${name}`,
      nodes,
      validate: 'off',
    });
    return workflow.id;
  }

  const result = async (name: string, args: Json): Promise<CallResult> => (await call(gateway.mcp, name, args)).result;

  async function ok<T = Json>(name: string, args: Json): Promise<T> {
    const answer = await result(name, args);
    expect(answer.isError, textOf(answer)).toBeUndefined();
    return answer.structuredContent as T;
  }

  async function refused(name: string, args: Json): Promise<string> {
    const answer = await result(name, args);
    expect(answer.isError).toBe(true);
    return textOf(answer);
  }

  describe('arguments', () => {
    test.each<[string, (of: string) => Json]>([
      ['in params', (of) => ({ tool: 'n8n_get_workflow', params: { id: of } })],
      ['in arguments', (of) => ({ tool: 'n8n_get_workflow', arguments: { id: of } })],
      ['as text', (of) => ({ tool: 'n8n_get_workflow', params: JSON.stringify({ id: of }) })],
      ['beside the tool', (of) => ({ tool: 'n8n_get_workflow', id: of })],
      ['of a tool named without its source', (of) => ({ tool: 'get_workflow', id: of })],
    ])('%s mean the same', async (_, args) => {
      for (const wrapper of ['n8n_read', 'n8n_call'])
        expect(await ok(wrapper, args(id))).toMatchObject({ workflow: { id, name: `${prefix} one` } });
    });

    test('that nobody knows are refused, with those there are', async () => {
      for (const wrapper of ['n8n_read', 'n8n_call'])
        expect(await refused(wrapper, { tool: 'n8n_list_workflows', nme: 'x' })).toMatch(
          /^n8n_list_workflows was not called: it has no parameter nme\. Did you mean name\? It takes: instance, .*name/,
        );
    });

    test('take a number for a text and a text for a number, but never in data', async () => {
      expect(await ok('n8n_read', { tool: 'list_workflows', limit: '1', name: prefix })).toMatchObject({
        workflows: [expect.anything()],
      });
      expect(await refused('n8n_read', { tool: 'get_workflow', id: 5 })).toMatch(/No workflow 5\b/);
      const node = { name: 'Data', type: 'n8n-nodes-base.noOp', typeVersion: '1', parameters: { a: '1', b: 2 } };
      const other = await made('data', [node]);
      expect((await client.workflows.get(other)).nodes).toMatchObject([
        { typeVersion: 1, parameters: { a: '1', b: 2 } },
      ]);
    });
  });
});
