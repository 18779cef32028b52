import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { connectNeo4j, type Neo4j } from '../../../src/graph/neo4j/connection.ts';
import { neo4jEngine } from '../../../src/graph/neo4j/engine.ts';
import { isRealNeo4j, neo4jIsMissing, startNeo4j, type TestNeo4j } from '../../support/neo4j.ts';
import { type AnyClient, callTool, connectV2, startGateway, type TestGateway, textOf } from '../harness.ts';

describe.skipIf(neo4jIsMissing)('Cypher', () => {
  let server: TestNeo4j;
  let neo4j: Neo4j;
  let gateway: TestGateway;
  let client: AnyClient & AsyncDisposable;
  beforeAll(async () => {
    server = await startNeo4j();
    neo4j = connectNeo4j(server);
    const { url, username, password } = server;
    gateway = await startGateway({ graph: { neo4j: { url, username, password } } });
    client = await connectV2(gateway, { era: 'modern', path: '/mcp?expose=flat' });
  });
  beforeEach(async () => {
    await server.empty();
    await neo4j.write((run) =>
      run(
        `CREATE (a:Person {name: 'Ada', age: 36, size: 1.7, tags: ['x', 'y']})-[:KNOWS {since: 2020}]->(b:Person {name: 'Bob'}),
           (b)-[:LIKES]->(:Thing {name: 'tea'})`,
      ),
    );
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await gateway[Symbol.asyncDispose]();
    await neo4j[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const call = (name: string, args: Record<string, unknown>) => callTool(client, name, args);
  const query = async (cypher: string, more: Record<string, unknown> = {}) => {
    const result = await call('graph_query', { cypher, ...more });
    return result.isError ? textOf(result) : (result.structuredContent as { rows: object[]; truncated?: string });
  };
  const rows = async (cypher: string, params?: object) => {
    const answer = await query(cypher, params ? { params } : {});
    return typeof answer === 'string' ? answer : answer.rows;
  };
  const countAll = () => rows('MATCH (n) RETURN count(n) AS count');

  test('a query returns rows as JSON, with parameters', async () => {
    expect(
      await rows('MATCH (p:Person)-[r:KNOWS]->(o) WHERE p.age > $age RETURN p.name, p.size, p.tags, r.since, o.age', {
        age: 30,
      }),
    ).toEqual([{ 'p.name': 'Ada', 'p.size': 1.7, 'p.tags': ['x', 'y'], 'r.since': 2020, 'o.age': null }]);
    expect(await rows('MATCH (n:Person) WITH n.name AS name ORDER BY name DESC LIMIT 1 RETURN name')).toEqual([
      { name: 'Bob' },
    ]);
    expect(await rows('UNWIND $list AS x RETURN x * 2 AS double', { list: [1, 2] })).toEqual([
      { double: 2 },
      { double: 4 },
    ]);
  });

  test('nodes, relationships, paths, large numbers, times and places are plain JSON', async () => {
    const [row] = (await rows(
      `MATCH p = (a:Person {name: 'Ada'})-[*2]->(t:Thing) MATCH (a)-[r:KNOWS]->()
       RETURN a, r, p, 9007199254740993 AS large, date('2024-01-02') AS day, localtime('03:04:05') AS time,
         localdatetime('2024-01-02T03:04:05') AS moment, point({latitude: 1.0, longitude: 2.0}) AS place, {x: [1, null]} AS map`,
    )) as [Record<string, unknown>];
    expect(row).toMatchObject({
      a: { labels: ['Person'], properties: { name: 'Ada', age: 36 } },
      r: { type: 'KNOWS', properties: { since: 2020 } },
      p: {
        nodes: [{ labels: ['Person'] }, {}, { properties: { name: 'tea' } }],
        relationships: [{ type: 'KNOWS' }, {}],
      },
      day: '2024-01-02',
      time: '03:04:05',
      moment: '2024-01-02T03:04:05',
      place: { srid: 4326, x: 2, y: 1 },
      map: { x: [1, null] },
    });
    if (isRealNeo4j) expect(row.large).toBe('9007199254740993');
    const { r, a } = row as { r: { from: string }; a: { id: string } };
    expect(r.from).toBe(a.id);
  });

  test('a query cannot write, whatever it looks like', async () => {
    expect(await query("CREATE (n:Person {name: 'Eve'})")).toMatch(/begins with CREATE.*graph_write/);
    for (const cypher of [
      'MATCH (n) DETACH DELETE n',
      'MATCH (n) SET n.x = 1',
      "WITH 1 AS x MERGE (:Person {name: 'Eve'})",
    ])
      expect(await query(cypher)).toMatch(/only reads.*graph_write/);
    expect(await query("WITH 1 AS x LOAD CSV FROM 'file:///etc/passwd' AS l RETURN l")).toContain('LOAD CSV');
    expect(await query("CALL apoc.load.json('http://127.0.0.1/')")).toContain('apoc.load.json');
    expect(await countAll()).toEqual([{ count: 3 }]);
  });

  test('mistakes are explained', async () => {
    expect(await query('MATCH (n RETURN n')).toMatch(/Neo4j refused the statement: .+/);
    expect(await query('MATCH (n) WHERE n.name = $name RETURN n')).toMatch(/refused.*param/i);
    expect(await query('  // nothing')).toContain('empty');
  });

  test('many rows and large values are cut, and it says so', async () => {
    const many = await query('UNWIND range(1, 5000) AS x RETURN x', { limit: 20 });
    expect(many).toMatchObject({
      rows: { length: 20 },
      truncated: expect.stringContaining('SKIP and LIMIT') as string,
    });
    const wide = await call('graph_query', {
      cypher: "UNWIND range(1, 500) AS x RETURN x, 'some text that takes room in the reply' AS text",
      limit: 500,
    });
    expect(Buffer.byteLength(JSON.stringify(wide))).toBeLessThan(8192);
    expect(wide.structuredContent).toHaveProperty('truncated');
    const huge = await call('graph_query', {
      cypher: 'RETURN $text AS text, $list AS list',
      params: { text: 'x'.repeat(50_000), list: Array.from({ length: 5000 }, (_, n) => `item ${n}`) },
    });
    expect(Buffer.byteLength(JSON.stringify(huge))).toBeLessThan(8192);
    expect(huge.structuredContent).toMatchObject({ truncated: expect.stringContaining('cut') as string });
  });

  test('what creates and changes runs at once and is counted', async () => {
    const made = await call('graph_write', {
      cypher:
        "MERGE (p:Person {name: $name}) ON CREATE SET p.age = 1 CREATE (p)-[:HAS]->(:Thing {name: 'DELETE'}) RETURN p.name AS name",
      params: { name: 'Eve' },
    });
    expect(made.structuredContent).toMatchObject({
      counters: { nodes_created: 2, relationships_created: 1 },
      rows: [{ name: 'Eve' }],
    });
    expect(await countAll()).toEqual([{ count: 5 }]);
  });

  test('what deletes says what, and waits for a yes', async () => {
    const args = { cypher: "MATCH (p:Person {name: 'Ada'}) DETACH DELETE p" };
    const asked = await call('graph_write', args);
    expect(textOf(asked)).toMatch(/deletes 1 node, 1 relationship\./);
    expect(await countAll()).toEqual([{ count: 3 }]);
    const [, confirm] = /"confirm": "([^"]+)"/.exec(textOf(asked)) ?? [];
    const done = await call('graph_write', { ...args, confirm });
    expect(done.structuredContent).toMatchObject({ counters: { nodes_deleted: 1, relationships_deleted: 1 } });
    expect(await countAll()).toEqual([{ count: 2 }]);
    expect(textOf(await call('graph_write', { cypher: 'MATCH (n) REMOVE n.name' }))).toMatch(/removes \d propert/);
    expect(textOf(await call('graph_write', { cypher: 'MATCH (n:Nobody) DELETE n' }))).toContain('deletes nothing');
    expect(textOf(await call('graph_write', { cypher: "CALL apoc.export.csv.all('x', {})" }))).toContain(
      'cannot be foreseen',
    );
    expect(textOf(await call('graph_write', { cypher: 'MATCH (n) DELETE' }))).toContain('refused the statement');
  });

  test('an entity created with Cypher is dated and found', async () => {
    await call('graph_write', { cypher: "CREATE (:Entity:City {name: 'Lisbon', country: 'Portugal'})" });
    const graph = neo4jEngine(neo4j, () => {});
    const { entities } = await graph.open(['lisbon'], { asOf: 'any', observations: 10, relations: 10 });
    expect(entities).toEqual([
      expect.objectContaining({
        name: 'Lisbon',
        type: 'City',
        properties: { country: 'Portugal' },
        observations: [],
        recordedAt: expect.stringMatching(/^20\d\d-/) as string,
      }),
    ]);
    const hits = await graph.search({ text: 'portugal', terms: ['portugal'], limit: 5, skip: 0, asOf: 'any' });
    expect(hits.map(({ name }) => name)).toEqual(['Lisbon']);
    expect(await rows('MATCH (n:City) RETURN n.observations AS list')).toEqual([{ list: [] }]);
  });

  test('the schema shows labels, types, properties and constraints', async () => {
    await neo4jEngine(neo4j, () => {}).create([{ name: 'Sluice', type: 'Project' }], { principal: 'ana' });
    const { structuredContent: schema } = await call('graph_get_schema', {});
    expect(schema).toMatchObject({
      labels: expect.arrayContaining([
        {
          label: 'Person',
          count: 2,
          properties: { name: 'string', age: 'integer', size: 'float', tags: 'list of string' },
        },
        {
          label: 'Project',
          count: 1,
          properties: { name: 'string', type: 'string', recorded_at: 'string', observations: 'list of anything' },
        },
      ]) as unknown,
      relationships: expect.arrayContaining([
        { type: 'KNOWS', count: 1, from: ['Person'], to: ['Person'], properties: { since: 'integer' } },
        { type: 'LIKES', count: 1, from: ['Person'], to: ['Thing'], properties: {} },
      ]) as unknown,
      constraints: [expect.objectContaining({ labelsOrTypes: ['Entity'], properties: ['name'] }) as unknown],
    });
    const one = await call('graph_get_schema', { label: 'KNOWS' });
    expect(one.structuredContent).toMatchObject({ labels: [], relationships: [{ type: 'KNOWS' }], constraints: [] });
  });

  test('a slow query is stopped', async () => {
    const slow =
      'UNWIND range(1, 3000) AS a UNWIND range(1, 3000) AS b UNWIND range(1, 3000) AS c RETURN sum(a * b * c)';
    const before = Date.now();
    expect(await query(slow, { timeout: 0.2 })).toContain('took too long');
    expect(Date.now() - before).toBeLessThan(10_000);
  });

  test('the other tools keep the graph there', async () => {
    const entities = [{ name: 'Grace', type: 'Person', observations: ['wrote a compiler'] }];
    await call('graph_create_entities', { entities });
    await call('graph_create_relations', { relations: [{ from: 'Grace', type: 'IS', to: 'Grace' }] });
    expect(await rows('MATCH (n:Person:Entity)-[r]->(n) RETURN n.observations AS texts, type(r) AS type')).toEqual([
      { texts: ['wrote a compiler'], type: 'IS' },
    ]);
    const found = await call('graph_search', { query: 'compilers' });
    expect(found.structuredContent).toMatchObject({ entities: [{ name: 'Grace' }] });
    const drawn = await call('graph_draw', { names: ['Grace'] });
    expect(textOf(drawn)).toContain('Grace');
    expect(await graphChecks(gateway)).toEqual([
      { check: 'graph', result: 'ok', detail: `Neo4j at ${server.host}:${server.port} answers` },
    ]);
  });
});

/** What doctor says about the graph. */
async function graphChecks({ runtime }: TestGateway) {
  const checks = await Array.fromAsync(runtime.check(AbortSignal.timeout(30_000)));
  return checks.filter(({ check }) => check === 'graph');
}

describe('a gateway and Neo4j', () => {
  const namesOf = async (client: AnyClient) =>
    ((await client.listTools()) as { tools: { name: string }[] }).tools.map(({ name }) => name);

  test('Cypher is listed only while Neo4j is configured; one that is away is named, without its password', async () => {
    await using gateway = await startGateway({});
    await using client = await connectV2(gateway, { path: '/mcp?expose=flat' });
    const cypher = ['graph_query', 'graph_write', 'graph_get_schema'];
    expect((await namesOf(client)).filter((name) => cypher.includes(name))).toEqual([]);
    const password = 'nobody should read this';
    await gateway.reload({ graph: { neo4j: { url: 'bolt://127.0.0.1:9', password } } });
    expect(await namesOf(client)).toEqual(expect.arrayContaining(cypher));
    for (const [tool, args] of [
      ['graph_query', { cypher: 'RETURN 1' }],
      ['graph_create_entities', { entities: [{ name: 'Ada', type: 'person' }] }],
    ] as const) {
      const result = await callTool(client, tool, args);
      expect(result.isError).toBe(true);
      expect(textOf(result)).toMatch(/Neo4j at 127\.0\.0\.1:9 does not answer.*sluice\.yaml/);
    }
    const status = JSON.stringify((await callTool(client, 'gateway_status', {})).structuredContent);
    expect(status).toContain('Neo4j at 127.0.0.1:9 does not answer');
    expect(status).not.toContain(password);
    expect(await graphChecks(gateway)).toEqual([
      { check: 'graph', result: 'failed', detail: expect.stringContaining('does not answer') as string },
    ]);
    await gateway.reload({});
    expect((await namesOf(client)).filter((name) => cypher.includes(name))).toEqual([]);
    const made = await callTool(client, 'graph_create_entities', { entities: [{ name: 'Ada', type: 'person' }] });
    expect(made.isError).not.toBe(true);
  });
});
