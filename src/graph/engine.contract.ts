import { describe, expect, test } from 'vitest';
import type { Author, Entity, GraphEngine, NewEntity, Walk } from './engine.ts';
import { asked, ruled } from './graph.ts';

/** Two engines with the same, empty graph, as two processes have them. */
export interface TwoEngines extends AsyncDisposable {
  readonly one: GraphEngine;
  readonly two: GraphEngine;
}

const by: Author = { principal: 'ana', client: 'tests', call: 'c0ffee' };
const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const NOW = { asOf: new Date(Date.now() + 60_000).toISOString() };
const ALL = { ...NOW, observations: 1000, relations: 1000 };
const WALK: Walk = { ...NOW, depth: 5, direction: 'both', limit: 5000 };

const person = (name: string, ...texts: string[]): NewEntity => ({
  name,
  type: 'person',
  observations: texts.map((text) => ({ text })),
});
const people = (...names: string[]) => names.map((name) => person(name));
const related = (...lines: string[]) =>
  lines.map((line) => {
    const [from, type, to] = line.split(' ') as [string, string, string];
    return { from, type, to };
  });
const lineOf = ({ from, type, to }: { from: string; type: string; to: string }) => `${from} ${type} ${to}`;
const textsOf = (entity: Entity | undefined) => entity?.observations.map(({ text }) => text);
const namesOf = (heads: readonly { name: string }[] | undefined) => heads?.map(({ name }) => name);

