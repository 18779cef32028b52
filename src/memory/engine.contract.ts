import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Hit, Memory, MemoryEngine, NewMemory, NewPassage, Vector, Wanted } from './engine.ts';

/** An engine with nothing in it, and what has to be closed after it. */
export interface OpenedEngine extends AsyncDisposable {
  readonly engine: MemoryEngine;
  /** The same memories through another engine, as another process has it. */
  another(): Promise<MemoryEngine>;
}

/** The namespaces that the contract uses: they exist before it begins. */
const contractNamespaces = ['ana', 'ben', 'team "ü" 🦊'] as const;

/** The models that the contract uses. An engine that is opened for a model is opened for the first. */
export const contractModels = [
  { name: 'contract-a', version: '1', dimensions: 64 },
  { name: 'contract-b', version: '1', dimensions: 32 },
] as const;

const [MODEL_A, MODEL_B] = ['contract-a@1/64', 'contract-b@1/32'] as const;
const DIMENSIONS = new Map<string, number>([
  [MODEL_A, 64],
  [MODEL_B, 32],
]);
const [ANA, BEN, TEAM] = contractNamespaces;
const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const DAY = 86_400_000;

/** A direction between two axes: 0 is the first, 90 the second. The other dimensions are the same in all. */
function directed(degrees: number, model: string = MODEL_A): Vector {
  const angle = (degrees / 180) * Math.PI;
  const dimensions = DIMENSIONS.get(model) as number;
  const bytes = new Int8Array(dimensions).fill(1);
  bytes[0] = Math.round(120 * Math.cos(angle));
  bytes[1] = Math.round(120 * Math.sin(angle));
  const bits = new Uint8Array(dimensions / 8);
  for (const [at, value] of bytes.entries()) if (value > 0) bits[at >> 3] = (bits[at >> 3] as number) | (1 << (at & 7));
  return { model, bytes, bits };
}

function cosine(one: Int8Array, other: Int8Array): number {
  let [product, ones, others] = [0, 0, 0];
  for (const [at, value] of one.entries()) {
    const theirs = other[at] as number;
    product += value * theirs;
    ones += value * value;
    others += theirs * theirs;
  }
  return product / Math.sqrt(ones * others);
}

const words = (text: string): string => (text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []).join(' ');

const passage = (text: string, vector?: Vector): NewPassage => ({
  text,
  words: words(text),
  ...(vector && { vector }),
});

function memory(text: string, more: Partial<Memory> = {}): Memory {
  const id = more.id ?? randomUUID();
  return {
    root: id,
    namespace: ANA,
    text,
    tags: [],
    metadata: {},
    recordedAt: NOW,
    validFrom: NOW,
    pinned: false,
    by: { principal: 'key:ana', call: 'c'.repeat(32) },
    recalls: 0,
    ...more,
    id,
  };
}

/** A memory of one passage. */
const note = (text: string, more: Partial<Memory> = {}, vector: Vector | undefined = directed(0)): NewMemory => ({
  memory: memory(text, more),
  passages: [passage(text, vector)],
});

const withoutVector = (text: string, more: Partial<Memory> = {}): NewMemory => ({
  memory: memory(text, more),
  passages: [passage(text)],
});

/** The next version of a memory. */
const successor = (of: NewMemory, text: string, more: Partial<Memory> = {}): NewMemory =>
  note(text, {
    root: of.memory.root,
    namespace: of.memory.namespace,
    supersedes: of.memory.id,
    recordedAt: of.memory.recordedAt + 1000,
    validFrom: of.memory.validFrom + 1000,
    ...more,
  });

const all = (more: Partial<Wanted> = {}): Wanted => ({ namespaces: contractNamespaces, now: NOW, ...more });
const idsOf = (hits: readonly { id: string }[]): string[] => hits.map(({ id }) => id);
const textsOf = (memories: readonly { text: string }[]): string[] => memories.map(({ text }) => text).sort();
const idOf = ({ memory: { id } }: NewMemory): string => id;

/** Every page, one after the other. */
async function pages(engine: MemoryEngine, wanted: Wanted, limit: number): Promise<Memory[]> {
  const found: Memory[] = [];
  for (;;) {
    const page = await engine.page(wanted, limit, found.at(-1)?.id);
    expect(page.length).toBeLessThanOrEqual(limit);
    if (page.length === 0) return found;
    found.push(...page);
  }
}

