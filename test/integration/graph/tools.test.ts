import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { callTool, connectV1, connectV2, startGateway, startReference, type TestGateway, textOf } from '../harness.ts';

type Json = Record<string, unknown>;
type Client = Awaited<ReturnType<typeof connectV2>>;

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** A default reply stays below. */
const REPLY = 8 * 1024;

let gateway: TestGateway;
let client: Client;
beforeAll(async () => {
  gateway = await startGateway({});
  client = await connectV2(gateway);
});
afterAll(async () => {
  await client?.[Symbol.asyncDispose]();
  await gateway?.[Symbol.asyncDispose]();
});

async function call(tool: string, params: Json = {}, through = 'graph_call'): Promise<Json> {
  const result = await callTool(client, through, { tool, params });
  expect(result.isError, textOf(result)).not.toBe(true);
  expect(result.structuredContent).toEqual(JSON.parse(textOf(result)));
  return result.structuredContent as Json;
}
const read = (tool: string, params: Json = {}) => call(tool, params, 'graph_read');

async function refusal(tool: string, params: Json): Promise<string> {
  const result = await callTool(client, 'graph_call', { tool, params });
  expect(result.isError).toBe(true);
  return textOf(result);
}

/** Calls a tool that has to be confirmed. */
async function confirmed(tool: string, params: Json): Promise<{ asked: string; result: Json }> {
  const asked = await refusal(tool, params);
  const confirm = /"?confirm"?: "([^"]+)"/.exec(asked)?.[1] ?? '';
  const result = await callTool(client, 'graph_call', { tool, params, confirm });
  expect(result.isError, textOf(result)).not.toBe(true);
  return { asked, result: result.structuredContent as Json };
}

const people = (...names: string[]) => names.map((name) => ({ name, type: 'person' }));

test('the graph is there without a configuration, as three wrappers', async () => {
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(expect.arrayContaining(['graph_list', 'graph_call', 'graph_read']));
  expect(names.filter((name) => name.startsWith('graph_'))).toHaveLength(3);
  expect(names).toContain('search_nodes');
});

test('entities, relations and observations come back with times, and relations lead from one to the other', async () => {
  const created = await call('graph_create_entities', {
    entities: [
      { name: 'Ada', type: 'person', observations: ['likes tea'], properties: { born: 1815 } },
      { name: 'Acme', type: 'company' },
    ],
  });
  const recorded_at = expect.stringMatching(ISO) as string;
  expect(created).toEqual({
    entities: [
      { name: 'Ada', type: 'person', properties: { born: 1815 }, recorded_at, observations: ['likes tea'] },
      { name: 'Acme', type: 'company', recorded_at, observations: [] },
    ],
  });
  expect(await call('create_relations', { relations: [{ from: 'Ada', type: 'works_at', to: 'Acme' }] })).toEqual({
    relations: [{ from: 'Ada', type: 'works_at', to: 'Acme', recorded_at }],
  });
  expect(await call('graph_add_observations', { observations: [{ entity: 'ada', contents: ['likes math'] }] })).toEqual(
    {
      results: [{ entity: 'Ada', added: ['likes math'] }],
    },
  );
  expect(await call('add_observations', { name: 'Ada', observations: 'likes math' })).toEqual({
    results: [{ entity: 'Ada', added: [], existing: 1 }],
  });
  expect(await read('graph_search', { query: 'tea' })).toMatchObject({
    entities: [{ name: 'Ada', found_in: ['observation'], observations: ['likes tea', 'likes math'] }],
    relations: [{ from: 'Ada', type: 'works_at', to: 'Acme' }],
  });
  expect(await read('graph_get_neighbours', { name: 'Acme' })).toEqual({
    entities: [{ name: 'Ada', type: 'person', distance: 1 }],
    relations: [{ from: 'Ada', type: 'works_at', to: 'Acme' }],
  });
  expect(await read('graph_find_path', { from: 'Acme', to: 'Ada' })).toMatchObject({
    found: true,
    length: 1,
    path: '"Acme" <-works_at- "Ada"',
  });
  expect(await read('graph_find_path', { from: 'Acme', to: 'Ada', direction: 'out' })).toMatchObject({ found: false });
  expect(await read('graph_get_stats')).toMatchObject({ entities: 2, observations: 2, relations: 1 });
  const full = await read('graph_get_entities', { names: ['Ada', 'Zoe'], detail: 'full' });
  expect(full).toMatchObject({
    entities: [
      {
        by: { principal: 'local', call: expect.stringMatching(/^[\da-f]{32}$/) as string },
        observations: [{ id: expect.any(String) as string, text: 'likes tea', recorded_at }, { text: 'likes math' }],
      },
    ],
    missing: ['Zoe'],
  });
  const updated = await call('graph_update_entity', {
    name: 'Ada',
    new_name: 'Ada Lovelace',
    properties: { born: null },
  });
  expect(updated).toMatchObject({ entity: { name: 'Ada Lovelace' } });
  expect(updated.entity).not.toHaveProperty('properties');
});

