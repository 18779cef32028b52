import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, type LocalReference, send, startGateway, startReference, type TestGateway } from '../harness.ts';

let reference: LocalReference;
let gateway: TestGateway;

beforeAll(async () => {
  reference = await startReference('http', 'both');
  gateway = await startGateway({
    mcpServers: {
      ref: { ...reference.entry, tags: ['demo', 'local'], confirm: ['touch'] },
      packed: { ...reference.entry, expose: 'compact' },
      broken: { command: 'no-such-program' },
    },
    toolsets: { reading: { include: ['ref__*'], readOnly: true } },
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await reference[Symbol.asyncDispose]();
});

interface Listed {
  tools: Json[];
  total: number;
  nextCursor?: string;
}

async function get(path: string): Promise<{ status: number; body: Json }> {
  const { status, messages } = await send(`${gateway.url}${path}`);
  return { status, body: messages[0] as Json };
}

async function list(query = ''): Promise<Listed> {
  const { status, body } = await get(`/api/v1/mcp/tools${query}`);
  expect({ status, body }).toMatchObject({ status: 200, body: { jsonrpc: '2.0', id: expect.any(String) as string } });
  return body.result as Listed;
}

const names = ({ tools }: Listed) => tools.map(({ name }) => name);

describe('the list', () => {
  test('has every tool under its own name, whatever the exposure of its source', async () => {
    const all = gateway.runtime.apis.gateway.registry.all().map(({ name }) => name);
    const listed = await list();
    expect(names(listed)).toEqual(all);
    expect(all).toEqual(expect.arrayContaining(['gateway_status', 'ref__echo', 'packed__echo']));
    expect(listed).toEqual({ tools: listed.tools, total: all.length });
  });

  test('shows parameters, category, tags and effect of a tool', async () => {
    const { tools } = await list();
    expect(tools.find(({ name }) => name === 'ref__echo')).toEqual({
      name: 'ref__echo',
      description: 'Answers with its text',
      parameters: expect.objectContaining({ type: 'object', required: ['text'] }) as Json,
      category: 'ref',
      tags: ['demo', 'local'],
      source: 'ref',
      effect: 'read',
    });
    expect(tools.find(({ name }) => name === 'gateway_status')).toMatchObject({ category: 'gateway', tags: [] });
  });

  test.each([
    ['category=gateway', (name: string) => /^gateway_|^get_events$/.test(name)],
    ['source=packed', (name: string) => name.startsWith('packed__')],
    ['tags=demo', (name: string) => name.startsWith('ref__')],
    ['tags=demo,local', (name: string) => name.startsWith('ref__')],
    ['tags=demo&tags=local', (name: string) => name.startsWith('ref__')],
    ['tags=demo,remote', () => false],
    ['category=nothing', () => false],
    ['query=ANSWERS%20text&source=ref', (name: string) => ['ref__echo', 'ref__big'].includes(name)],
    ['toolset=reading', (name: string) => ['ref__echo', 'ref__journal'].includes(name)],
  ])('can be filtered by %s', async (query, fits) => {
    const wanted = names(await list()).filter((name) => fits(String(name)));
    expect(names(await list(`?${query}`))).toEqual(wanted);
  });

  test('comes in pages that together are complete', async () => {
    const whole = await list();
    const seen: unknown[] = [];
    let cursor: string | undefined;
    do {
      const page = await list(`?limit=7${cursor === undefined ? '' : `&cursor=${cursor}`}`);
      expect(page.total).toBe(whole.total);
      expect(page.tools.length).toBeLessThanOrEqual(7);
      seen.push(...names(page));
      cursor = page.nextCursor;
    } while (cursor !== undefined);
    expect(seen).toEqual(names(whole));
    expect(await list(`?limit=${whole.total}`)).not.toHaveProperty('nextCursor');
  });

  test.each([
    ['limit=0', 400, 'limit'],
    ['limit=many', 400, 'limit'],
    ['cursor=bm93aGVyZQ', 400, 'Start again without a cursor'],
    ['tag=demo', 400, 'Known parameters: category, tags'],
    ['toolset=none', 404, 'Known: reading'],
  ])('%s is a %i with a remedy', async (query, status, message) => {
    const answer = await get(`/api/v1/mcp/tools?${query}`);
    expect(answer.status).toBe(status);
    expect((answer.body.error as Json).message).toContain(message);
  });
});

describe('one tool', () => {
  test('has guidance, examples, schemas, version and availability', async () => {
    const { status, body } = await get('/api/v1/mcp/tools/get_events');
    expect(status).toBe(200);
    expect(body).toMatchObject({
      name: 'get_events',
      version: gateway.runtime.apis.gateway.status().version,
      available: true,
      category: 'gateway',
      scope: 'health:check',
      needs_confirmation: false,
      workflow_guidance: null,
      usage_examples: expect.arrayContaining([{ status: 'failure', since: '1h' }]) as Json[],
      processing_time_ms: expect.any(Number) as number,
      request_id: expect.any(String) as string,
    });
    expect(body).toMatchObject({ parameters: { type: 'object' }, output_schema: { type: 'object' } });
  });

  test('of a server has its version, and whether it needs confirmation', async () => {
    const { body } = await get('/api/v1/mcp/tools/ref__touch');
    expect(body).toMatchObject({ version: '1.0.0', needs_confirmation: true, effect: 'execute', scope: 'ref:execute' });
  });

  test('is found by the alias with a colon', async () => {
    expect((await get('/api/v1/mcp/tools/ref:echo')).body.name).toBe('ref__echo');
    expect((await get('/api/v1/mcp/tools/ref%3Aecho')).body.name).toBe('ref__echo');
  });

  test.each([
    ['ref__ecoh', 'Did you mean ref__echo'],
    ['broken__anything', 'The server broken is not running'],
    ['%2e%2e%2fhealth', 'No tool ../health'],
    ['internal', 'served on the internal listener only'],
  ])('%s is a 404 with a hint', async (name, message) => {
    const { status, body } = await get(`/api/v1/mcp/tools/${name}`);
    expect(status).toBe(404);
    expect(body).toMatchObject({ error: { code: -32602, data: { code: 'not_found', retryable: false } } });
    expect((body.error as Json).message).toContain(message);
  });
});

test('health is false and names the server that is down', async () => {
  const { status, body } = await get('/api/v1/mcp/health');
  expect(status).toBe(200);
  expect(body).toMatchObject({ healthy: false, version: gateway.runtime.apis.gateway.status().version });
  expect(body.error).toContain('broken (The command no-such-program does not exist');
  expect(body.available_tools).toContain('ref__echo');
  expect(Math.abs((body.timestamp as number) - Date.now() / 1000)).toBeLessThan(60);
});

test('health is true when every server is healthy', async () => {
  await using healthy = await startGateway({ mcpServers: { ref: reference.entry } });
  const { messages } = await send(`${healthy.url}/api/v1/mcp/health`);
  expect(messages[0]).toMatchObject({ healthy: true, error: null });
});

test.each(['/health', '/api/v1/public/health'])('%s says that the gateway is alive', async (path) => {
  const { status, body } = await get(path);
  expect({ status, body }).toEqual({
    status: 200,
    body: {
      status: 'healthy',
      timestamp: expect.stringMatching(/^\d{4}-.*Z$/) as string,
      version: gateway.runtime.apis.gateway.status().version,
    },
  });
});