/** The contract of every engine. `open` returns a new, empty graph each time. */
export function graphContract(name: string, open: () => Promise<TwoEngines>): void {
  async function graphs() {
    const engines = await open();
    return {
      graph: ruled(engines.one, () => {}),
      other: ruled(engines.two, () => {}),
      [Symbol.asyncDispose]: () => engines[Symbol.asyncDispose](),
    };
  }

  async function opened(graph: GraphEngine, entity: string, asOf = NOW.asOf): Promise<Entity | undefined> {
    return (await graph.open([entity], { ...ALL, asOf })).entities[0];
  }
  const relationsIn = async (graph: GraphEngine, asOf = NOW.asOf) =>
    (await graph.relations({ asOf, limit: 1000 })).items.map(lineOf);
  const found = async (graph: GraphEngine, query: string, more = {}) =>
    graph.search({ ...asked(query), limit: 10, skip: 0, ...NOW, ...more });

  describe(`${name}: entities`, () => {
    test('are created with observations, who wrote them and when', async () => {
      await using both = await graphs();
      const { graph, other } = both;
      const before = new Date().toISOString();
      const { created, existing } = await graph.create(
        [{ ...person('Ada', 'likes tea', 'lives in London'), properties: { age: 36, tags: ['math', { x: null }] } }],
        by,
      );
      expect(existing).toEqual([]);
      const written = { recordedAt: expect.stringMatching(ISO) as string, by };
      expect(created).toEqual([
        {
          name: 'Ada',
          type: 'person',
          properties: { age: 36, tags: ['math', { x: null }] },
          ...written,
          observations: ['likes tea', 'lives in London'].map((text) => ({
            id: expect.any(String) as string,
            text,
            ...written,
            validFrom: expect.stringMatching(ISO) as string,
          })),
          counts: { observations: 2, relations: 0 },
        },
      ]);
      expect(created[0]?.recordedAt && created[0].recordedAt >= before).toBe(true);
      expect(await opened(other, 'Ada')).toEqual(created[0]);
    });

    test('have an empty list of observations at first', async () => {
      await using both = await graphs();
      const { created } = await both.graph.create([{ name: 'Ada', type: 'person' }], by);
      expect(created[0]).toMatchObject({ observations: [], properties: {}, counts: { observations: 0, relations: 0 } });
    });

    test('that exist are reported and get only new observations', async () => {
      await using both = await graphs();
      const { graph } = both;
      await graph.create([{ ...person('Ada', 'likes tea'), properties: { a: 1 } }], by);
      const { created, existing } = await graph.create(
        [
          { ...person('Ada', 'likes tea', 'likes math', 'likes math'), type: 'robot', properties: { a: 2 } },
          person('Bob'),
        ],
        by,
      );
      expect(namesOf(created)).toEqual(['Bob']);
      expect(existing).toMatchObject([{ entity: 'Ada', added: [{ text: 'likes math' }], existing: ['likes tea'] }]);
      const ada = await opened(graph, 'Ada');
      expect(ada).toMatchObject({ type: 'person', properties: { a: 1 } });
      expect(textsOf(ada)).toEqual(['likes tea', 'likes math']);
    });

    test('that a list names twice are one', async () => {
      await using both = await graphs();
      const { created } = await both.graph.create([person('Ada', 'one'), person(' Ada ', 'one', 'two')], by);
      expect(created.map((entity) => [entity.name, textsOf(entity)])).toEqual([['Ada', ['one', 'two']]]);
    });

    test('keep names in any script, and are found in another case', async () => {
      await using both = await graphs();
      const { graph } = both;
      const names = [
        'Ünïcødé',
        '中文',
        '👩‍🚀🚀',
        "O'Brien; DROP TABLE graph_entities; --",
        'a\nb',
        '"quoted" %_',
        'Ada',
      ];
      await graph.create(people(...names), by);
      const { entities, missing } = await graph.open([...names, 'ÜNÏCØDÉ', 'nobody'], ALL);
      expect(namesOf(entities)).toEqual(names);
      expect(missing).toEqual(['nobody']);
      await graph.create(people('ada'), by);
      expect((await opened(graph, 'ada'))?.name).toBe('ada');
      expect((await opened(graph, 'Ada'))?.name).toBe('Ada');
      // It could mean either.
      expect(await opened(graph, 'ADA')).toBeUndefined();
    });

    test('are refused without a name or a type, with everything else in the list', async () => {
      await using both = await graphs();
      const { graph } = both;
      for (const bad of [person(''), person(' \n'), person('a\0b'), person('x'.repeat(501)), { name: 'x', type: ' ' }])
        await expect(graph.create([person('Ada'), bad], by)).rejects.toMatchObject({ code: 'invalid_input' });
      for (const text of ['', '  ', 'a\0b', 'x'.repeat(50_001)])
        await expect(graph.create([person('Ada'), person('Bob', text)], by)).rejects.toMatchObject({
          code: 'invalid_input',
        });
      expect((await graph.heads({ ...NOW, limit: 10 })).items).toEqual([]);
    });

    test('keep long and strange observations as they are', async () => {
      await using both = await graphs();
      const { graph } = both;
      const long = `${'väry löng 🚀 '.repeat(769)}end`.trim();
      expect(long.length).toBeGreaterThan(9_990);
      const texts = [long, '🚀', "'; DROP TABLE graph_observations; --", '{"json": ["\\u0000"]}', 'line\nline\ttab'];
      await graph.create([person('Ada', ...texts)], by);
      expect(textsOf(await opened(graph, 'Ada'))).toEqual(texts);
    });

    test('can be 200 at once, and are listed in pages, oldest first', async () => {
      await using both = await graphs();
      const { graph, other } = both;
      const names = Array.from({ length: 200 }, (_, n) => `entity ${n}`);
      const { created } = await graph.create(
        names.map((one) => person(one, `about ${one}`)),
        by,
      );
      expect(namesOf(created)).toEqual(names);
      const seen: string[] = [];
      let after: string | undefined;
      do {
        const page = await other.entities({ ...ALL, limit: 66, ...(after !== undefined && { after }) });
        expect(page.items.length).toBeLessThanOrEqual(66);
        for (const entity of page.items) expect(textsOf(entity)).toEqual([`about ${entity.name}`]);
        seen.push(...page.items.map((entity) => entity.name));
        after = page.next;
      } while (after !== undefined);
      expect(seen).toEqual(names);
    });

    test('are updated: name, type, and properties key by key', async () => {
      await using both = await graphs();
      const { graph, other } = both;
      await graph.create([{ ...person('Ada', 'likes tea'), properties: { a: 1, b: { c: 2 }, d: 3 } }], by);
      await graph.create(people('Bob'), by);
      await graph.relate(related('Ada knows Bob'), by);
      const ada = await graph.update('ada', {
        name: 'Ada Lovelace',
        type: 'mathematician',
        properties: { b: 'new', d: null, constructor: 'x' },
      });
      expect(ada).toMatchObject({ name: 'Ada Lovelace', type: 'mathematician' });
      expect(ada.properties).toEqual({ a: 1, b: 'new', constructor: 'x' });
      expect(textsOf(ada)).toEqual(['likes tea']);
      expect(await opened(other, 'Ada')).toBeUndefined();
      expect((await other.neighbours('Bob', WALK)).entities).toMatchObject([{ name: 'Ada Lovelace' }]);
      expect(namesOf(await found(other, 'lovelace'))).toEqual(['Ada Lovelace']);
      expect(namesOf(await found(other, 'mathematician'))).toEqual(['Ada Lovelace']);
      await expect(graph.update('Ada Lovelace', { name: 'Bob' })).rejects.toMatchObject({ code: 'conflict' });
      await expect(graph.update('Adam', { type: 'x' })).rejects.toThrow('No entity is called "Adam"');
      expect(await graph.update('Bob', { name: 'BOB' })).toMatchObject({ name: 'BOB', type: 'person' });
    });

    test('are deleted with their observations and relations, whatever is missing', async () => {
      await using both = await graphs();
      const { graph } = both;
      await graph.create([person('Ada', 'likes tea'), ...people('Bob', 'Cyd')], by);
      await graph.relate(related('Ada knows Bob', 'Bob knows Cyd', 'Cyd knows Ada'), by);
      expect(await graph.deleteEntities(['ada', 'nobody'])).toEqual({ deleted: ['Ada'], missing: ['nobody'] });
      expect(await opened(graph, 'Ada')).toBeUndefined();
      expect(await relationsIn(graph)).toEqual(['Bob knows Cyd']);
      expect(await found(graph, 'tea')).toEqual([]);
      const { created } = await graph.create(people('Ada'), by);
      expect(created).toMatchObject([{ name: 'Ada', observations: [], counts: { relations: 0 } }]);
    });
  });

  describe(`${name}: observations`, () => {
    test('are added once each; a missing entity changes nothing and is named with those like it', async () => {
      await using both = await graphs();
      const { graph } = both;
      await graph.create([person('Ada Lovelace', 'likes tea'), person('Bob')], by);
      const observed = await graph.observe(
        [
          { entity: 'ADA LOVELACE', observations: [{ text: 'likes tea' }, { text: 'likes math' }] },
          { entity: 'Bob', observations: [{ text: 'likes tea' }, { text: ' likes tea' }] },
        ],
        by,
      );
      expect(observed).toMatchObject([
        { entity: 'Ada Lovelace', added: [{ text: 'likes math', by }], existing: ['likes tea'] },
        { entity: 'Bob', added: [{ text: 'likes tea' }], existing: [] },
      ]);
      const wrong = graph.observe(
        [
          { entity: 'Bob', observations: [{ text: 'lost' }] },
          { entity: 'Ada', observations: [{ text: 'lost' }] },
          { entity: 'Zoe', observations: [{ text: 'lost' }] },
        ],
        by,
      );
      await expect(wrong).rejects.toMatchObject({ code: 'not_found', data: { missing: ['Ada', 'Zoe'] } });
      await expect(wrong).rejects.toThrow('Did you mean "Ada Lovelace"?');
      expect(textsOf(await opened(graph, 'Bob'))).toEqual(['likes tea']);
    });

    test('are deleted by text or id', async () => {
      await using both = await graphs();
      const { graph } = both;
      const { created } = await graph.create([person('Ada', 'one', 'two', 'three'), person('Bob', 'one')], by);
      const two = created[0]?.observations[1]?.id ?? '';
      expect(
        await graph.deleteObservations([
          { entity: 'Ada', observations: ['one', two, 'four'] },
          { entity: 'Zoe', observations: ['one'] },
        ]),
      ).toEqual({
        deleted: 2,
        missing: [
          { entity: 'Ada', observations: ['four'] },
          { entity: 'Zoe', observations: ['one'] },
        ],
      });
      expect(textsOf(await opened(graph, 'Ada'))).toEqual(['three']);
      expect(textsOf(await opened(graph, 'Bob'))).toEqual(['one']);
    });

    test('come in pages, and an entity says how many it has', async () => {
      await using both = await graphs();
      const { graph } = both;
      const texts = Array.from({ length: 25 }, (_, n) => `fact ${n}`);
      await graph.create([person('Ada', ...texts)], by);
      const { entities } = await graph.open(['Ada'], { ...ALL, observations: 10 });
      expect(textsOf(entities[0])).toEqual(texts.slice(0, 10));
      expect(entities[0]?.counts.observations).toBe(25);
      const first = await graph.observations('Ada', { ...NOW, limit: 20 });
      const last = await graph.observations('Ada', { ...NOW, limit: 20, after: first.next ?? '' });
      expect([...first.items, ...last.items].map(({ text }) => text)).toEqual(texts);
      expect(last.next).toBeUndefined();
    });
  });

  describe(`${name}: relations`, () => {
    test('are created once, with properties; a missing entity changes nothing', async () => {
      await using both = await graphs();
      const { graph, other } = both;
      await graph.create(people('Ada', 'Bob'), by);
      const { created } = await graph.relate(
        [{ from: 'ada', type: 'knows', to: 'BOB', properties: { since: 1830 } }, ...related('Ada likes Ada')],
        by,
      );
      expect(created).toMatchObject([
        {
          from: 'Ada',
          type: 'knows',
          to: 'Bob',
          properties: { since: 1830 },
          by,
          recordedAt: expect.any(String) as string,
        },
        { from: 'Ada', type: 'likes', to: 'Ada' },
      ]);
      const again = await other.relate(related('Ada knows Bob', 'Bob knows Ada', 'Bob knows Ada'), by);
      expect(again.created.map(lineOf)).toEqual(['Bob knows Ada']);
      expect(again.existing.map(lineOf)).toEqual(['Ada knows Bob']);
      await expect(graph.relate(related('Ada hates Bob', 'Ada knows Cyd', 'Dan knows Cyd'), by)).rejects.toMatchObject({
        code: 'not_found',
        data: { missing: ['Cyd', 'Dan'] },
      });
      await expect(graph.relate([{ from: 'Ada', type: '', to: 'Bob' }], by)).rejects.toMatchObject({
        code: 'invalid_input',
      });
      expect(await relationsIn(graph)).toEqual(['Ada knows Bob', 'Ada likes Ada', 'Bob knows Ada']);
      expect((await opened(graph, 'Ada'))?.counts.relations).toBe(3);
    });

    test('are deleted', async () => {
      await using both = await graphs();
      const { graph } = both;
      await graph.create(people('Ada', 'Bob'), by);
      await graph.relate(related('Ada knows Bob', 'Bob knows Ada'), by);
      expect(await graph.deleteRelations(related('Ada knows Bob', 'Ada hates Bob', 'Zoe knows Ada'))).toEqual({
        deleted: 1,
        missing: related('Ada hates Bob', 'Zoe knows Ada'),
      });
      expect(await relationsIn(graph)).toEqual(['Bob knows Ada']);
    });

    test('are opened with either of their entities', async () => {
      await using both = await graphs();
      const { graph } = both;
      await graph.create(people('Ada', 'Bob', 'Cyd', 'Dan'), by);
      await graph.relate(related('Ada knows Bob', 'Bob knows Cyd', 'Cyd knows Dan'), by);
      const near = await graph.open(['Bob'], ALL);
      expect(near.relations.map(lineOf)).toEqual(['Ada knows Bob', 'Bob knows Cyd']);
      expect(near.more).toBe(false);
      expect(await graph.open(['Bob', 'Cyd'], { ...ALL, relations: 2 })).toMatchObject({ more: true });
    });
  });

  describe(`${name}: time`, () => {
    const [y2000, y2010, y2020] = ['2000', '2010', '2020'].map((year) => `${year}-01-01T00:00:00.000Z`) as [
      string,
      string,
      string,
    ];

    test('what ended stays, and is read as of a time before', async () => {
      await using both = await graphs();
      const { graph } = both;
      await graph.create(
        [{ ...person('Ada'), observations: [{ text: 'lives in Rome', validFrom: y2000 }] }, ...people('Acme', 'Bob')],
        by,
      );
      await graph.relate([{ from: 'Ada', type: 'works_at', to: 'Acme', validFrom: y2000 }], by);
      await graph.end(
        {
          entities: [],
          observations: [{ entity: 'ada', observations: ['lives in Rome'] }],
          relations: related('Ada works_at Acme'),
        },
        y2010,
      );
      const before = await opened(graph, 'Ada', '2009-12-31T23:59:59.999Z');
      expect(before).toMatchObject({
        observations: [{ text: 'lives in Rome', validFrom: y2000, validTo: y2010 }],
        counts: { observations: 1, relations: 1 },
      });
      expect(await opened(graph, 'Ada', y2010)).toMatchObject({ observations: [], counts: { relations: 0 } });
      expect(await relationsIn(graph, y2000)).toEqual(['Ada works_at Acme']);
      expect(await relationsIn(graph, y2010)).toEqual([]);
      expect(await relationsIn(graph, '1999-12-31T00:00:00.000Z')).toEqual([]);
      expect(await relationsIn(graph, 'any')).toEqual(['Ada works_at Acme']);
      const walk = (asOf: string) => graph.neighbours('Ada', { ...WALK, asOf });
      expect(namesOf((await walk(y2000)).entities)).toEqual(['Acme']);
      expect((await walk(NOW.asOf)).entities).toEqual([]);
      expect(await graph.path('Ada', 'Acme', { ...WALK, asOf: y2000 })).toBeDefined();
      expect(await graph.path('Ada', 'Acme', WALK)).toBeUndefined();
      expect(namesOf(await found(graph, 'rome', { asOf: y2000 }))).toEqual(['Ada']);
      expect(await found(graph, 'rome')).toEqual([]);
      // True again, since another time.
      const again = await graph.relate([{ from: 'Ada', type: 'works_at', to: 'Acme', validFrom: y2020 }], by);
      expect(again.created).toHaveLength(1);
      expect(await relationsIn(graph)).toEqual(['Ada works_at Acme']);
      expect(await relationsIn(graph, 'any')).toHaveLength(2);
      expect(await graph.stats(y2000)).toMatchObject({ relations: 1, observations: 1 });
    });

    test('an entity that ended hides its relations, and can come back', async () => {
      await using both = await graphs();
      const { graph } = both;
      await graph.create([person('Ada', 'likes tea'), person('Bob')], by);
      await graph.relate([{ from: 'Ada', type: 'knows', to: 'Bob', validFrom: y2000 }], by);
      await graph.end({ entities: ['Ada'], observations: [], relations: [] }, y2020);
      expect((await graph.open(['Ada', 'Bob'], ALL)).missing).toEqual(['Ada']);
      expect((await opened(graph, 'Bob'))?.counts.relations).toBe(0);
      expect(await relationsIn(graph)).toEqual([]);
      expect(await found(graph, 'tea')).toEqual([]);
      expect((await graph.subgraph(['Bob'], WALK)).entities).toMatchObject([{ name: 'Bob', distance: 0 }]);
      expect(await opened(graph, 'Ada', y2010)).toMatchObject({ validTo: y2020, counts: { relations: 1 } });
      expect((await graph.create(people('Ada'), by)).existing).toMatchObject([{ entity: 'Ada' }]);
      expect(await graph.update('Ada', { validTo: null })).not.toHaveProperty('validTo');
      expect(await relationsIn(graph)).toEqual(['Ada knows Bob']);
    });

    test('what cannot be ended is named, and nothing is ended', async () => {
      await using both = await graphs();
      const { graph } = both;
      await graph.create([person('Ada', 'one'), person('Bob')], by);
      await graph.relate(related('Ada knows Bob'), by);
      const at = NOW.asOf;
      const ends = { entities: [] as string[], observations: [{ entity: 'Ada', observations: ['one'] }] };
      await expect(graph.end({ ...ends, relations: related('Ada hates Bob') }, at)).rejects.toThrow('"hates"');
      await expect(graph.end({ ...ends, relations: related('Ada knows Zoe') }, at)).rejects.toThrow('"Zoe"');
      await expect(graph.end({ ...ends, relations: related('Ada knows Bob') }, y2000)).rejects.toThrow(
        'Not valid at that time',
      );
      expect(await opened(graph, 'Ada')).toMatchObject({ counts: { observations: 1, relations: 1 } });
    });

    test('imported records keep their times and their author', async () => {
      await using both = await graphs();
      const { graph } = both;
      const then = { recordedAt: y2010, validFrom: y2000, validTo: y2020, by: { principal: 'eve' } };
      const entity = { ...person('Ada'), observations: [{ text: 'one', ...then }], ...then };
      const relation = { from: 'Ada', type: 'is', to: 'Ada', ...then };
      for (const round of [1, 2]) {
        expect((await graph.create([entity], by)).created).toHaveLength(round === 1 ? 1 : 0);
        expect((await graph.relate([relation], by)).created).toHaveLength(round === 1 ? 1 : 0);
      }
      const page = { asOf: 'any', limit: 10, observations: 10 } as const;
      expect((await graph.entities(page)).items).toMatchObject([{ ...then, observations: [{ text: 'one', ...then }] }]);
      expect((await graph.relations(page)).items).toMatchObject([then]);
      await expect(graph.create([{ ...person('Bob'), validFrom: y2020, validTo: y2000 }], by)).rejects.toMatchObject({
        code: 'invalid_input',
      });
    });
  });

  describe(`${name}: search`, () => {
    test('finds words in names, types, properties and observations, best first, and says where', async () => {
      await using both = await graphs();
      const { graph } = both;
      await graph.create(
        [
          person('Bob', 'met the rocket engineer', 'plays golf'),
          { name: 'Rocket', type: 'vehicle', properties: { maker: 'Acme' } },
          person('Cyd', 'builds engines'),
          ...people('Dan', 'Eve'),
        ],
        by,
      );
      const hits = await found(graph, 'the rocket');
      expect(hits.map(({ name: one, where }) => [one, where])).toEqual([
        ['Rocket', ['name']],
        ['Bob', ['observation']],
      ]);
      expect(hits[1]?.observations.map(({ text }) => text)).toEqual(['met the rocket engineer']);
      expect((hits[0]?.score ?? 0) > (hits[1]?.score ?? 0)).toBe(true);
      expect(namesOf(await found(graph, 'acme'))).toEqual(['Rocket']);
      expect(namesOf(await found(graph, 'vehicles'))).toEqual(['Rocket']);
      expect(namesOf(await found(graph, 'engine builder'))?.[0]).toBe('Cyd');
      expect(await found(graph, 'nowhere')).toEqual([]);
    });

    test('finds parts of words, other scripts, and text that is no word', async () => {
      await using both = await graphs();
      const { graph } = both;
      await graph.create(
        [
          person('Kubernetes'),
          person('東京タワー', '高さは333メートル'),
          person('Zoë', 'loves 🚀'),
          person('C++', '100% (yes)'),
        ],
        by,
      );
      expect(namesOf(await found(graph, 'kube'))).toEqual(['Kubernetes']);
      expect(namesOf(await found(graph, 'BERNET'))).toEqual(['Kubernetes']);
      expect(namesOf(await found(graph, '東京'))).toEqual(['東京タワー']);
      expect(namesOf(await found(graph, 'zoe'))).toEqual(['Zoë']);
      expect(namesOf(await found(graph, '🚀'))).toEqual(['Zoë']);
      expect(namesOf(await found(graph, '% ('))).toEqual(['C++']);
      for (const odd of ['"', "' OR 1=1 --", '* AND NOT (', ':', '-x', ''])
        expect(Array.isArray(await found(graph, odd))).toBe(true);
    });

    test('goes on after a page', async () => {
      await using both = await graphs();
      const { graph } = both;
      await graph.create(people('note a', 'note b', 'note c'), by);
      const first = await found(graph, 'note', { limit: 2 });
      const rest = await found(graph, 'note', { limit: 2, skip: 2 });
      expect(namesOf([...first, ...rest])?.toSorted()).toEqual(['note a', 'note b', 'note c']);
      expect(await found(graph, 'note', { skip: 3 })).toEqual([]);
    });
  });

  describe(`${name}: walking`, () => {
    /** a -> b -> c -> d -> a, c -> e; x apart. */
    async function circle(graph: GraphEngine) {
      await graph.create(people('a', 'b', 'c', 'd', 'e', 'x'), by);
      await graph.relate(related('a r b', 'b r c', 'c r d', 'd s a', 'c s e'), by);
    }
    const distances = ({ entities }: { entities: readonly { name: string; distance: number }[] }) =>
      entities.map((entity) => `${entity.name}${entity.distance}`);

    test('goes to a depth, in a direction, along types, and round a cycle once', async () => {
      await using both = await graphs();
      const { graph } = both;
      await circle(graph);
      const out = (more: Partial<Walk>) => graph.neighbours('a', { ...WALK, direction: 'out', ...more });
      expect(distances(await out({ depth: 1 }))).toEqual(['b1']);
      expect(distances(await out({ depth: 5 }))).toEqual(['b1', 'c2', 'd3', 'e3']);
      expect(distances(await out({ depth: 5, types: ['r'] }))).toEqual(['b1', 'c2', 'd3']);
      expect(distances(await out({ depth: 1, direction: 'in' }))).toEqual(['d1']);
      const both1 = await out({ depth: 1, direction: 'both' });
      expect(distances(both1)).toEqual(['b1', 'd1']);
      expect(both1.relations.map(lineOf)).toEqual(['a r b', 'd s a']);
      const deep = await out({ depth: 2, direction: 'both' });
      expect(deep.relations.map(lineOf)).toEqual(['a r b', 'b r c', 'c r d', 'd s a']);
      expect(await out({ depth: 5, limit: 2 })).toMatchObject({ truncated: true });
      await expect(graph.neighbours('nobody', WALK)).rejects.toMatchObject({ code: 'not_found' });
    });

    test('finds a shortest path, both ways by default', async () => {
      await using both = await graphs();
      const { graph } = both;
      await circle(graph);
      const path = await graph.path('a', 'e', WALK);
      expect(namesOf(path?.entities)).toEqual(['a', expect.stringMatching(/^[bd]$/), 'c', 'e']);
      expect(path?.relations).toHaveLength(3);
      const ahead = await graph.path('a', 'd', { ...WALK, direction: 'out' });
      expect(namesOf(ahead?.entities)).toEqual(['a', 'b', 'c', 'd']);
      expect(ahead?.relations.map(lineOf)).toEqual(['a r b', 'b r c', 'c r d']);
      const short = await graph.path('a', 'D', WALK);
      expect(namesOf(short?.entities)).toEqual(['a', 'd']);
      expect(short?.relations.map(lineOf)).toEqual(['d s a']);
      expect(await graph.path('a', 'd', { ...WALK, direction: 'out', depth: 2 })).toBeUndefined();
      expect(await graph.path('a', 'd', { ...WALK, direction: 'in' })).toMatchObject({ relations: [{ from: 'd' }] });
      expect(await graph.path('a', 'e', { ...WALK, types: ['r'] })).toBeUndefined();
      expect(await graph.path('a', 'x', WALK)).toBeUndefined();
      expect(await graph.path('a', 'a', WALK)).toMatchObject({ entities: [{ name: 'a' }], relations: [] });
      await expect(graph.path('a', 'nobody', WALK)).rejects.toMatchObject({ code: 'not_found' });
    });

    test('collects a subgraph with all relations in it', async () => {
      await using both = await graphs();
      const { graph } = both;
      await circle(graph);
      const near = await graph.subgraph(['b', 'x'], { ...WALK, depth: 1 });
      expect(distances(near)).toEqual(['b0', 'x0', 'a1', 'c1']);
      expect(near.relations.map(lineOf)).toEqual(['a r b', 'b r c']);
      const alone = await graph.subgraph(['a', 'd'], { ...WALK, depth: 0 });
      expect(alone.relations.map(lineOf)).toEqual(['d s a']);
    });

    test('is quick through a hub of 2,000', async () => {
      await using both = await graphs();
      const { graph } = both;
      const leaves = Array.from({ length: 2000 }, (_, n) => `leaf ${n}`);
      await graph.create(people('hub', ...leaves), by);
      for (let from = 0; from < leaves.length; from += 500)
        await graph.relate(
          leaves.slice(from, from + 500).flatMap((leaf, n) => [
            { from: leaf, type: 'at', to: 'hub' },
            { from: leaf, type: 'next', to: leaves[(from + n + 1) % leaves.length] as string },
          ]),
          by,
        );
      const started = performance.now();
      const { entities, truncated } = await graph.neighbours('leaf 7', WALK);
      expect([entities.length, truncated]).toEqual([2000, false]);
      expect(await graph.neighbours('hub', { ...WALK, limit: 50 })).toMatchObject({ truncated: true });
      expect(namesOf((await graph.path('leaf 1', 'leaf 1000', WALK))?.entities)).toEqual([
        'leaf 1',
        'hub',
        'leaf 1000',
      ]);
      expect((await graph.open(['hub'], ALL)).more).toBe(true);
      // Milliseconds by itself; a machine under load takes longer, running away takes minutes.
      expect(performance.now() - started).toBeLessThan(30_000);
    });
  });

  describe(`${name}: merging`, () => {
    test('moves everything into one entity, without doubles and relations to itself', async () => {
      await using both = await graphs();
      const { graph, other } = both;
      await graph.create(
        [
          { ...person('Ada', 'one', 'two'), properties: { a: 1, b: 1 } },
          { ...person('A. Lovelace', 'two', 'three'), properties: { b: 2, c: 3 } },
          person('Countess', 'three', 'four'),
          ...people('Bob', 'Cyd'),
        ],
        by,
      );
      await graph.relate(
        [
          ...related('Ada knows Bob', 'Countess knows Bob', 'Bob knows Countess', 'Ada is Countess', 'Ada likes Ada'),
          { from: 'A. Lovelace', type: 'knows', to: 'Cyd' },
          { from: 'A. Lovelace', type: 'is', to: 'Ada' },
        ],
        by,
      );
      const merged = await graph.merge(['a. lovelace', 'Countess', 'Ada'], 'Ada');
      expect(merged).toMatchObject({
        merged: ['A. Lovelace', 'Countess'],
        moved: { observations: 2, relations: 2 },
        dropped: [{ entity: 'A. Lovelace', property: 'b', value: 2 }],
        entity: { name: 'Ada', properties: { a: 1, b: 1, c: 3 } },
      });
      expect(textsOf(merged.entity)).toEqual(['one', 'two', 'three', 'four']);
      expect((await relationsIn(other)).toSorted()).toEqual([
        'Ada knows Bob',
        'Ada knows Cyd',
        'Ada likes Ada',
        'Bob knows Ada',
      ]);
      expect((await other.heads({ ...NOW, limit: 10 })).items.map((head) => head.name)).toEqual(['Ada', 'Bob', 'Cyd']);
      expect(namesOf(await found(other, 'four'))).toEqual(['Ada']);
    });

    test('keeps every period of what was true', async () => {
      await using both = await graphs();
      const { graph } = both;
      const year = (n: number) => `20${String(n).padStart(2, '0')}-01-01T00:00:00.000Z`;
      const period = (from: number, to: number) => ({ validFrom: year(from), validTo: year(to) });
      await graph.create(
        [{ ...person('Ada'), ...period(0, 5) }, { ...person('Bob'), ...period(3, 9) }, person('Cyd')],
        by,
      );
      await graph.relate([{ from: 'Ada', type: 'at', to: 'Cyd', ...period(1, 4) }], by);
      await graph.relate([{ from: 'Bob', type: 'at', to: 'Cyd', ...period(3, 8) }], by);
      const { entity } = await graph.merge(['Bob'], 'Ada');
      expect(entity).toMatchObject(period(0, 9));
      expect(await relationsIn(graph, year(2))).toEqual(['Ada at Cyd']);
      expect(await relationsIn(graph, year(6))).toEqual(['Ada at Cyd']);
    });

    test('changes nothing if one is missing', async () => {
      await using both = await graphs();
      const { graph } = both;
      await graph.create([person('Ada', 'one'), person('Bob', 'two')], by);
      await expect(graph.merge(['Bob', 'Zoe'], 'Ada')).rejects.toThrow('"Zoe"');
      await expect(graph.merge(['Bob'], 'Zoe')).rejects.toThrow('"Zoe"');
      expect(textsOf(await opened(graph, 'Bob'))).toEqual(['two']);
    });
  });

  describe(`${name}: several at once`, () => {
    test('two writers lose nothing and double nothing', async () => {
      await using both = await graphs();
      const { graph, other } = both;
      const names = Array.from({ length: 30 }, (_, n) => `entity ${n}`);
      const writes = [graph, other].flatMap((one, side) =>
        [names, names.toReversed()].map(async (order) => {
          for (const entity of order)
            await one.create([person(entity, `side ${side}`, 'both'), person('hub', `${entity} by ${side}`)], by);
        }),
      );
      await Promise.all(writes);
      await Promise.all(
        [graph, other].map((one, side) =>
          one.relate(
            (side ? names : names.toReversed()).map((entity) => ({ from: entity, type: 'at', to: 'hub' })),
            by,
          ),
        ),
      );
      const { items } = await graph.entities({ ...ALL, limit: 100 });
      expect(items).toHaveLength(31);
      for (const entity of items.filter((one) => one.name !== 'hub'))
        expect([textsOf(entity)?.toSorted(), entity.counts.relations]).toEqual([['both', 'side 0', 'side 1'], 1]);
      expect(items.find((one) => one.name === 'hub')?.counts).toEqual({ observations: 60, relations: 30 });
    });

    test('two updates of one entity both take effect', async () => {
      await using both = await graphs();
      const { graph, other } = both;
      await graph.create(people('Ada'), by);
      await Promise.all(
        [graph, other].flatMap((one, side) =>
          [0, 1, 2].map((n) => one.update('Ada', { properties: { [`${side}-${n}`]: true } })),
        ),
      );
      expect(Object.keys((await opened(graph, 'Ada'))?.properties ?? {})).toHaveLength(6);
    });

    test('whoever relates to an entity that is deleted fails or comes first', async () => {
      await using both = await graphs();
      const { graph, other } = both;
      await graph.create(people('hub'), by);
      for (let n = 0; n < 10; n++) {
        await graph.create(people(`leaf ${n}`), by);
        const [made] = await Promise.allSettled([
          graph.relate([{ from: 'hub', type: 'has', to: `leaf ${n}` }], by),
          other.deleteEntities([`leaf ${n}`]),
        ]);
        if (made.status === 'rejected') expect(made.reason).toMatchObject({ code: 'not_found' });
      }
      expect(await relationsIn(graph, 'any')).toEqual([]);
      expect(await opened(graph, 'hub')).toMatchObject({ counts: { relations: 0 } });
    });
  });

  describe(`${name}: counts`, () => {
    test('by type', async () => {
      await using both = await graphs();
      const { graph } = both;
      expect(await graph.stats(NOW.asOf)).toEqual({
        entities: 0,
        observations: 0,
        relations: 0,
        entityTypes: [],
        relationTypes: [],
      });
      await graph.create([person('Ada', 'one', 'two'), person('Bob'), { name: 'Acme', type: 'company' }], by);
      await graph.relate(related('Ada at Acme', 'Bob at Acme', 'Ada knows Bob'), by);
      expect(await graph.stats(NOW.asOf)).toEqual({
        entities: 3,
        observations: 2,
        relations: 3,
        entityTypes: [
          { type: 'person', count: 2 },
          { type: 'company', count: 1 },
        ],
        relationTypes: [
          { type: 'at', count: 2 },
          { type: 'knows', count: 1 },
        ],
      });
    });
  });
}
