/** What the graph looks like in Neo4j itself, beside nodes of others. */
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { GraphEngine } from '../../../src/graph/engine.ts';
import { connectNeo4j, type Neo4j } from '../../../src/graph/neo4j/connection.ts';
import { neo4jEngine } from '../../../src/graph/neo4j/engine.ts';
import { plainMap } from '../../../src/graph/neo4j/plain-value.ts';
import { neo4jIsMissing, startNeo4j, type TestNeo4j } from '../../support/neo4j.ts';

const by = { principal: 'ana' };
const READING = { asOf: 'any', observations: 10, relations: 10 } as const;

describe.skipIf(neo4jIsMissing)('the graph as Neo4j has it', () => {
  let server: TestNeo4j;
  let neo4j: Neo4j;
  let graph: GraphEngine;
  beforeAll(async () => {
    server = await startNeo4j();
    neo4j = connectNeo4j(server);
    graph = neo4jEngine(neo4j, () => {});
  });
  beforeEach(() => server.empty());
  afterAll(async () => {
    await graph[Symbol.asyncDispose]();
    await server[Symbol.asyncDispose]();
  });

  const rows = async (cypher: string) => (await neo4j.read((run) => run(cypher))).rows.map(plainMap);

  test('an entity is a node with its type as a label, dated, with a list of observations', async () => {
    await graph.create([{ name: 'Ada', type: 'person' }], by);
    await graph.create(
      [{ name: 'Bob', type: 'person', observations: [{ text: 'likes tea' }], properties: { age: 36, size: 1.8 } }],
      by,
    );
    await graph.relate([{ from: 'Ada', type: 'knows', to: 'Bob', properties: { since: 2020 } }], by);
    expect(
      await rows(
        'MATCH (n:person) RETURN labels(n) AS labels, n.name, n.observations, n.recorded_at, n.age ORDER BY n.name',
      ),
    ).toEqual([
      {
        labels: expect.arrayContaining(['Entity', 'person']) as unknown,
        'n.name': 'Ada',
        'n.observations': [],
        'n.recorded_at': expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
        'n.age': null,
      },
      expect.objectContaining({ 'n.observations': ['likes tea'], 'n.age': 36 }),
    ]);
    expect(await rows('MATCH (:person)-[r:knows]->(p:person) RETURN p.name, r.since, p.age + 1 AS next')).toEqual([
      { 'p.name': 'Bob', 'r.since': 2020, next: 37 },
    ]);
  });

  test('properties that Neo4j cannot store come back as they were', async () => {
    const properties = {
      text: 'x',
      whole: 3,
      part: 1.5,
      mixed: [1, 'a', null],
      parts: [1, 2.5],
      empty: [],
      nested: { a: [{ b: 1 }] },
      nothing: null,
      name: 'a property called name',
      observations: 7,
      '': 'no name',
      'with ` and é': true,
      constructor: 'x',
      // JSON can have such a key, and it is an own property.
      ...(JSON.parse('{"__proto__": {"x": 1}}') as object),
    };
    await graph.create([{ name: 'Ada', type: 'person', properties }], by);
    const [entity] = (await graph.open(['Ada'], READING)).entities;
    expect(entity?.properties).toEqual(properties);
    await graph.update('Ada', { properties: { text: null, nested: null, name: 'another', mixed: [1] } });
    const { text: _text, nested: _nested, ...rest } = properties;
    const [changed] = (await graph.open(['Ada'], READING)).entities;
    expect(changed?.properties).toEqual({ ...rest, name: 'another', mixed: [1] });
    expect(await rows('MATCH (n:Entity) RETURN n.name, n.mixed, n.text')).toEqual([
      { 'n.name': 'Ada', 'n.mixed': [1], 'n.text': null },
    ]);
  });

  test.each(['a`b', '`', '``) DETACH DELETE n //', 'Jürgen 💚', 'with space', 'Entity', "it's", '{x: 1}'])(
    'a type can be %s',
    async (type) => {
      await graph.create(
        [
          { name: 'one', type },
          { name: 'two', type },
        ],
        by,
      );
      await graph.relate([{ from: 'one', type, to: 'two' }], by);
      const { entities, relations } = await graph.open(['one'], READING);
      expect([entities[0]?.type, relations[0]?.type]).toEqual([type, type]);
      await graph.update('one', { type: 'other' });
      expect((await graph.stats('any')).entityTypes.map((one) => one.type).sort()).toEqual(['other', type].sort());
      expect(await graph.deleteRelations([{ from: 'one', type, to: 'two' }])).toEqual({ deleted: 1, missing: [] });
    },
  );

  test('a type that Neo4j would read differently is refused', async () => {
    const type = String.raw`x\u0060) DETACH DELETE n //`;
    await expect(graph.create([{ name: 'one', type }], by)).rejects.toThrow('cannot be a type in Neo4j');
    expect(await rows('MATCH (n) RETURN n')).toEqual([]);
  });

  test('nodes of others are neither listed nor changed, and relationships with them survive a merge', async () => {
    await graph.create(
      ['Ada', 'ada l'].map((name) => ({ name, type: 'person' })),
      by,
    );
    await neo4j.write((run) =>
      run(
        "MATCH (n:Entity {name: 'ada l'}) CREATE (d:Document {name: 'Ada', text: 'theirs'})-[:MENTIONS {page: 3}]->(n)",
      ),
    );
    expect(await graph.stats('any')).toMatchObject({ entities: 2, relations: 0 });
    expect((await graph.open(['Ada'], READING)).entities).toHaveLength(1);
    expect((await graph.entities({ ...READING, limit: 10 })).items).toHaveLength(2);
    await graph.merge(['ada l'], 'Ada');
    expect(await rows('MATCH (d:Document)-[r]->(n) RETURN d.text, type(r), r.page, n.name')).toEqual([
      { 'd.text': 'theirs', 'type(r)': 'MENTIONS', 'r.page': 3, 'n.name': 'Ada' },
    ]);
    await graph.deleteEntities(['Ada']);
    expect(await rows('MATCH (n) RETURN labels(n) AS labels')).toEqual([{ labels: ['Document'] }]);
  });

  test('observations that somebody edits in Neo4j keep what is known about them', async () => {
    await graph.create([{ name: 'Ada', type: 'person', observations: ['a', 'b', 'c'].map((text) => ({ text })) }], by);
    const before = (await graph.open(['Ada'], READING)).entities[0]?.observations ?? [];
    await neo4j.write((run) => run("MATCH (n:Entity {name: 'Ada'}) SET n.observations = ['b', 'new', 'c']"));
    const after = (await graph.open(['Ada'], READING)).entities[0]?.observations ?? [];
    expect(after.map(({ text }) => text)).toEqual(['b', 'new', 'c']);
    expect([after[0], after[2]]).toEqual([before[1], before[2]]);
    await graph.observe([{ entity: 'Ada', observations: [{ text: 'new' }, { text: 'd' }] }], by);
    expect(await rows('MATCH (n:Entity) RETURN n.observations AS texts')).toEqual([{ texts: ['b', 'new', 'c', 'd'] }]);
  });
});