describe('what users of server-memory call', () => {
  test('creating, with its names for keys', async () => {
    expect(
      await call('create_entities', {
        entities: [
          { name: 'John_Smith', entityType: 'person', observations: ['Speaks fluent Spanish'] },
          { name: 'Anthropic', entityType: 'organization', observations: [] },
        ],
      }),
    ).toMatchObject({
      entities: [
        { name: 'John_Smith', type: 'person' },
        { name: 'Anthropic', observations: [] },
      ],
    });
    expect(
      await call('create_relations', {
        relations: [{ from: 'John_Smith', to: 'Anthropic', relationType: 'works_at' }],
      }),
    ).toMatchObject({ relations: [{ type: 'works_at' }] });
    expect(
      await call('add_observations', {
        observations: [{ entityName: 'John_Smith', contents: ['Graduated in 2019', 'Speaks fluent Spanish'] }],
      }),
    ).toEqual({ results: [{ entity: 'John_Smith', added: ['Graduated in 2019'], existing: 1 }] });
    expect(
      await call('create_entities', { entities: [{ name: 'John_Smith', entityType: 'x', observations: ['new'] }] }),
    ).toEqual({ entities: [], existing: [{ name: 'John_Smith', added_observations: 1 }] });
  });

  test('reading, under its names and with the prefix of the source', async () => {
    for (const tool of ['search_nodes', 'graph_search_nodes'])
      expect(await read(tool, { query: 'spanish' })).toMatchObject({
        entities: [{ name: 'John_Smith' }],
        relations: [{ from: 'John_Smith', type: 'works_at', to: 'Anthropic' }],
      });
    expect(await read('open_nodes', { names: ['Anthropic'] })).toMatchObject({
      entities: [{ name: 'Anthropic', type: 'organization' }],
      relations: [{ from: 'John_Smith' }],
    });
    const everything = await read('read_graph');
    expect((everything.entities as Json[]).map(({ name }) => name)).toEqual(
      expect.arrayContaining(['John_Smith', 'Anthropic']),
    );
    await using other = await connectV1(gateway);
    const direct = await callTool(other, 'graph_open_nodes', { names: ['Anthropic'] });
    expect(direct.structuredContent).toMatchObject({ entities: [{ name: 'Anthropic' }] });
    // At the top level the name belongs to the nodes of n8n.
    const nodes = await callTool(other, 'search_nodes', { query: 'slack' });
    expect(textOf(nodes)).toContain('n8n-nodes-base.slack');
  });

  test('deleting, which has to be confirmed', async () => {
    const gone = await confirmed('delete_observations', {
      deletions: [{ entityName: 'John_Smith', observations: ['Graduated in 2019'] }],
    });
    expect(gone.asked).toContain('"Graduated in 2019" of "John_Smith"');
    expect(gone.result).toEqual({ deleted: 1 });
    const relation = { from: 'John_Smith', to: 'Anthropic', relationType: 'works_at' };
    expect((await confirmed('delete_relations', { relations: [relation] })).result).toEqual({ deleted: 1 });
    const deleted = await confirmed('delete_entities', { entityNames: ['John_Smith', 'Anthropic', 'nobody'] });
    expect(deleted.asked).toContain('"John_Smith", "Anthropic" with 2 observations and 0 relations');
    expect(deleted.result).toEqual({ deleted: ['John_Smith', 'Anthropic'], missing: ['nobody'] });
  });
});

