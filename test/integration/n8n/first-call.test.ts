import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { summary } from '../../../src/server/commands/banner.ts';
import { n8nGuide } from '../../../src/n8n/guide.ts';
import { cacheDirectory } from '../../../src/host/home.ts';
import { N8N_START_MS, n8nIsMissing } from '../../support/n8n.ts';
import { callTool, connectV1, connectV2, type Json, startGateway, textOf } from '../harness.ts';
import { openWorkbench, type Reached, reachN8n, type Workbench } from '../../support/workbench.ts';

const missing = process.env.N8N_TEST_URL === undefined && n8nIsMissing;

/** In an empty home, Sluice builds everything it needs while the first call waits. */
describe.skipIf(missing)('the first call after the start', () => {
  let reached: Reached;
  let bench: Workbench;

  beforeAll(async () => {
    reached = await reachN8n();
    bench = await openWorkbench([], reached);
  }, N8N_START_MS);
  afterAll(() => bench[Symbol.asyncDispose]());

  const never = (name: string) => ({
    name,
    nodes: [
      {
        name: 'Never',
        type: 'n8n-nodes-base.scheduleTrigger',
        typeVersion: 1.2,
        parameters: { rule: { interval: [{ field: 'cronExpression', expression: '99 99 * * *' }] } },
      },
    ],
    publish: true,
  });
  const named = async (name: string) => {
    const all = await Array.fromAsync(bench.client.workflows.all({}));
    return all.filter((one) => one.name === name);
  };

  test.each([
    { how: 'asks the n8n itself', withLogin: true },
    { how: 'has a key only', withLogin: false },
  ])('a gateway that $how validates it, and finds nodes', { timeout: 120_000 }, async ({ how, withLogin }) => {
    const { url, apiKey, owner } = reached;
    const n8n = { default: { url, apiKey, ...(withLogin && owner && { login: owner }) } };
    // With a login the catalogue comes from n8n itself. Without one it needs the packages in the tests' cache.
    const env: Record<string, string> = withLogin ? {} : { SLUICE_CACHE: cacheDirectory(process.env) };
    await using gateway = await startGateway({ n8n }, { settle: false, env });
    await using client = await connectV2(gateway);
    const name = bench.name(how);
    const heard: Json[] = [];
    const [made, found, listed] = await Promise.all([
      callTool(
        client,
        'n8n_call',
        { tool: 'n8n_create_workflow', params: never(name) },
        { onprogress: (progress: Json) => heard.push(progress) },
      ),
      callTool(client, 'search_nodes', { query: 'run every morning', limit: 3 }),
      callTool(client, 'n8n_read', { tool: 'n8n_list_node_types', params: { limit: 1 } }),
    ]);
    expect(made.isError, textOf(made)).toBe(true);
    expect(textOf(made)).toMatch(/99 99 \* \* \*|cron/i);
    expect(await named(name)).toEqual([]);
    expect(found.isError, textOf(found)).not.toBe(true);
    expect(found.structuredContent).toMatchObject({ nodes: [{ name: 'n8n-nodes-base.scheduleTrigger' }, {}, {}] });
    expect(found.structuredContent).not.toHaveProperty('note');
    expect(listed.isError, textOf(listed)).not.toBe(true);
    if (withLogin) {
      expect(heard.map(({ message }) => message).join('\n')).toContain("The catalogue of n8n's nodes is being built");
      const steps = heard.map(({ progress }) => progress as number);
      expect(steps).toEqual(steps.toSorted((a, b) => a - b));
    }
  });

  test('the catalogue is built without a request', { timeout: 120_000 }, async () => {
    const { url, apiKey, owner } = reached;
    await using gateway = await startGateway({ n8n: { default: { url, apiKey, login: owner } } });
    await expect
      .poll(() => gateway.runtime.apis.nodes.catalogues.health(), { timeout: 60_000 })
      .toMatchObject([{ state: 'ready' }]);
  });

  test('every client gets instructions, whichever way it connects', async () => {
    const { url, apiKey } = reached;
    const toolsets = { reads: { readOnly: true }, nodes: { include: ['search_nodes', 'get_node_details'] } };
    await using gateway = await startGateway({ n8n: { default: { url, apiKey } }, toolsets });
    await using modern = await connectV2(gateway, { era: 'modern' });
    await using legacy = await connectV2(gateway);
    await using older = await connectV1(gateway);
    await using sse = await connectV1(gateway, { transport: 'sse' });
    await using stdio = await connectV2(gateway, { transport: 'stdio' });
    const text = modern.getInstructions() ?? '';
    for (const client of [legacy, older, sse, stdio]) expect(client.getInstructions()).toBe(text);
    expect(Buffer.byteLength(text)).toBeLessThan(2048);
    for (const line of n8nGuide) expect(text).toContain(line);
    expect(text).toMatch(/^Sluice is a gateway\. Behind it:\n- n8n: workflows.*\n- n8n's nodes/);
    expect(text).toContain('`n8n_list {query: "what you want to do"}`');
    expect(text).toContain('Find a node: `search_nodes');
    const at = async (path: string) => {
      await using client = await connectV2(gateway, { path });
      return client.getInstructions() ?? '';
    };
    expect(await at('/mcp/reads')).not.toMatch(/n8n_create|n8n_edit|publish/);
    expect(await at('/mcp/reads')).toContain('n8n_get_execution');
    expect(await at('/mcp/nodes')).toContain('Find a node');
    expect(await at('/mcp/nodes')).not.toMatch(/n8n_[a-z]|gateway_status/);
    expect(await at('/mcp?expose=search')).toContain('`call_tool {name, arguments}`');
  });

  test('the status shows the version and address of n8n', async () => {
    const { url, apiKey } = reached;
    await using gateway = await startGateway({ n8n: { default: { url, apiKey } } });
    await gateway.runtime.apis.n8n.looked();
    const detail = expect.stringMatching(new RegExp(`^n8n \\d+\\.\\d+\\.\\d+ at ${RegExp.escape(url)}$`)) as string;
    const { parts, notConfigured } = gateway.runtime.apis.gateway.status();
    expect(parts).toContainEqual(expect.objectContaining({ name: 'n8n default', state: 'ready', detail }));
    expect(notConfigured.map(({ name }) => name)).toEqual(['modules']);
    expect(summary(gateway.runtime)).toMatch(/n8n default: connected \(n8n [\d.]+ at http/);
  });

  test('without a catalogue nothing is saved unvalidated, unless the call allows it', async () => {
    const { url, apiKey } = reached;
    const config = { n8n: { default: { url, apiKey } }, nodes: { build: 'manual' } };
    await using gateway = await startGateway(config, { settle: false });
    await using client = await connectV2(gateway);
    const { publish: _, ...params } = never(bench.name('unchecked'));
    const create = (more: Json) =>
      callTool(client, 'n8n_call', { tool: 'n8n_create_workflow', params: { ...params, ...more } });
    const refused = await create({});
    expect(refused.isError).toBe(true);
    expect(textOf(refused)).toMatch(/nothing was saved.*`sluice nodes sync`.*"validate": "warn"/s);
    expect(await named(params.name)).toEqual([]);
    const made = await create({ validate: 'warn' });
    expect(made.isError, textOf(made)).not.toBe(true);
    expect(textOf(made)).toContain('Not validated');
    expect(await named(params.name)).toHaveLength(1);
  });
});

/** Nothing listens on port 9, so npm cannot reach its registry. */
describe('without an n8n, and offline', () => {
  const ours = /only the nodes that Sluice describes itself.*`sluice nodes sync`.*N8N_URL/s;

  test('the nodes that Sluice describes itself are found, listed and explained', { timeout: 120_000 }, async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-offline-'));
    const env = { SLUICE_CACHE: place.path, npm_config_registry: 'http://127.0.0.1:9', npm_config_fetch_retries: '0' };
    await using gateway = await startGateway({}, { env });
    await using client = await connectV2(gateway);
    const call = async (tool: string, args: Json) => {
      const answer = await callTool(client, tool, args);
      expect(answer.isError, textOf(answer)).not.toBe(true);
      return answer.structuredContent as Json & { note: unknown };
    };
    const found = await call('search_nodes', { query: 'post a message to a Slack channel' });
    const [first] = found.nodes as Json[];
    expect(first).toMatchObject({ name: 'n8n-nodes-base.slack', type: 'EXTERNAL_ACTION', subtype: 'SLACK' });
    expect(found.note).toMatch(ours);
    const types = await call('get_node_types', {});
    expect(types).toMatchObject({ FLOW: ['IF', 'LOOP', 'MERGE', 'FILTER', 'SORT', 'WAIT', 'DELAY'] });
    expect(types.note).toEqual([expect.stringMatching(ours)]);
    const details = await call('get_node_details', {
      nodes: [
        { node: 'n8n-nodes-base.slack' },
        { node_type: 'AI_AGENT', subtype: 'ANTHROPIC_CLAUDE' },
        { node: 'n8n-nodes-base.airtable' },
      ],
      operation: 'post',
    });
    expect(details.nodes).toMatchObject([
      { subtype: 'SLACK', n8n: { fragment: { nodes: [{ type: 'n8n-nodes-base.slack' }] } } },
      {
        subtype: 'ANTHROPIC_CLAUDE',
        n8n: { fragment: { nodes: [{ name: 'AI Agent' }, { name: 'Anthropic Chat Model' }] } },
      },
      { error: expect.stringContaining("There is no node 'n8n-nodes-base.airtable'") as string },
    ]);
    expect(details.note).toMatch(ours);
    // Without a catalogue a property would be a guess, so the call fails.
    const property = await callTool(client, 'get_node_property', { node: 'n8n-nodes-base.slack', query: 'text' });
    expect(textOf(property)).toContain('sluice nodes sync');
    expect(property.isError).toBe(true);
  });
});
