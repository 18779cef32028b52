import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { catalogueIsMissing } from '../../support/catalogue.ts';
import {
  type AnyClient,
  callTool,
  connectV1,
  connectV2,
  type Json,
  send,
  startGateway,
  type TestGateway,
} from '../harness.ts';

/** Requests of clients of the earlier node knowledge server, and what they rely on in the answers. */
describe.skipIf(catalogueIsMissing)('node knowledge for existing clients', () => {
  let gateway: TestGateway;

  const post = async (body: Json): Promise<Json> => {
    const { messages } = await send(`${gateway.url}/api/v1/mcp/invoke`, { body });
    return (messages[0] as { result: Json }).result;
  };
  const get = async (path: string): Promise<Json> => {
    const { status, messages } = await send(`${gateway.url}${path}`);
    expect(status).toBe(200);
    return messages[0] as Json;
  };

  beforeAll(async () => {
    gateway = await startGateway({});
    // The first run on a machine builds the catalogue.
    await vi.waitFor(
      async () => {
        const { isError, content } = await post({ name: 'get_node_types', arguments: {} });
        if (isError) throw new Error(JSON.stringify(content));
      },
      { timeout: 60_000, interval: 200 },
    );
  }, 70_000);
  afterAll(() => gateway[Symbol.asyncDispose]());

  const ways: [string, (name: string, args: Json) => Promise<Json>][] = [
    ['REST', (name, args) => post({ name, arguments: args })],
    ['MCP of 2025', (name, args) => through(connectV1(gateway), name, args)],
    ['MCP of 2026', (name, args) => through(connectV2(gateway, { era: 'modern' }), name, args)],
  ];

  async function through(connecting: Promise<AnyClient & AsyncDisposable>, name: string, args: Json): Promise<Json> {
    await using client = await connecting;
    // Both SDKs validate results against the listed schemas, and throw on a mismatch.
    await client.listTools();
    return await callTool(client, name, args);
  }

  describe.each(ways)('by %s', (_, call) => {
    const data = async (name: string, args: Json): Promise<Json> => {
      const result = await call(name, args);
      expect(result.isError ?? false).toBe(false);
      return result.structuredContent as Json;
    };

    test('the types and their subtypes', async () => {
      const types = await data('get_node_types', {});
      expect(types).toMatchObject({
        TRIGGER: expect.arrayContaining(['MANUAL', 'WEBHOOK', 'CRON', 'GITHUB', 'SLACK', 'EMAIL']) as unknown,
        AI_AGENT: expect.arrayContaining(['OPENAI_CHATGPT', 'ANTHROPIC_CLAUDE', 'GOOGLE_GEMINI']) as unknown,
        ACTION: expect.arrayContaining(['HTTP_REQUEST', 'DATA_TRANSFORMATION']) as unknown,
        EXTERNAL_ACTION: expect.arrayContaining(['SLACK', 'GITHUB', 'NOTION', 'GOOGLE_CALENDAR']) as unknown,
        FLOW: expect.arrayContaining(['IF', 'LOOP', 'MERGE', 'FILTER', 'SORT', 'WAIT', 'DELAY']) as unknown,
        HUMAN_IN_THE_LOOP: expect.arrayContaining(['SLACK_INTERACTION', 'GMAIL_INTERACTION']) as unknown,
        TOOL: expect.arrayContaining(['NOTION_MCP_TOOL', 'GOOGLE_CALENDAR_MCP_TOOL']) as unknown,
        MEMORY: expect.arrayContaining(['VECTOR_DATABASE', 'CONVERSATION_BUFFER', 'KEY_VALUE_STORE']) as unknown,
      });
    });

    test('the subtypes of one type', async () => {
      const types = await data('get_node_types', { type_filter: 'AI_AGENT' });
      expect(types.AI_AGENT).toEqual(expect.arrayContaining(['OPENAI_CHATGPT', 'ANTHROPIC_CLAUDE', 'GOOGLE_GEMINI']));
      expect(types).not.toHaveProperty('TRIGGER');
    });

    test('the details of one node', async () => {
      const { nodes } = await data('get_node_details', {
        nodes: [{ node_type: 'AI_AGENT', subtype: 'OPENAI_CHATGPT' }],
        include_examples: true,
        include_schemas: true,
      });
      expect(nodes).toEqual([
        expect.objectContaining({
          node_type: 'AI_AGENT',
          subtype: 'OPENAI_CHATGPT',
          version: expect.any(String) as string,
          description: expect.stringMatching(/OpenAI/) as string,
          parameters: expect.arrayContaining([
            expect.objectContaining({
              name: expect.any(String),
              type: expect.any(String),
              required: expect.any(Boolean),
            }),
          ]) as unknown,
          configurations: expect.objectContaining({
            temperature: expect.objectContaining({ type: 'float', min: 0, max: 2 }) as Json,
          }) as Json,
          output_params_schema: expect.objectContaining({ output: expect.any(Object) as Json }) as Json,
          tags: expect.arrayContaining(['ai', 'openai']) as unknown,
          attached_nodes: expect.any(Array) as unknown,
          examples: expect.arrayContaining([expect.any(Object)]) as unknown,
          n8n: expect.objectContaining({ type: '@n8n/n8n-nodes-langchain.agent' }) as Json,
        }),
      ]);
    });

    test('a correction', async () => {
      const { nodes } = await data('get_node_details', {
        nodes: [{ node_type: 'ACTION_NODE', subtype: 'HTTP_REQUEST' }],
      });
      expect(nodes).toMatchObject([
        {
          node_type: 'ACTION',
          subtype: 'HTTP_REQUEST',
          warning: "Auto-corrected: 'ACTION_NODE' → 'ACTION'. Please use correct format without '_NODE' suffix.",
          configurations: { url: expect.any(Object) as Json },
        },
      ]);
    });

    test('several nodes, without examples', async () => {
      const asked = [
        ['TRIGGER', 'WEBHOOK'],
        ['AI_AGENT', 'ANTHROPIC_CLAUDE'],
        ['EXTERNAL_ACTION', 'SLACK'],
      ] as const;
      const { nodes, cursor } = await data('get_node_details', {
        nodes: asked.map(([node_type, subtype]) => ({ node_type, subtype })),
        include_examples: false,
        include_schemas: true,
      });
      expect(nodes).toMatchObject(
        asked.map(([node_type, subtype]) => ({ node_type, subtype, input_params_schema: {} })),
      );
      for (const node of nodes as Json[]) expect(node).not.toHaveProperty('examples');
      expect(cursor).toBeUndefined();
    });

    test('too many nodes at once are refused with the limit', async () => {
      const nodes = Array.from({ length: 500 }, () => ({ node_type: 'FLOW', subtype: 'IF' }));
      const result = await call('get_node_details', { nodes });
      expect(result.isError).toBe(true);
      expect(JSON.stringify(result)).toMatch(/at most 50 nodes per call/);
    });
  });

  test('the list of tools has categories and tags', async () => {
    const { result } = (await get('/api/v1/mcp/tools')) as { result: { tools: Json[] } };
    expect(result.tools).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          name: 'get_node_types',
          category: 'workflow',
          tags: expect.arrayContaining(['nodes']) as unknown,
        }),
        expect.objectContaining({
          name: 'get_node_details',
          category: 'workflow',
          tags: ['nodes', 'specifications', 'details'],
          parameters: expect.objectContaining({ required: ['nodes'] }) as Json,
        }),
      ]),
    );
  });

  test.each(['get_node_types', 'get_node_details'])('%s comes with guidance and examples', async (name) => {
    expect(await get(`/api/v1/mcp/tools/${name}`)).toMatchObject({
      name,
      available: true,
      category: 'workflow',
      workflow_guidance: expect.stringContaining('HUMAN_IN_THE_LOOP') as string,
      usage_examples: expect.arrayContaining([expect.any(Object)]) as unknown,
      processing_time_ms: expect.any(Number) as number,
      request_id: expect.any(String) as string,
    });
  });
});