test('what is no longer true stays, and is read as of a time before', async () => {
  await call('create_entities', { entities: [...people('Cyd'), { name: 'Initech', type: 'company' }] });
  const works = { from: 'Cyd', type: 'works_at', to: 'Initech' };
  await call('create_relations', { relations: [{ ...works, valid_from: '2020-01-01' }] });
  expect(await call('graph_end', { relations: [works], at: '2023-06-30' })).toEqual({
    ended: 1,
    valid_to: '2023-06-30T00:00:00.000Z',
  });
  expect(await read('graph_get_neighbours', { name: 'Cyd' })).toEqual({ entities: [], relations: [] });
  expect(await read('graph_get_neighbours', { name: 'Cyd', as_of: '2021' })).toMatchObject({
    entities: [{ name: 'Initech' }],
    relations: [{ valid_from: '2020-01-01T00:00:00.000Z', valid_to: '2023-06-30T00:00:00.000Z' }],
  });
  expect(await refusal('graph_end', { relations: [works] })).toContain('Not valid at that time');
  expect(await refusal('graph_end', {})).toContain('Name entities, observations or relations');
  expect(await refusal('graph_search', { query: 'x', as_of: 'yesterday' })).toContain('is not a time');
});

test('duplicates are suggested and merged after a confirmation', async () => {
  await call('create_entities', {
    entities: [
      { name: 'Grace Hopper', type: 'person', observations: ['wrote a compiler'] },
      { name: 'grace-hopper', type: 'person', observations: ['was an admiral'], properties: { born: 1906 } },
    ],
  });
  await call('create_relations', { relations: [{ from: 'grace-hopper', type: 'knows', to: 'Cyd' }] });
  const { groups } = await read('graph_find_duplicates');
  expect(groups).toEqual([
    { why: 'same name', entities: ['Grace Hopper', 'grace-hopper'].map((name) => ({ name, type: 'person' })) },
  ]);
  const { asked, result } = await confirmed('graph_merge_entities', { names: ['grace-hopper'], into: 'Grace Hopper' });
  expect(asked).toContain('It moves 1 observation and 1 relation into "Grace Hopper" and deletes "grace-hopper".');
  expect(result).toMatchObject({
    entity: { properties: { born: 1906 }, observations: ['wrote a compiler', 'was an admiral'] },
    merged: ['grace-hopper'],
    moved: { observations: 1, relations: 1 },
  });
  expect(await refusal('graph_merge_entities', { names: ['Nobody'], into: 'Grace Hopper' })).toContain('"Nobody"');
});

test('a drawing has every name in quotes', async () => {
  await call('create_entities', { entities: people('end', 'say "hi" [x]', '🚀\nnext') });
  await call('create_relations', {
    relations: [
      { from: 'end', type: 'leads|to', to: 'say "hi" [x]' },
      { from: 'end', type: 'is', to: '🚀\nnext' },
    ],
  });
  expect(await read('graph_draw', { names: ['end'] })).toEqual({
    mermaid: [
      'flowchart LR',
      '  n0["end<br/>person"]',
      '  n1["say #34;hi#34; #91;x#93;<br/>person"]',
      '  n2["🚀 next<br/>person"]',
      '  n0 -->|"leads#124;to"| n1',
      '  n0 -->|"is"| n2',
    ].join('\n'),
    entities: 3,
    relations: 2,
  });
  expect(await read('graph_draw', { query: 'hopper' })).toMatchObject({ entities: 2, relations: 1 });
});