/** The contract of every engine of memories. `open` returns a new, empty one each time. */
export function engineContract(name: string, open: () => Promise<OpenedEngine>): void {
  describe(`${name}: adding and reading`, () => {
    test('gives back every field, in the order that was asked for', async () => {
      await using opened = await open();
      const { engine } = opened;
      const full = note('Ada prefers tea', {
        tags: ['drinks', 'ada'],
        metadata: {
          source: 'chat',
          count: 3,
          large: 12345678901234567000,
          ratio: 0.5,
          sure: true,
          none: null,
          list: [1, { deep: 'ü' }],
        },
        validFrom: NOW - DAY,
        validTo: NOW + DAY,
        expiresAt: NOW + 2 * DAY,
        pinned: true,
        origin: 'file:///notes/ada.md#1',
        by: { principal: 'key:ana', name: 'Ana', client: 'Claude 1.0', call: 'd'.repeat(32) },
        recalls: 4,
        recalledAt: NOW - 5,
      });
      const plain = note('Ben prefers coffee', { namespace: BEN });
      expect(await engine.add([full, plain])).toEqual([idOf(full), idOf(plain)]);
      const got = await engine.get([idOf(plain), randomUUID(), idOf(full)]);
      expect(got).toEqual([plain.memory, full.memory]);
      expect(Object.keys(got[0] as Memory)).not.toContain('validTo');
      expect(await engine.get([])).toEqual([]);
      expect(await engine.add([])).toEqual([]);
    });

    test('keeps any text as it is', async () => {
      await using opened = await open();
      const { engine } = opened;
      const texts = [
        '🦊🦊🦊',
        '日本語のメモ、改行\r\nと\ttab',
        '" \' \\ ; -- ${x} %s {{y}}',
        '',
        'a '.repeat(500_000),
        'e\u0301 ﷽ \u202E rtl \u200B zero',
        '   ',
      ];
      const memories = texts.map((text) =>
        note(text, { tags: [text.slice(0, 20)], metadata: { 'a.b["c"]': text.slice(0, 50) } }),
      );
      expect(await engine.add(memories)).toHaveLength(texts.length);
      const got = await engine.get(memories.map(idOf));
      expect(got.map(({ text }) => text)).toEqual(texts);
      expect(got.map(({ tags }) => tags)).toEqual(texts.map((text) => [text.slice(0, 20)]));
      expect(got.map(({ metadata }) => metadata)).toEqual(texts.map((text) => ({ 'a.b["c"]': text.slice(0, 50) })));
      expect(await engine.byWords(['日本語のメモ'], all(), 5)).toMatchObject([{ id: idOf(memories[1] as NewMemory) }]);
    });

    test('takes a thousand at once', async () => {
      await using opened = await open();
      const { engine } = opened;
      const many = Array.from({ length: 1000 }, (_, n) => note(`note number n${n}`, {}, directed(n % 180)));
      expect(await engine.add(many)).toEqual(many.map(idOf));
      expect(idsOf(await engine.get(many.map(idOf)))).toEqual(many.map(idOf));
      expect(idsOf(await engine.byWords(['n777'], all(), 5))).toEqual([idOf(many[777] as NewMemory)]);
      expect(await engine.contents([ANA], MODEL_A, NOW)).toMatchObject([
        { memories: 1000, passages: 1000, embedded: 1000 },
      ]);
      expect(new Set(idsOf(await pages(engine, all(), 130))).size).toBe(1000);
    });

    test('takes a memory with 300 passages, and finds each of them', async () => {
      await using opened = await open();
      const { engine } = opened;
      const parts = Array.from({ length: 300 }, (_, n) => `part${n} of a long story. `);
      const long: NewMemory = {
        memory: memory(parts.join('')),
        passages: parts.map((text, n) => passage(text, directed(n / 2))),
      };
      await engine.add([long]);
      expect(await engine.get([idOf(long)])).toEqual([long.memory]);
      for (const n of [0, 1, 299]) {
        const [hit, ...others] = await engine.byWords([`part${n}`], all(), 10);
        expect(hit).toMatchObject({ id: idOf(long), passage: n, text: parts[n] });
        expect(others).toEqual([]);
      }
      expect((await engine.byMeaning(directed(149.5), all(), 1))[0]).toMatchObject({ passage: 299, text: parts[299] });
      expect(await engine.contents([ANA], MODEL_A, NOW)).toMatchObject([
        { memories: 1, versions: 1, passages: 300, embedded: 300, bytes: Buffer.byteLength(long.memory.text) },
      ]);
      expect(await engine.erase([idOf(long)])).toBe(1);
      expect(await engine.byWords(['story'], all(), 10)).toEqual([]);
    });

    test('adds all or none', async () => {
      await using opened = await open();
      const { engine } = opened;
      const wrong = { ...note('wrong'), passages: [passage('wrong', { ...directed(0), bytes: undefined as never })] };
      await expect(engine.add([note('right'), wrong, note('also right')])).rejects.toThrow(/./);
      expect(await engine.page(all(), 10)).toEqual([]);
      expect(await engine.byWords(['right'], all(), 10)).toEqual([]);
      expect(await engine.countToEmbed(MODEL_A)).toBe(0);
    });
  });

  describe(`${name}: origins`, () => {
    test('a namespace holds one memory of each', async () => {
      await using opened = await open();
      const { engine } = opened;
      const [first, again, elsewhere, other] = [
        note('first', { origin: 'o "1"' }),
        note('again', { origin: 'o "1"' }),
        note('elsewhere', { origin: 'o "1"', namespace: BEN }),
        note('other', { origin: 'o2' }),
      ];
      expect(await engine.add([first])).toEqual([idOf(first)]);
      expect(await engine.add([again, elsewhere, other])).toEqual([idOf(elsewhere), idOf(other)]);
      expect(await engine.add([again])).toEqual([]);
      expect(textsOf(await engine.page(all(), 10))).toEqual(['elsewhere', 'first', 'other']);
      expect(await engine.byWords(['again'], all(), 10)).toEqual([]);
      expect(await engine.get([idOf(again)])).toEqual([]);
    });

    test('twice in one call is one memory, and many without any stay', async () => {
      await using opened = await open();
      const { engine } = opened;
      const some = [note('a', { origin: 'o' }), note('b', { origin: 'o' }), note('c'), note('c')];
      expect(await engine.add(some)).toEqual([0, 2, 3].map((at) => idOf(some[at] as NewMemory)));
      expect(textsOf(await engine.page(all(), 10))).toEqual(['a', 'c', 'c']);
    });

    test('of two that import the same at the same time, each memory is there once', async () => {
      await using opened = await open();
      const other = await opened.another();
      await using _ = other;
      const batch = () =>
        Array.from({ length: 40 }, (_unused, n): NewMemory => {
          const texts = n % 10 === 0 ? [`long${n} one`, `long${n} two`] : [`short${n}`];
          return {
            memory: memory(texts.join(''), { origin: `o${n}` }),
            passages: texts.map((text) => passage(text, directed(n))),
          };
        });
      const [mine, theirs] = await Promise.all([opened.engine, other].map(async (engine) => engine.add(batch())));
      expect((mine as string[]).length + (theirs as string[]).length).toBe(40);
      const found = await opened.engine.page(all(), 100);
      expect(new Set(idsOf(found))).toEqual(new Set([...(mine as string[]), ...(theirs as string[])]));
      expect(found).toHaveLength(40);
      expect(await opened.engine.byWords(['two'], all(), 100)).toHaveLength(4);
      expect(await opened.engine.contents([ANA], MODEL_A, NOW)).toMatchObject([{ versions: 40, passages: 44 }]);
    });

    test('can be used again once the memory is erased', async () => {
      await using opened = await open();
      const { engine } = opened;
      const [first, again] = [note('first', { origin: 'o' }), note('again', { origin: 'o' })];
      await engine.add([first]);
      await engine.erase([idOf(first)]);
      expect(await engine.add([again])).toEqual([idOf(again)]);
    });
  });

  describe(`${name}: search by words`, () => {
    test('takes as many terms as a text has', async () => {
      await using opened = await open();
      const { engine } = opened;
      const [first, second] = [note('apple pear plum'), note('birch oak elm')];
      await engine.add([first, second]);
      const terms = Array.from({ length: 40 }, (_, n) => `other${n}`);
      expect(idsOf(await engine.byWords([...terms, 'oak', 'elm'], all(), 5))).toEqual([idOf(second)]);
      expect(idsOf(await engine.byWords([...terms, 'oak', 'elm', 'plum'], all(), 5))).toEqual([
        idOf(second),
        idOf(first),
      ]);
    });

    test('needs one of the terms, and the more and the rarer the better', async () => {
      await using opened = await open();
      const { engine } = opened;
      const common = Array.from({ length: 20 }, (_, n) => note(`tea time number ${n}`));
      const rare = note('tea with Ada');
      const both = note('lemon tea with Ada');
      await engine.add([...common, rare, both, note('unrelated')]);
      const hits = await engine.byWords(['lemon', 'ada', 'tea'], all(), 30);
      expect(hits).toHaveLength(22);
      expect(idsOf(hits).slice(0, 2)).toEqual([idOf(both), idOf(rare)]);
      expect(hits.map(({ score }) => score)).toEqual(hits.map(({ score }) => score).toSorted((a, b) => b - a));
      expect(hits[0]).toEqual({
        id: idOf(both),
        passage: 0,
        text: 'lemon tea with Ada',
        score: expect.any(Number) as number,
      });
      expect(idsOf(await engine.byWords(['lemon', 'ada', 'tea'], all(), 1))).toEqual([idOf(both)]);
    });

    test('finds nothing for no term, an unknown one or a strange one', async () => {
      await using opened = await open();
      const { engine } = opened;
      await engine.add([note('tea'), note('🦊'), note('')]);
      expect(await engine.byWords([], all(), 10)).toEqual([]);
      for (const term of ['coffee', 'te', '"', '*', 'NEAR', "' OR 1=1", 'words:tea', '-tea', '🦊', '(', '&', '!tea'])
        expect(await engine.byWords([term], all(), 10), term).toEqual([]);
      expect(await engine.byWords(['tea', 'tea', '"'], all(), 10)).toHaveLength(1);
    });

    test('finds passages that have no vector yet', async () => {
      await using opened = await open();
      const { engine } = opened;
      const waiting = withoutVector('waiting for a model');
      await engine.add([waiting]);
      expect(idsOf(await engine.byWords(['model'], all(), 10))).toEqual([idOf(waiting)]);
      expect(await engine.byMeaning(directed(0), all(), 10)).toEqual([]);
    });
  });

  describe(`${name}: search by meaning`, () => {
    test('returns the nearest first, with the cosine', async () => {
      await using opened = await open();
      const { engine } = opened;
      const degrees = [0, 10, 40, 90, 180];
      const some = degrees.map((degree) => note(`at ${degree}`, {}, directed(degree)));
      await engine.add(some.toReversed());
      const hits = await engine.byMeaning(directed(3), all(), 10);
      expect(idsOf(hits)).toEqual(some.map(idOf));
      for (const [at, hit] of hits.entries())
        expect(hit.score).toBeCloseTo(cosine(directed(3).bytes, directed(degrees[at] as number).bytes), 3);
      expect(idsOf(await engine.byMeaning(directed(170), all(), 2))).toEqual(
        [some[4], some[3]].map((one) => idOf(one as NewMemory)),
      );
    });

    test('compares vectors of the same model only', async () => {
      await using opened = await open();
      const { engine } = opened;
      const [inA, inB] = [note('in a', {}, directed(0)), note('in b', {}, directed(0, MODEL_B))];
      await engine.add([inA]);
      await engine.add([inB]);
      expect(idsOf(await engine.byMeaning(directed(0), all(), 10))).toEqual([idOf(inA)]);
      expect(idsOf(await engine.byMeaning(directed(0, MODEL_B), all(), 10))).toEqual([idOf(inB)]);
      expect(await engine.byWords(['in'], all(), 10)).toHaveLength(2);
      expect(await engine.contents([ANA], MODEL_A, NOW)).toMatchObject([{ passages: 2, embedded: 1 }]);
      expect(await engine.contents([ANA], MODEL_B, NOW)).toMatchObject([{ passages: 2, embedded: 1 }]);
      expect(await engine.contents([ANA], 'never seen@1/64', NOW)).toMatchObject([{ passages: 2, embedded: 0 }]);
    });
  });

  describe(`${name}: what is wanted`, () => {
    /** What every way of reading finds. */
    async function found(engine: MemoryEngine, more: Partial<Wanted>): Promise<string[]> {
      const wanted = all(more);
      const hits: (readonly Hit[])[] = [
        await engine.byWords(['note'], wanted, 50),
        await engine.byMeaning(directed(0), wanted, 50),
      ];
      const paged = textsOf(await engine.page(wanted, 50));
      for (const some of hits) expect(textsOf(some), JSON.stringify(more)).toEqual(paged);
      const roots = await engine.roots(wanted, 50);
      const listed = new Set((await engine.get(idsOf(await engine.page(wanted, 50)))).map(({ root }) => root));
      expect(new Set(roots)).toEqual(listed);
      expect(roots).toHaveLength(listed.size);
      return paged.map((text) => text.replace('note ', ''));
    }

    test('namespaces', async () => {
      await using opened = await open();
      const { engine } = opened;
      await engine.add([note('note a'), note('note b', { namespace: BEN }), note('note t', { namespace: TEAM })]);
      expect(await found(engine, {})).toEqual(['a', 'b', 't']);
      expect(await found(engine, { namespaces: [BEN, TEAM] })).toEqual(['b', 't']);
      expect(await found(engine, { namespaces: [TEAM] })).toEqual(['t']);
      expect(await found(engine, { namespaces: [] })).toEqual([]);
      expect(await found(engine, { namespaces: ['nobody'] })).toEqual([]);
    });

    test('validity begins at validFrom and ends before validTo', async () => {
      await using opened = await open();
      const { engine } = opened;
      await engine.add([
        note('note ended', { validFrom: NOW - 20, validTo: NOW }),
        note('note open', { validFrom: NOW - 10 }),
        note('note later', { validFrom: NOW + 10, validTo: NOW + 20 }),
      ]);
      expect(await found(engine, {})).toEqual(['ended', 'later', 'open']);
      expect(await found(engine, { validAt: NOW - 21 })).toEqual([]);
      expect(await found(engine, { validAt: NOW - 20 })).toEqual(['ended']);
      expect(await found(engine, { validAt: NOW - 10 })).toEqual(['ended', 'open']);
      expect(await found(engine, { validAt: NOW - 1 })).toEqual(['ended', 'open']);
      expect(await found(engine, { validAt: NOW })).toEqual(['open']);
      expect(await found(engine, { validAt: NOW + 10 })).toEqual(['later', 'open']);
      expect(await found(engine, { validAt: NOW + 20 })).toEqual(['open']);
    });

    test('expired at expiresAt, whenever it is asked about', async () => {
      await using opened = await open();
      const { engine } = opened;
      await engine.add([note('note short', { expiresAt: NOW + 10 }), note('note long')]);
      expect(await found(engine, { now: NOW + 9 })).toEqual(['long', 'short']);
      expect(await found(engine, { now: NOW + 10 })).toEqual(['long']);
      expect(await found(engine, { now: NOW + 10, validAt: NOW })).toEqual(['long']);
    });

    test('tags: all of them', async () => {
      await using opened = await open();
      const { engine } = opened;
      await engine.add([
        note('note 1', { tags: ['red', 'big'] }),
        note('note 2', { tags: ['red'] }),
        note('note 3', { tags: ['t:red', 'Größe "XL"'] }),
        note('note 4'),
      ]);
      expect(await found(engine, { tags: ['red'] })).toEqual(['1', '2']);
      expect(await found(engine, { tags: ['red', 'big'] })).toEqual(['1']);
      expect(await found(engine, { tags: ['Größe "XL"'] })).toEqual(['3']);
      expect(await found(engine, { tags: [] })).toEqual(['1', '2', '3', '4']);
      expect(await found(engine, { tags: ['re'] })).toEqual([]);
    });

    test('metadata: exactly these values', async () => {
      await using opened = await open();
      const { engine } = opened;
      await engine.add([
        note('note 1', { metadata: { source: 'chat', count: 3, ratio: 0.25, done: true } }),
        note('note 2', { metadata: { source: 'chat', count: '3', done: 'true' } }),
        note('note 3', { metadata: { source: 'chat=mail', count: -1e21, 'a.b': 'x', constructor: 'y' } }),
        note('note 4', { metadata: { source: ['chat'], nested: { source: 'chat' }, count: null } }),
      ]);
      expect(await found(engine, { metadata: { source: 'chat' } })).toEqual(['1', '2']);
      expect(await found(engine, { metadata: { source: 'chat', count: 3 } })).toEqual(['1']);
      expect(await found(engine, { metadata: { count: '3' } })).toEqual(['2']);
      expect(await found(engine, { metadata: { ratio: 0.25 } })).toEqual(['1']);
      expect(await found(engine, { metadata: { done: true } })).toEqual(['1']);
      expect(await found(engine, { metadata: { done: false } })).toEqual([]);
      expect(await found(engine, { metadata: { count: -1e21 } })).toEqual(['3']);
      expect(await found(engine, { metadata: { 'a.b': 'x' } })).toEqual(['3']);
      expect(await found(engine, { metadata: { constructor: 'y' } })).toEqual(['3']);
      expect(await found(engine, { metadata: {} })).toEqual(['1', '2', '3', '4']);
    });

    test('recorded from a time on and before another, pinned or not', async () => {
      await using opened = await open();
      const { engine } = opened;
      await engine.add([
        note('note 1', { recordedAt: NOW - 10, pinned: true }),
        note('note 2', { recordedAt: NOW }),
        note('note 3', { recordedAt: NOW + 10, pinned: true }),
      ]);
      expect(await found(engine, { recordedFrom: NOW })).toEqual(['2', '3']);
      expect(await found(engine, { recordedBefore: NOW })).toEqual(['1']);
      expect(await found(engine, { recordedFrom: NOW, recordedBefore: NOW + 10 })).toEqual(['2']);
      expect(await found(engine, { pinned: true })).toEqual(['1', '3']);
      expect(await found(engine, { pinned: false })).toEqual(['2']);
    });

    test('everything together', async () => {
      await using opened = await open();
      const { engine } = opened;
      const right: Partial<Memory> = {
        namespace: BEN,
        tags: ['red', 'big'],
        metadata: { source: 'chat', count: 3 },
        validTo: NOW + 10,
        expiresAt: NOW + 20,
        pinned: true,
      };
      const wrong: Partial<Memory>[] = [
        { namespace: ANA },
        { tags: ['red'] },
        { metadata: { source: 'chat', count: 4 } },
        { validTo: NOW + 5 },
        { validFrom: NOW + 6 },
        { expiresAt: NOW + 4 },
        { pinned: false },
        { recordedAt: NOW - 1 },
        { recordedAt: NOW + 1 },
      ];
      await engine.add([
        note('note right', right),
        ...wrong.map((one, n) => note(`note wrong${n}`, { ...right, ...one })),
      ]);
      expect(
        await found(engine, {
          namespaces: [BEN],
          now: NOW + 4,
          validAt: NOW + 5,
          tags: ['big', 'red'],
          metadata: { count: 3, source: 'chat' },
          recordedFrom: NOW,
          recordedBefore: NOW + 1,
          pinned: true,
        }),
      ).toEqual(['right']);
    });
  });

  describe(`${name}: pages`, () => {
    test('newest first, without gaps or doubles where times are equal', async () => {
      await using opened = await open();
      const { engine } = opened;
      const times = Array.from({ length: 60 }, (_, n) => NOW + Math.floor(n / 17) * 1000);
      await engine.add(times.map((recordedAt, n) => note(`m${n}`, { recordedAt })));
      for (const limit of [1, 5, 17, 18, 60, 100]) {
        const found = await pages(engine, all(), limit);
        expect(found.map(({ recordedAt }) => recordedAt)).toEqual(times.toReversed());
        expect(new Set(idsOf(found)).size).toBe(60);
      }
    });

    test('stay in place while memories are added and erased', async () => {
      await using opened = await open();
      const { engine } = opened;
      const some = Array.from({ length: 10 }, (_, n) => note(`m${n}`, { recordedAt: NOW + n }));
      await engine.add(some);
      const first = await engine.page(all(), 4);
      await engine.add([note('newer', { recordedAt: NOW + 100 })]);
      await engine.erase([idOf(some[0] as NewMemory)]);
      const second = await engine.page(all(), 4, first.at(-1)?.id);
      const third = await engine.page(all(), 4, second.at(-1)?.id);
      expect([...first, ...second, ...third].map(({ text }) => text)).toEqual(
        some
          .slice(1)
          .map(({ memory: { text } }) => text)
          .toReversed(),
      );
    });

    test('fit what is wanted', async () => {
      await using opened = await open();
      const { engine } = opened;
      await engine.add(Array.from({ length: 30 }, (_, n) => note(`m${n}`, { tags: n % 3 === 0 ? ['third'] : [] })));
      expect(await pages(engine, all({ tags: ['third'] }), 4)).toHaveLength(10);
      expect(await engine.roots(all({ tags: ['third'] }), 4)).toHaveLength(4);
    });
  });

  describe(`${name}: versions`, () => {
    test('a successor ends its predecessor', async () => {
      await using opened = await open();
      const { engine } = opened;
      const first = note('note first');
      const second = successor(first, 'note second');
      const third = successor(second, 'note third');
      await engine.add([first]);
      expect(await engine.supersede(idOf(first), NOW + 1000, second)).toBe(true);
      expect(await engine.supersede(idOf(second), NOW + 2000, third)).toBe(true);
      const expected = [
        { ...first.memory, validTo: NOW + 1000, supersededBy: idOf(second) },
        { ...second.memory, validTo: NOW + 2000, supersededBy: idOf(third) },
        third.memory,
      ];
      expect(await engine.versions(idOf(first))).toEqual(expected);
      expect(await engine.get([idOf(second), idOf(first)])).toEqual([expected[1], expected[0]]);
      for (const [validAt, text] of [
        [NOW, 'note first'],
        [NOW + 999, 'note first'],
        [NOW + 1000, 'note second'],
        [NOW + 5000, 'note third'],
      ] as const) {
        expect(textsOf(await engine.byWords(['note'], all({ validAt }), 10))).toEqual([text]);
        expect(textsOf(await engine.byMeaning(directed(0), all({ validAt }), 10))).toEqual([text]);
        expect(textsOf(await engine.page(all({ validAt }), 10))).toEqual([text]);
      }
      expect(await engine.roots(all(), 10)).toEqual([idOf(first)]);
      expect(await engine.versions(randomUUID())).toEqual([]);
    });

    test('every passage of the predecessor ends', async () => {
      await using opened = await open();
      const { engine } = opened;
      const long: NewMemory = {
        memory: memory('one two three'),
        passages: ['one ', 'two ', 'three'].map((text) => passage(text, directed(0))),
      };
      await engine.add([long]);
      await engine.supersede(idOf(long), NOW + 10, successor(long, 'short', { validFrom: NOW + 10 }));
      for (const term of ['one', 'two', 'three']) {
        expect(await engine.byWords([term], all({ validAt: NOW + 10 }), 10)).toEqual([]);
        expect(await engine.byWords([term], all({ validAt: NOW + 9 }), 10)).toHaveLength(1);
      }
      expect(await engine.byMeaning(directed(0), all({ validAt: NOW + 10 }), 10)).toHaveLength(1);
    });

    test('only the last version has a successor, and nothing is left of the others', async () => {
      await using opened = await open();
      const { engine } = opened;
      const first = note('first');
      const second = successor(first, 'second');
      const late = successor(first, 'late');
      const lost = successor(note('never there'), 'lost');
      await engine.add([first]);
      await engine.supersede(idOf(first), NOW + 10, second);
      expect(await engine.supersede(idOf(first), NOW + 20, late)).toBe(false);
      expect(await engine.supersede(lost.memory.supersedes as string, NOW, lost)).toBe(false);
      expect(await engine.get([idOf(late), idOf(lost)])).toEqual([]);
      expect(await engine.byWords(['late', 'lost'], all(), 10)).toEqual([]);
      expect((await engine.versions(idOf(first))).map(({ validTo }) => validTo)).toEqual([NOW + 10, undefined]);
      expect(await engine.contents([ANA], MODEL_A, NOW)).toMatchObject([{ versions: 2, passages: 2 }]);
    });

    test('of many that update at once one wins, and nothing is left of the others', async () => {
      await using opened = await open();
      const other = await opened.another();
      await using _ = other;
      const first = note('first');
      await opened.engine.add([first]);
      const next = Array.from({ length: 8 }, (_unused, n) => successor(first, `second${n}`));
      const won = await Promise.all(
        next.map(async (one, n) => (n % 2 === 0 ? opened.engine : other).supersede(idOf(first), NOW + n, one)),
      );
      expect(won.filter(Boolean)).toHaveLength(1);
      const winner = next[won.indexOf(true)] as NewMemory;
      expect(await opened.engine.versions(idOf(first))).toEqual([
        { ...first.memory, validTo: NOW + won.indexOf(true), supersededBy: idOf(winner) },
        winner.memory,
      ]);
      expect(await opened.engine.contents([ANA], MODEL_A, NOW + 1000)).toMatchObject([
        { versions: 2, passages: 2, memories: 1 },
      ]);
    });
  });

  describe(`${name}: pins and recalls`, () => {
    test('a pin is set and removed', async () => {
      await using opened = await open();
      const { engine } = opened;
      const long: NewMemory = {
        memory: memory('one two'),
        passages: ['one ', 'two'].map((text) => passage(text, directed(0))),
      };
      await engine.add([long]);
      expect(await engine.pin(idOf(long), true)).toBe(true);
      expect(await engine.get([idOf(long)])).toEqual([{ ...long.memory, pinned: true }]);
      expect(await engine.byWords(['two'], all({ pinned: true }), 10)).toHaveLength(1);
      expect(await engine.pin(idOf(long), false)).toBe(true);
      expect(await engine.byMeaning(directed(0), all({ pinned: false }), 10)).toHaveLength(2);
      expect(await engine.pin(randomUUID(), true)).toBe(false);
    });

    test('recalls add up, also of many at once', async () => {
      await using opened = await open();
      const { engine } = opened;
      const [one, two, three] = [note('one'), note('two'), note('three')];
      await engine.add([one, two, three]);
      await Promise.all(
        Array.from({ length: 10 }, async (_, n) =>
          engine.recalled(n < 4 ? [idOf(one), idOf(two)] : [idOf(one)], NOW + 7),
        ),
      );
      await engine.recalled([randomUUID()], NOW);
      await engine.recalled([], NOW);
      const ages = await engine.ages([one, three].map(idOf).concat(randomUUID()));
      expect(ages).toEqual(
        new Map([
          [idOf(one), { recordedAt: NOW, pinned: false, recalls: 10, recalledAt: NOW + 7 }],
          [idOf(three), { recordedAt: NOW, pinned: false, recalls: 0 }],
        ]),
      );
      expect(await engine.ages([])).toEqual(new Map());
      expect(await engine.get([one, two, three].map(idOf))).toEqual([
        { ...one.memory, recalls: 10, recalledAt: NOW + 7 },
        { ...two.memory, recalls: 4, recalledAt: NOW + 7 },
        three.memory,
      ]);
    });
  });

  describe(`${name}: erasing`, () => {
    test('removes every version, and nothing else', async () => {
      await using opened = await open();
      const { engine } = opened;
      const [first, stays] = [note('note first'), note('note stays')];
      const second = successor(first, 'note second');
      await engine.add([first, stays]);
      await engine.supersede(idOf(first), NOW, second);
      expect(await engine.erase([idOf(second)])).toBe(0);
      expect(await engine.erase([idOf(first), randomUUID()])).toBe(1);
      expect(await engine.erase([idOf(first)])).toBe(0);
      expect(await engine.erase([])).toBe(0);
      expect(await engine.versions(idOf(first))).toEqual([]);
      expect(await engine.get([idOf(first), idOf(second)])).toEqual([]);
      expect(textsOf(await engine.byWords(['note'], all(), 10))).toEqual(['note stays']);
      expect(textsOf(await engine.byMeaning(directed(0), all(), 10))).toEqual(['note stays']);
    });

    test('takes hundreds at once', async () => {
      await using opened = await open();
      const { engine } = opened;
      const many = Array.from({ length: 700 }, (_, n) => note(`m${n}`));
      await engine.add(many);
      expect(await engine.erase(many.slice(1).map(idOf))).toBe(699);
      expect(idsOf(await engine.page(all(), 10))).toEqual([idOf(many[0] as NewMemory)]);
    });

    test('removes what has expired, with every version, and says where it was', async () => {
      await using opened = await open();
      const { engine } = opened;
      const [short, lengthened] = [
        note('short', { expiresAt: NOW + 10 }),
        note('lengthened', { expiresAt: NOW + 10, namespace: BEN }),
      ];
      await engine.add([short, lengthened, note('stays', { namespace: TEAM })]);
      await engine.supersede(idOf(short), NOW + 1, successor(short, 'short again', { expiresAt: NOW + 10 }));
      await engine.supersede(idOf(lengthened), NOW + 1, successor(lengthened, 'no end'));
      expect(await engine.eraseExpired(NOW + 9)).toEqual([]);
      expect(await engine.versions(idOf(short))).toHaveLength(2);
      expect(await engine.eraseExpired(NOW + 10)).toEqual([ANA]);
      expect(await engine.versions(idOf(short))).toEqual([]);
      expect(await engine.versions(idOf(lengthened))).toHaveLength(2);
      expect(textsOf(await engine.page(all({ validAt: NOW + 5000, now: NOW + 10 }), 10))).toEqual(['no end', 'stays']);
      expect(await engine.eraseExpired(NOW + 10)).toEqual([]);
    });

    test('a successor decides when all versions expire, sooner or later', async () => {
      await using opened = await open();
      const { engine } = opened;
      const [sooner, later] = [note('sooner'), note('later', { expiresAt: NOW + 10 })];
      await engine.add([sooner, later]);
      await engine.supersede(idOf(sooner), NOW + 1, successor(sooner, 'soon over', { expiresAt: NOW + 20 }));
      await engine.supersede(idOf(later), NOW + 1, successor(later, 'late over', { expiresAt: NOW + 30 }));
      const before = async (now: number) => textsOf(await engine.page(all({ validAt: NOW, now }), 10)).toSorted();
      expect(await before(NOW + 15)).toEqual(['later', 'sooner']);
      expect(await before(NOW + 20)).toEqual(['later']);
      expect(await before(NOW + 30)).toEqual([]);
    });

    test('a namespace is dropped alone', async () => {
      await using opened = await open();
      const { engine } = opened;
      await engine.add([note('a', { origin: 'o' }), note('a2'), note('b', { namespace: BEN })]);
      await engine.drop(ANA);
      await engine.drop('nobody');
      expect(textsOf(await engine.page(all(), 10))).toEqual(['b']);
      expect(await engine.contents([ANA], MODEL_A, NOW)).toMatchObject([{ versions: 0, passages: 0 }]);
      expect(await engine.add([note('a again', { origin: 'o' })])).toHaveLength(1);
    });
  });

  describe(`${name}: contents`, () => {
    test('are counted for each namespace, in this order', async () => {
      await using opened = await open();
      const { engine } = opened;
      const first = note('über', { recordedAt: NOW - 100, pinned: true });
      await engine.add([
        first,
        withoutVector('waiting', { expiresAt: NOW + 100 }),
        note('later', { validFrom: NOW + 50, validTo: NOW + 60, recordedAt: NOW + 5 }),
        note('b', { namespace: BEN }, directed(0, MODEL_B)),
      ]);
      await engine.supersede(idOf(first), NOW, successor(first, 'second', { recordedAt: NOW + 1, validFrom: NOW }));
      expect(await engine.contents([BEN, 'nobody', ANA], MODEL_A, NOW)).toEqual([
        {
          namespace: BEN,
          memories: 1,
          versions: 1,
          passages: 1,
          embedded: 0,
          pinned: 0,
          bytes: 1,
          oldest: NOW,
          newest: NOW,
        },
        { namespace: 'nobody', memories: 0, versions: 0, passages: 0, embedded: 0, pinned: 0, bytes: 0 },
        {
          namespace: ANA,
          memories: 2,
          versions: 4,
          passages: 4,
          embedded: 3,
          pinned: 1,
          bytes: 5 + 7 + 5 + 6,
          oldest: NOW - 100,
          newest: NOW + 5,
        },
      ]);
      expect(await engine.contents([ANA], MODEL_A, NOW + 100)).toMatchObject([{ memories: 1, versions: 3 }]);
      expect(await engine.contents([], MODEL_A, NOW)).toEqual([]);
    });
  });

  describe(`${name}: embedding later`, () => {
    test('passages without a vector wait until they have one', async () => {
      await using opened = await open();
      const { engine } = opened;
      const long: NewMemory = { memory: memory('one two'), passages: ['one ', 'two'].map((text) => passage(text)) };
      await engine.add([long, note('done')]);
      expect(await engine.countToEmbed(MODEL_A)).toBe(2);
      const waiting = await engine.toEmbed(MODEL_A, 10);
      expect(waiting.map(({ text }) => text).sort()).toEqual(['one ', 'two']);
      expect(await engine.toEmbed(MODEL_A, 1)).toHaveLength(1);
      await engine.embedded(
        waiting.map(({ passage: id, text }) => ({ passage: id, vector: directed(text === 'two' ? 90 : 45) })),
      );
      expect(await engine.countToEmbed(MODEL_A)).toBe(0);
      expect(await engine.toEmbed(MODEL_A, 10)).toEqual([]);
      expect((await engine.byMeaning(directed(88), all(), 1))[0]).toMatchObject({
        id: idOf(long),
        passage: 1,
        text: 'two',
      });
      expect(await engine.contents([ANA], MODEL_A, NOW)).toMatchObject([{ passages: 3, embedded: 3 }]);
    });

    test('what was erased meanwhile stays erased, and the others get their vectors', async () => {
      await using opened = await open();
      const { engine } = opened;
      const [gone, stays] = [withoutVector('gone'), withoutVector('stays')];
      await engine.add([gone, stays]);
      const waiting = await engine.toEmbed(MODEL_A, 10);
      await engine.erase([idOf(gone)]);
      await engine.embedded(waiting.map(({ passage: id }) => ({ passage: id, vector: directed(0) })));
      await engine.embedded([]);
      expect(idsOf(await engine.byMeaning(directed(0), all(), 10))).toEqual([idOf(stays)]);
      expect(await engine.contents([ANA], MODEL_A, NOW)).toMatchObject([{ versions: 1, passages: 1, embedded: 1 }]);
    });

    test('another model sees every passage, and nothing disappears on the way', async () => {
      await using opened = await open();
      const { engine } = opened;
      const first = note('note first', { tags: ['t'], origin: 'o', expiresAt: NOW + DAY });
      const some = Array.from({ length: 5 }, (_, n) => note(`note ${n}`, {}, directed(n * 20)));
      await engine.add([first, ...some]);
      await engine.supersede(idOf(first), NOW + 1, successor(first, 'note second'));
      await engine.recalled([idOf(first)], NOW);
      const before = await engine.get([first, ...some].map(idOf));
      expect(await engine.countToEmbed(MODEL_B)).toBe(7);
      for (let left = 7; left > 0; left = await engine.countToEmbed(MODEL_B)) {
        const waiting = await engine.toEmbed(MODEL_B, 2);
        expect(waiting.length).toBeGreaterThan(0);
        await engine.embedded(waiting.map(({ passage: id }) => ({ passage: id, vector: directed(0, MODEL_B) })));
        expect(await engine.get([first, ...some].map(idOf))).toEqual(before);
        expect(await engine.page(all(), 50)).toHaveLength(7);
        expect(await engine.byWords(['note'], all(), 50)).toHaveLength(7);
        expect(await engine.versions(idOf(first))).toHaveLength(2);
        expect(await engine.contents([ANA], MODEL_B, NOW)).toMatchObject([{ versions: 7, passages: 7 }]);
        expect(await engine.add([note('again', { origin: 'o' })])).toEqual([]);
        expect(await engine.pin(idOf(some[0] as NewMemory), false)).toBe(true);
      }
      expect(await engine.byMeaning(directed(0), all(), 50)).toEqual([]);
      expect(await engine.byMeaning(directed(0, MODEL_B), all(), 50)).toHaveLength(7);
      expect(await engine.countToEmbed(MODEL_A)).toBe(7);
      expect(await engine.erase([idOf(first)])).toBe(1);
      expect(await engine.byWords(['first', 'second'], all(), 10)).toEqual([]);
    });

    test('a version is superseded while its passages change their model', async () => {
      await using opened = await open();
      const { engine } = opened;
      const long: NewMemory = {
        memory: memory('one two'),
        passages: ['one ', 'two'].map((text) => passage(text, directed(0))),
      };
      await engine.add([long]);
      const [waiting] = await engine.toEmbed(MODEL_B, 1);
      await engine.embedded([{ passage: (waiting as { passage: string }).passage, vector: directed(0, MODEL_B) }]);
      const next = successor(long, 'three');
      expect(await engine.supersede(idOf(long), NOW + 1, next)).toBe(true);
      expect(await engine.supersede(idOf(long), NOW + 1, successor(long, 'four'))).toBe(false);
      expect(textsOf(await engine.byWords(['one', 'two', 'three', 'four'], all({ validAt: NOW + 1000 }), 10))).toEqual([
        'three',
      ]);
      expect(await engine.erase([idOf(long)])).toBe(1);
      expect(await engine.byWords(['one', 'two', 'three', 'four'], all(), 10)).toEqual([]);
    });
  });

  test(`${name}: another process sees the same`, async () => {
    await using opened = await open();
    const other = await opened.another();
    await using _ = other;
    const first = note('note first');
    await opened.engine.add([first]);
    expect(await other.get([idOf(first)])).toEqual([first.memory]);
    await other.supersede(idOf(first), NOW + 1, successor(first, 'note second', { validFrom: NOW + 1 }));
    expect(textsOf(await opened.engine.byWords(['note'], all({ validAt: NOW + 1 }), 10))).toEqual(['note second']);
    await other.erase([idOf(first)]);
    expect(await opened.engine.versions(idOf(first))).toEqual([]);
  });
}
