/** What the console and programs read over REST. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readsAs, readsOf } from '../../support/reads.ts';
import { callTool, connectV2, type Json, startGateway, type TestGateway, textOf } from '../harness.ts';

const LEAVES = 5000;
const query = (asked: Readonly<Record<string, string>>) => new URLSearchParams(asked).toString();

describe('an open gateway', () => {
  let gateway: TestGateway;
  let read: ReturnType<typeof readsOf>['read'];
  let refusal: ReturnType<typeof readsOf>['refusal'];

  beforeAll(async () => {
    gateway = await startGateway({});
    ({ read, refusal } = readsOf(gateway));
    await using client = await connectV2(gateway);
    const call = async (tool: string, args: Json) => {
      const result = await callTool(client, tool, args);
      expect(result.isError, textOf(result)).not.toBe(true);
    };
    const entities = [
      { name: 'Ada', type: 'person', properties: { born: 1815 }, observations: ['likes tea', 'x'.repeat(40_000)] },
      { name: '__proto__', type: 'constructor', observations: Array.from({ length: 250 }, (_, at) => `fact ${at}`) },
      { name: 'a/b?c#d', type: 'odd' },
      { name: 'Hub', type: 'thing' },
    ];
    await call('graph_create_entities', { entities });
    await call('graph_create_relations', {
      relations: [
        { from: 'Ada', type: 'knows', to: '__proto__', properties: { since: 2020 } },
        { from: '__proto__', type: 'knows', to: 'a/b?c#d' },
        { from: 'a/b?c#d', type: 'knows', to: 'Ada' },
        { from: 'Ada', type: 'is', to: 'Ada' },
      ],
    });
    for (let at = 0; at < LEAVES; at += 1000) {
      const names = Array.from({ length: 1000 }, (_, more) => `Leaf ${at + more}`);
      await call('graph_create_entities', { entities: names.map((name) => ({ name, type: 'leaf' })) });
      await call('graph_create_relations', { relations: names.map((to) => ({ from: 'Hub', type: 'has', to })) });
    }
  });
  afterAll(() => gateway?.[Symbol.asyncDispose]());

  test('lists all names page by page, and finds entities by words', async () => {
    const names: string[] = [];
    let after: string | undefined;
    do {
      const page: { entities: { name: string }[]; next?: string; since: string } = await read(
        `graph-entities?${query({ limit: '2000', ...(after !== undefined && { after }) })}`,
      );
      names.push(...page.entities.map(({ name }) => name));
      expect(Date.parse(page.since)).not.toBeNaN();
      after = page.next;
    } while (after !== undefined);
    expect(names.slice(0, 5)).toEqual(['Ada', '__proto__', 'a/b?c#d', 'Hub', 'Leaf 0']);
    expect(new Set(names).size).toBe(LEAVES + 4);
    expect(await read('graph-search?query=who%20likes%20tea')).toEqual({
      entities: [{ name: 'Ada', type: 'person', found_in: ['observation'], observation: 'likes tea' }],
    });
    expect(await read('graph-entities?as_of=2000-01-01')).toMatchObject({ entities: expect.any(Array) as unknown });
    expect(await read('graph-stats')).toMatchObject({
      entities: LEAVES + 4,
      entity_types: expect.arrayContaining([{ type: 'leaf', count: LEAVES }]) as unknown,
    });
  });

  test('shows an entity in full, with relations in both directions', async () => {
    const ada = await read(`graph-entity?${query({ name: 'ada' })}`);
    expect(ada).toMatchObject({
      name: 'Ada',
      type: 'person',
      properties: { born: 1815 },
      by: { principal: 'local' },
      counts: { observations: 2 },
      observations: [{ text: 'likes tea' }, { text: 'x'.repeat(40_000) }],
      relations: [
        { from: 'Ada', type: 'knows', to: '__proto__', properties: { since: 2020 } },
        { from: 'a/b?c#d', type: 'knows', to: 'Ada' },
        { from: 'Ada', type: 'is', to: 'Ada' },
      ],
    });
    expect(ada).not.toHaveProperty('more_relations');
    const seen: string[] = [];
    let after: string | undefined;
    do {
      const page: { observations: { text: string }[]; next?: string } = await read(
        `graph-entity?${query({ name: '__proto__', relations: '0', ...(after !== undefined && { after }) })}`,
      );
      seen.push(...page.observations.map(({ text }) => text));
      after = page.next;
    } while (after !== undefined);
    expect(seen).toEqual(Array.from({ length: 250 }, (_, at) => `fact ${at}`));
  });

  test('caps what is around an entity with 5,000 relations, and says that there is more', async () => {
    const hub = await read<{ relations: Json[]; more_relations: boolean }>('graph-entity?name=Hub');
    expect([hub.relations.length, hub.more_relations]).toEqual([500, true]);
    const near = await read<{ entities: Json[]; truncated: boolean }>('graph-neighbours?name=Hub');
    expect([near.entities.length, near.truncated]).toEqual([200, true]);
    expect(await refusal('graph-neighbours?name=Hub&limit=100000')).toMatchObject({ status: 400 });
    expect(await refusal('graph-entity?name=Hub&relations=100000')).toMatchObject({ status: 400 });
  });

  test('walks cycles, and finds paths', async () => {
    const near = await read<{ entities: Json[]; relations: Json[] }>(
      `graph-neighbours?${query({ name: 'Ada', depth: '5' })}`,
    );
    expect(near.entities).toEqual([
      { name: '__proto__', type: 'constructor', distance: 1 },
      { name: 'a/b?c#d', type: 'odd', distance: 1 },
    ]);
    expect(await read(`graph-neighbours?${query({ name: 'Ada', types: 'is' })}`)).toMatchObject({ entities: [] });
    const path = await read(`graph-path?${query({ from: 'a/b?c#d', to: '__proto__' })}`);
    expect(path).toMatchObject({ found: true, relations: [{ from: '__proto__', type: 'knows', to: 'a/b?c#d' }] });
    expect(await read('graph-path?from=Ada&to=Hub')).toEqual({ found: false, entities: [], relations: [] });
  });

  test('says what is wrong with a question', async () => {
    expect(await refusal('graph-entity?name=Nobody')).toMatchObject({
      status: 404,
      message: expect.stringContaining('"Nobody"'),
    });
    expect(await refusal('graph-neighbours?name=Nobody')).toMatchObject({ status: 404 });
    for (const path of ['graph-entity', 'graph-search', 'graph-path?from=Ada', 'graph-neighbours?name=Ada&depth=6'])
      expect(await refusal(path)).toMatchObject({ status: 400 });
    expect(await refusal('graph-entities?as_of=soon')).toMatchObject({ status: 400 });
  });
});

test('a key reads what it may read with the tools, and nothing else', async () => {
  await using gateway = await startGateway({ auth: { mode: 'keys' } });
  const paths = [
    'graph-entities',
    'graph-search?query=x',
    'graph-entity?name=x',
    'graph-neighbours?name=x',
    'graph-path?from=x&to=y',
    'graph-stats',
  ];
  const reader = await readsAs(gateway, 'reader', { scopes: ['graph:read'], readOnly: true });
  const writing = await readsAs(gateway, 'writing', { tools: ['graph_create_entities'] });
  const elsewhere = await readsAs(gateway, 'elsewhere', { scopes: ['memory:read'] });
  for (const path of paths) {
    expect([200, 404]).toContain((await reader.refusal(path)).status);
    expect(await writing.refusal(path)).toMatchObject({ status: 403 });
    expect(await elsewhere.refusal(path)).toMatchObject({ status: 403 });
    expect(await readsOf(gateway).refusal(path)).toMatchObject({ status: 401 });
  }
});

test('a graph that is switched off, or away, says so', async () => {
  await using off = await startGateway({ graph: false });
  expect(await readsOf(off).refusal('graph-entities')).toEqual({
    status: 404,
    message: expect.stringContaining('switched off') as string,
  });
  await using away = await startGateway({ graph: { neo4j: { url: 'bolt://127.0.0.1:9' } } });
  const { status, message } = await readsOf(away).refusal('graph-entities');
  expect([status, message]).toEqual([503, expect.stringContaining('127.0.0.1:9')]);
});