describe('large answers', () => {
  let created: Json;
  const size = async (tool: string, params: Json) => {
    const result = await callTool(client, 'graph_read', { tool, params });
    expect(result.isError, textOf(result)).not.toBe(true);
    return { bytes: JSON.stringify(result).length, json: result.structuredContent as Json };
  };

  beforeAll(async () => {
    const leaves = Array.from({ length: 200 }, (_, n) => `leaf number ${n}`);
    created = await call('create_entities', {
      entities: [
        {
          name: 'hub',
          type: 'thing',
          observations: Array.from({ length: 60 }, (_, n) => `fact ${n} ${'x'.repeat(200)}`),
        },
        { name: 'novel', type: 'text', observations: [`start ${'lorem '.repeat(1666)}end`, 'short'] },
        ...leaves.map((name) => ({ name, type: 'leaf', observations: [`about ${name} ${'y'.repeat(400)}`] })),
      ],
    });
    await call('create_relations', { relations: leaves.map((from) => ({ from, type: 'belongs_to', to: 'hub' })) });
  });

  test.each([
    ['graph_search', { query: 'leaf number' }],
    ['graph_get_neighbours', { name: 'hub' }],
    ['graph_get_subgraph', { names: ['hub', 'leaf number 1'], depth: 2 }],
    ['graph_get_subgraph', {}],
    ['graph_get_entities', { names: ['hub', 'leaf number 1'] }],
    ['graph_get_entities', { names: ['hub'], detail: 'full' }],
    ['graph_draw', { names: ['hub'] }],
    ['graph_draw', {}],
    ['graph_get_stats', {}],
    ['graph_find_duplicates', {}],
  ])('%s %j stays below 8 KB and says what is missing', async (tool, params) => {
    const { bytes, json } = await size(tool, params);
    expect(bytes).toBeLessThan(REPLY);
    if (!['graph_get_stats', 'graph_find_duplicates'].includes(tool))
      expect(json.truncated ?? json.cursor).toEqual(expect.any(String));
  });

  test('creating many says how many', () => {
    expect(JSON.stringify(created).length).toBeLessThan(REPLY / 2);
    expect(created.truncated).toContain('202 were created');
  });

  test('a cursor leads through everything once', async () => {
    const seen = { entities: [] as string[], relations: 0 };
    let cursor: unknown;
    do {
      const { bytes, json } = await size('read_graph', { ...(cursor !== undefined && { cursor }) });
      expect(bytes).toBeLessThan(REPLY);
      seen.entities.push(...(json.entities as Json[]).map(({ name }) => String(name)));
      seen.relations += (json.relations as Json[]).length;
      cursor = json.cursor;
    } while (cursor !== undefined);
    const { entities, relations } = await read('graph_get_stats');
    expect(seen.entities).toHaveLength(Number(entities));
    expect(new Set(seen.entities).size).toBe(Number(entities));
    expect(seen.relations).toBe(relations);
  });

  test('whole observations come in pages, however long they are', async () => {
    const texts: unknown[] = [];
    let cursor: unknown;
    for (let pages = 0; pages < 50; pages++) {
      const params = { names: ['novel', 'nobody', 'hub'], ...(cursor !== undefined && { cursor }) };
      const { json } = await size('graph_get_entities', params);
      for (const entity of json.entities as { observations: unknown[] }[]) texts.push(...entity.observations);
      cursor = json.cursor;
      if (cursor === undefined) break;
    }
    expect(texts).toHaveLength(62);
    expect(String(texts[0])).toHaveLength('start '.length + 1666 * 6 + 'end'.length);
    expect(String(texts.at(-1))).toContain('fact 59');
  });

  test('a high limit gets that many', async () => {
    const { json } = await size('graph_get_neighbours', { name: 'hub', limit: 500 });
    expect(json.entities).toHaveLength(200);
    expect(json.relations).toHaveLength(200);
  });
});

test('wrong input changes nothing and says what to do', async () => {
  const before = await read('graph_get_stats');
  expect(await refusal('create_entities', { entities: [{ name: 'New' }] })).toContain('entities.0.type is missing');
  expect(await refusal('create_entities', { entities: [{ name: ' ', type: 'x' }] })).toContain('is empty');
  expect(await refusal('create_entities', { entities: [] })).toContain('entities');
  expect(await refusal('create_relations', { relations: [{ from: 'Cyd', type: 'knows', to: 'Grace' }] })).toContain(
    'Did you mean "Grace Hopper"?',
  );
  expect(await refusal('graph_get_neighbours', { name: 'Cyd', depth: 9 })).toContain('depth');
  expect(await refusal('graph_update_entity', { name: 'Cyd' })).toContain('Nothing to change');
  expect(await refusal('delete_entities', { names: ['nobody'] })).toContain('No entity is called "nobody"');
  expect(await read('graph_get_stats')).toEqual(before);
});

test('the graph can be switched off, and gives its name to a server', async () => {
  const graphTools = async () => {
    await using now = await connectV2(gateway);
    return (await now.listTools()).tools.filter(({ name }) => name.startsWith('graph')).length;
  };
  await gateway.reload({ graph: false });
  expect(await graphTools()).toBe(0);
  await using reference = await startReference('http', 'both');
  await gateway.reload({ mcpServers: { graph: reference.entry } });
  await expect.poll(graphTools).toBeGreaterThan(3);
  expect(gateway.runtime.absent().find(({ name }) => name === 'graph')?.reason).toContain('has this name');
  await gateway.reload({});
  expect(await graphTools()).toBe(3);
  expect((await read('graph_get_stats')).entities).toBeGreaterThan(0);
});
