/** What n8n keeps of our calls, and that no secret is in it. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { HEADER, headerSecret } from '../../../src/n8n/generate/header.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { codeTool, openToolBench, textOf, tool, type ToolBench } from '../../support/tool-bench.ts';

const dead = tool('Away', 'mcpClientTool', 1.2, {
  endpointUrl: 'http://127.0.0.1:9/mcp',
  serverTransport: 'httpStreamable',
  authentication: 'none',
  include: 'all',
  options: {},
});

describe.skipIf(n8nIsMissing)('executions of generated workflows', () => {
  let bench: ToolBench;
  let secret: string;

  beforeAll(async () => {
    bench = await openToolBench();
    const { settings } = bench.gateway.runtime.store;
    secret = await headerSecret({ ...settings, secret: (key) => settings.secret(`bridge.${key}`) }, 'default');
    await bench.agent('odd', [codeTool('boom', 'throw new Error("no " + query.text)'), dead]);
    await bench.own('bridge_apply');
  }, N8N_START_MS);
  afterAll(() => bench?.[Symbol.asyncDispose]());

  test("failed ones are kept, without the endpoint's secret", async () => {
    expect(textOf(await bench.call('odd', 'boom', { text: 'luck' }))).toContain('no luck');
    const generated = await bench.generated();
    const broken = generated.find(({ nodes }) => nodes.some(({ name }) => name === 'Away'));
    const path = broken?.nodes.find(({ type }) => type.endsWith('.mcpTrigger'))?.parameters.path as string;
    // It fails while n8n loads its tools, after authentication.
    const { executions, plain } = bench.n8n.client;
    const body = { jsonrpc: '2.0', id: 1, method: 'initialize', params: {} };
    const answer = await plain.send('POST', `/mcp/${path}`, { body, headers: { [HEADER]: secret } });
    expect(answer.status).toBe(500);
    const kept = async (workflowId: string) =>
      JSON.stringify(await Array.fromAsync(executions.all({ workflowId, includeData: true })));
    await expect.poll(() => kept(broken?.id ?? '')).toContain('Could not connect to your MCP server');
    for (const { id } of generated) expect(await kept(id)).not.toContain(secret);
  });
});
