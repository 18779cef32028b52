import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Json, type LocalReference, send, startGateway, startReference, type TestGateway } from '../harness.ts';

const hostile = fileURLToPath(new URL('../../fixtures/hostile-tools.ts', import.meta.url));
const FILLERS = 5000;

interface Brief {
  name: string;
  description: string;
  source: string;
  effect: string;
  exposure: string;
  bytes: { flat: number; compact: number };
}

let reference: LocalReference;
let gateway: TestGateway;

beforeAll(async () => {
  reference = await startReference('http', 'both');
  gateway = await startGateway({
    mcpServers: {
      demo: { command: process.execPath, args: [hostile, '--count', String(FILLERS)], confirm: ['touch'] },
      ref: { ...reference.entry, expose: 'compact', confirm: ['echo'], confirmBy: 'human' },
      sought: { ...reference.entry, expose: 'search' },
    },
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await reference[Symbol.asyncDispose]();
});

async function get(path: string): Promise<Json> {
  const { status, messages } = await send(`${gateway.url}/api/v1/mcp/${path}`);
  expect({ status, body: messages[0] }).toMatchObject({ status: 200 });
  return messages[0] as Json;
}

async function list(query: string): Promise<Brief[]> {
  const { result } = (await get(`tools?detail=brief&${query}`)) as { result: { tools: Brief[] } };
  return result.tools;
}

const names = (tools: readonly Brief[]) => tools.map(({ name }) => name);

describe('the list in brief', () => {
  test('has no schemas, and says what each tool costs', async () => {
    const tools = await list('source=ref');
    const echo = tools.find(({ name }) => name === 'ref__echo');
    expect(echo).toEqual({
      name: 'ref__echo',
      description: 'Answers with its text',
      source: 'ref',
      effect: 'read',
      exposure: 'compact',
      bytes: { flat: expect.any(Number) as number, compact: expect.any(Number) as number },
    });
    expect(echo?.bytes.flat).toBeGreaterThan(echo?.bytes.compact ?? 0);
  });

  test('cuts long descriptions', async () => {
    for (const { description } of await list('')) expect(description.length).toBeLessThanOrEqual(240);
  });

  test('holds 5,000 tools in less than 2 MB, at once', async () => {
    await list('limit=1');
    const started = performance.now();
    const { text, messages } = await send(`${gateway.url}/api/v1/mcp/tools?detail=brief`);
    // It takes 20 ms when the machine has nothing else to do.
    expect(performance.now() - started).toBeLessThan(2000);
    expect(((messages[0] as Json).result as { total: number }).total).toBeGreaterThan(FILLERS);
    expect(text.length).toBeLessThan(2_000_000);
  });

  test.each([
    ['effect=read&source=ref', 'ref__echo', 'ref__touch'],
    ['exposure=compact', 'ref__echo', 'sought__echo'],
    ['exposure=search', 'sought__echo', 'ref__echo'],
  ])('is filtered by %s', async (query, has, lacks) => {
    const found = names(await list(query));
    expect(found).toContain(has);
    expect(found).not.toContain(lacks);
  });

  test('finds tools by a wish in plain words, the best first', async () => {
    const found = names(await list('wish=accept%20a%20tool%20that%20changed'));
    expect(found[0]).toBe('gateway_accept_tools');
    expect(names(await list('wish=accept%20a%20tool%20that%20changed&source=ref'))).not.toContain(
      'gateway_accept_tools',
    );
    expect(await list('wish=%20&limit=3')).toHaveLength(3);
  });

  test('refuses a wish that is a book', async () => {
    const { status } = await send(`${gateway.url}/api/v1/mcp/tools?wish=${'x'.repeat(10_000)}`);
    expect(status).toBe(400);
  });
});

describe('one tool', () => {
  test('has its cost in each exposure, its line and its exposure', async () => {
    const tool = await get('tools/ref__echo');
    expect(tool).toMatchObject({ exposure: 'compact', line: expect.stringMatching(/^echo\(text: string\)/) as string });
    expect((tool.bytes as Brief['bytes']).compact).toBe(Buffer.byteLength(tool.line as string));
  });

  test.each([
    ['demo__touch', { needs_confirmation: true, confirmed_by: 'token' }],
    ['ref__echo', { needs_confirmation: true, confirmed_by: 'human' }],
    ['demo__echo', { needs_confirmation: false }],
  ])('%s says who confirms it', async (name, expected) => {
    const { needs_confirmation, confirmed_by } = await get(`tools/${name}`);
    expect({ needs_confirmation, ...(confirmed_by !== undefined && { confirmed_by }) }).toEqual(expected);
  });

  test.each(['cycles', 'deep', 'many', 'names', 'refs'])(
    '%s comes with its schema as the server sent it',
    async (name) => {
      const { parameters } = await get(`tools/demo__${name}`);
      expect(parameters).toMatchObject({ type: 'object', properties: expect.any(Object) as object });
      if (name !== 'names') return;
      expect(Object.keys((parameters as { properties: object }).properties)).toContain('__proto__');
    },
  );

  test('that is named with emoji has a name that fits everywhere', async () => {
    const found = (await list('source=demo&query=its%20name%20is%20long'))[0];
    expect(found?.name).toMatch(/^demo__[a-z0-9]+$/);
    expect(await get(`tools/${found?.name}`)).toMatchObject({ source: 'demo' });
  });
});

test('the sources say what they cost in each exposure', async () => {
  const costs = (await get('sources')) as {
    sources: { source: string; exposure: string; tools: number; flat: number; compact: number }[];
    search: number;
    total: Record<string, number>;
  };
  const of = (source: string) => costs.sources.find((one) => one.source === source);
  expect(of('demo')).toMatchObject({ exposure: 'flat', tools: FILLERS + 11 });
  expect(of('ref')).toMatchObject({ exposure: 'compact' });
  expect(of('sought')).toMatchObject({ exposure: 'search' });
  const sum = (key: 'flat' | 'compact') => costs.sources.reduce((total, one) => total + one[key], 0);
  expect(costs.total).toMatchObject({ flat: sum('flat'), compact: sum('compact'), search: costs.search });
  expect(costs.search).toBeLessThan(costs.total.compact ?? 0);
  // Sources that are sought cost only what stands for all of them.
  const asNow = costs.sources.map((one) =>
    one.exposure === 'search' ? 0 : one.exposure === 'flat' ? one.flat : one.compact,
  );
  expect(costs.total.now).toBe(asNow.reduce((total, one) => total + one, 0) + costs.search);
});

test('what a client would list is what the costs say', async () => {
  const costs = (await get('sources')) as { total: Record<string, number> };
  for (const expose of ['flat', 'compact', 'search'] as const) {
    const { tools } = gateway.runtime.apis.gateway.visibility.projection({
      view: { expose },
      principal: { id: 'anonymous', scopes: 'all' },
    });
    const bytes = tools.reduce((total, wire) => total + Buffer.byteLength(JSON.stringify(wire)), 0);
    expect(bytes).toBe(costs.total[expose]);
  }
});
