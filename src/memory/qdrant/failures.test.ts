import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type FakeQdrant, type QdrantRequest, startFakeQdrant } from '../../../test/fixtures/qdrant.ts';
import type { MemoryEngine, NewMemory, Vector, Wanted } from '../engine.ts';
import { openQdrant, type Tuning } from './open.ts';

const NOW = Date.parse('2026-03-01T12:00:00.000Z');
const A = { key: 'model-a@1/8', dimensions: 8 };
const B = { key: 'model-b@1/16', dimensions: 16 };
const quick: Tuning = { retryAfterMs: [1, 1] };

let fake: FakeQdrant;
beforeEach(async () => {
  fake = await startFakeQdrant();
});
afterEach(async () => {
  vi.restoreAllMocks();
  await fake[Symbol.asyncDispose]();
});

const open = (model = A, tuning = quick) => openQdrant({ url: fake.url }, model, tuning);

const vectorOf = ({ key, dimensions }: typeof A): Vector => ({
  model: key,
  bytes: new Int8Array(dimensions).fill(9),
  bits: new Uint8Array(dimensions / 8).fill(255),
});

function note(texts: readonly string[], more: Partial<NewMemory['memory']> = {}, model = A): NewMemory {
  const id = randomUUID();
  return {
    memory: {
      id,
      root: id,
      namespace: 'ana',
      text: texts.join(''),
      tags: ['t'],
      metadata: {},
      recordedAt: NOW,
      validFrom: NOW,
      pinned: false,
      by: { principal: 'key:ana', call: 'c' },
      recalls: 0,
      ...more,
    },
    passages: texts.map((text) => ({ text, words: text.trim(), vector: vectorOf(model) })),
  };
}

const next = ({ memory }: NewMemory, texts: readonly string[]): NewMemory =>
  note(texts, { root: memory.root, supersedes: memory.id, recordedAt: NOW + 1, validFrom: NOW + 1 });

const all: Wanted = { namespaces: ['ana'], now: NOW + 10 };
const valid: Wanted = { ...all, validAt: NOW + 10 };
const isWrite = ({ method, path }: QdrantRequest): boolean => method === 'PUT' || /payload|delete$/.test(path);

/** The texts that search finds and what pages list: they have to agree. */
async function seen(engine: MemoryEngine, wanted: Wanted, terms: readonly string[]): Promise<string[]> {
  const hits = await engine.byWords(terms, wanted, 100);
  const ids = [...new Set(hits.map(({ id }) => id))].sort();
  expect((await engine.page(wanted, 100)).map(({ id }) => id).sort()).toEqual(ids);
  expect((await engine.get(ids)).map(({ id }) => id)).toEqual(ids);
  return hits.map(({ text }) => text.trim()).sort();
}

/** Everything that is sent after so many writes is lost: what the process had left to do never happens. */
function killAfter(writes: number): void {
  let count = 0;
  fake.behave = (request) => {
    if (isWrite(request)) count++;
    return count > writes ? 'reset' : undefined;
  };
}

/** Does something with the process killed after each number of writes, until it is not killed any more. */
async function killedAnywhere(
  prepare: (engine: MemoryEngine) => Promise<void>,
  act: (engine: MemoryEngine) => Promise<unknown>,
  check: (engine: MemoryEngine, completed: boolean) => Promise<void>,
  tuning: Tuning = quick,
): Promise<number> {
  for (let writes = 0; ; writes++) {
    await fake[Symbol.asyncDispose]();
    fake = await startFakeQdrant();
    await using engine = await open(A, tuning);
    await prepare(engine);
    killAfter(writes);
    const completed = await act(engine).then(
      () => true,
      () => false,
    );
    fake.behave = () => undefined;
    await using after = await open(A, tuning);
    await check(after, completed);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    await after.eraseExpired(NOW);
    vi.restoreAllMocks();
    await check(after, completed);
    expect(fake.payloads('').filter(({ staged }) => staged)).toEqual([]);
    if (completed) return writes;
  }
}

describe('Qdrant is not there', () => {
  test('at the start: says so, and works as soon as it is', async () => {
    await fake.stop();
    await using engine = await open();
    const message = `Qdrant at ${fake.url} cannot be reached (ECONNREFUSED). Check that it is running`;
    await expect(engine.page(all, 10)).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringContaining(message) as string,
    });
    await fake.start();
    expect(await engine.add([note(['one'])])).toHaveLength(1);
  });

  test('goes away and comes back', async () => {
    await using engine = await open();
    await engine.add([note(['one'])]);
    await fake.stop();
    await expect(engine.byWords(['one'], all, 10)).rejects.toMatchObject({ code: 'unavailable' });
    await expect(engine.add([note(['two'])])).rejects.toMatchObject({ code: 'unavailable' });
    await fake.start();
    expect(await seen(engine, all, ['one', 'two'])).toEqual(['one']);
  });

  test('is away for a moment: nobody notices', async () => {
    await using engine = await open();
    await engine.add([note(['one'])]);
    let failures = 2;
    fake.behave = () => (failures-- > 0 ? 'reset' : undefined);
    expect(await engine.byWords(['one'], all, 10)).toHaveLength(1);
    failures = 2;
    fake.behave = () => (failures-- > 0 ? { status: 503, error: 'starting' } : undefined);
    expect(await engine.byWords(['one'], all, 10)).toHaveLength(1);
  });

  test('does not answer in time', async () => {
    await using engine = await openQdrant({ url: fake.url, timeout: 100 }, A, quick);
    fake.behave = () => 'hang';
    await expect(engine.byWords(['one'], all, 10)).rejects.toMatchObject({
      code: 'timeout',
      message: `Qdrant at ${fake.url} did not answer within 0.1 s. Try again; if it is busy for longer, raise memory.qdrant.timeout.`,
    });
  });

  test('an answer that is lost does not make a request count twice', async () => {
    await using engine = await open();
    const first = note(['one '], { origin: 'o' });
    await engine.add([first]);
    const lost = new Set<string>();
    fake.behave = (request) => {
      const key = `${request.method} ${request.path} ${JSON.stringify(request.body)}`;
      if (!isWrite(request) || lost.has(key)) return undefined;
      lost.add(key);
      return 'lost';
    };
    expect(await engine.add([note(['two '], { origin: 'p' }), note(['three '])])).toHaveLength(2);
    await engine.recalled([first.memory.id], NOW);
    await engine.recalled([first.memory.id], NOW);
    expect((await engine.get([first.memory.id]))[0]?.recalls).toBe(2);
    expect(await engine.supersede(first.memory.id, NOW + 1, next(first, ['four ']))).toBe(true);
    expect(await seen(engine, valid, ['one', 'two', 'three', 'four'])).toEqual(['four', 'three', 'two']);
    expect(await engine.erase([first.memory.id])).toBe(1);
    expect(lost.size).toBeGreaterThan(6);
  });
});

describe('Qdrant refuses', () => {
  const key = 'k3y-that-nobody-may-see';

  test('a wrong key: says what to do, without the key', async () => {
    await using guarded = await startFakeQdrant({ apiKey: 'the right one' });
    for (const settings of [{ url: guarded.url }, { url: guarded.url, apiKey: key }]) {
      await using engine = await openQdrant(settings, A, quick);
      const error = await engine.add([note(['one'])]).catch((thrown: unknown) => thrown);
      expect(error).toMatchObject({
        code: 'unavailable',
        message: `Qdrant at ${guarded.url} denied access (HTTP 401). Check memory.qdrant.apiKey: memory needs a key that may read and write.`,
      });
      expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain(key);
    }
    await using engine = await openQdrant({ url: guarded.url, apiKey: 'the right one' }, A, quick);
    expect(await engine.add([note(['one'])])).toHaveLength(1);
  });

  test('and quotes the key: it is hidden', async () => {
    await using engine = await openQdrant({ url: fake.url, apiKey: key }, A, quick);
    fake.behave = () => ({ status: 500, error: `panic near ${key}` });
    const error = await engine.page(all, 1).catch((thrown: unknown) => thrown);
    expect(String(error)).toContain('panic near ***');
    expect(JSON.stringify(error) + String((error as Error).stack)).not.toContain(key);
  });

  test.each([
    [
      500,
      'Service internal error: No space left on device: WAL buffer size exceeds available disk space',
      'unavailable',
      /^The disk of Qdrant at .* is full\. Free some space/,
    ],
    [
      500,
      'Service internal error: oops',
      'unavailable',
      /failed \(HTTP 500\)\. It says: Service internal error: oops See its log\./,
    ],
    [403, 'Forbidden', 'unavailable', /denied access \(HTTP 403\)/],
    [413, 'too large', 'too_large', /max_request_size_mb/],
    [429, 'rate limit', 'rate_limited', /Try again in a minute/],
    [400, 'Wrong input: Vector dimension error: expected dim: 8, got 9', 'conflict', /vectors of other dimensions/],
  ])('with %i %s', async (status, error, code, message) => {
    await using engine = await open();
    await engine.add([note(['one'])]);
    fake.behave = (request) => (isWrite(request) ? { status, error } : undefined);
    await expect(engine.add([note(['two'])])).rejects.toMatchObject({
      code,
      message: expect.stringMatching(message) as string,
    });
    fake.behave = () => undefined;
    expect(await seen(engine, all, ['one', 'two'])).toEqual(['one']);
  });

  test('nothing is printed, not even for a key over http', async () => {
    const printed = (['log', 'info', 'warn', 'error'] as const).map((method) => vi.spyOn(console, method));
    await using engine = await openQdrant({ url: fake.url, apiKey: key }, A, quick);
    await engine.add([note(['one'])]);
    for (const spy of printed) expect(spy).not.toHaveBeenCalled();
  });
});

describe('what is in Qdrant does not fit', () => {
  const make = (name: string, body: object) =>
    fetch(`${fake.url}/collections/${name}`, { method: 'PUT', body: JSON.stringify(body) });
  const vectors = (size: number) => ({ vectors: { meaning: { size, distance: 'Cosine' } } });
  const sluice = { model: A.key, dimensions: 8, version: 1 };

  test.each([
    ['is not of Sluice', vectors(8), 'is not one of Sluice'],
    [
      'has other dimensions',
      { ...vectors(9), metadata: { sluice } },
      'holds vectors of model-a@1/8 with 9 dimensions, not of model-a@1/8 with 8',
    ],
    [
      'has another version',
      { ...vectors(8), metadata: { sluice: { ...sluice, version: 2 } } },
      'was made by another Sluice',
    ],
    ['has shards', { ...vectors(8), metadata: { sluice }, shard_number: 3 }, 'has 3 shards, not 1'],
  ])('the collection %s', async (_, body, message) => {
    await make('sluice-memory-model-a-1-8', body);
    await using engine = await open();
    await expect(engine.add([note(['one'])])).rejects.toMatchObject({
      code: 'conflict',
      message: expect.stringMatching(
        new RegExp(`sluice-memory-model-a-1-8 .*${message}.*memory.qdrant.collection`),
      ) as string,
    });
    await using elsewhere = await openQdrant({ url: fake.url, collection: 'mine' }, A, quick);
    expect(await elsewhere.add([note(['one'])])).toHaveLength(1);
  });

  test('indexes that are missing are made', async () => {
    await make('sluice-memory-model-a-1-8', {
      ...vectors(8),
      sparse_vectors: { words: { modifier: 'idf' } },
      metadata: { sluice },
    });
    await using engine = await open();
    await engine.add([note(['one'])]);
    expect(await seen(engine, all, ['one'])).toEqual(['one']);
  });

  test('Qdrant is too old, or something else', async () => {
    await using old = await startFakeQdrant({ version: '1.16.3' });
    await using engine = await openQdrant({ url: old.url }, A, quick);
    await expect(engine.page(all, 1)).rejects.toMatchObject({
      code: 'unsupported',
      message: `Qdrant at ${old.url} has version 1.16.3. Memory needs 1.17 or newer: update it.`,
    });
    await using other = await startFakeQdrant({ version: '' });
    await using strange = await openQdrant({ url: other.url }, A, quick);
    await expect(strange.page(all, 1)).rejects.toThrow(/does not answer like Qdrant/);
  });

  test('a collection that somebody deleted is created again', async () => {
    await using engine = await open();
    await engine.add([note(['one'])]);
    await fetch(`${fake.url}/collections/sluice-memory-model-a-1-8`, { method: 'DELETE' });
    expect(await engine.page(all, 1)).toEqual([]);
    await fetch(`${fake.url}/collections/sluice-memory-model-a-1-8`, { method: 'DELETE' });
    expect(await engine.add([note(['two'])])).toHaveLength(1);
    expect(await seen(engine, all, ['one', 'two'])).toEqual(['two']);
  });
});

test('a name that no collection can have is refused', async () => {
  for (const collection of ['', 'a/b', '../x', 'ü', 'x'.repeat(61)])
    await expect(openQdrant({ url: fake.url, collection }, A)).rejects.toMatchObject({ code: 'invalid_input' });
});

test('who looks into Qdrant finds plain payloads', async () => {
  await using engine = await open();
  const { memory, passages } = note(['one ', 'two'], { expiresAt: NOW + 5, metadata: { source: 'chat' }, origin: 'o' });
  await engine.add([{ memory, passages }]);
  const [first, second] = fake
    .payloads('sluice-memory-')
    .sort((one, other) => Number(one.passage) - Number(other.passage));
  expect(first).toMatchObject({
    id: memory.id,
    namespace: 'ana',
    text: 'one two',
    passage_text: 'one ',
    recorded_at: '2026-03-01T12:00:00.000Z',
    expires_at: '2026-03-01T12:00:00.005Z',
    tags: ['t'],
    metadata: { source: 'chat' },
    origin: 'o',
  });
  expect(first).not.toHaveProperty('valid_to');
  expect(second).toMatchObject({ id: memory.id, text: 'two', passage: 1, recorded_at: '2026-03-01T12:00:00.000Z' });
  expect(second).not.toHaveProperty('metadata');
});

test('half characters are replaced, as the other engines do', async () => {
  await using engine = await open();
  const broken = note(['bad \ud800 half'], { tags: ['\udc00'], metadata: { k: 'x\ud83d' } });
  await engine.add([broken]);
  expect(await engine.get([broken.memory.id])).toMatchObject([
    { text: 'bad \ufffd half', tags: ['\ufffd'], metadata: { k: 'x\ufffd' } },
  ]);
});

test('recalls in two processes add up', async () => {
  await using one = await open();
  await using two = await open();
  const { memory, passages } = note(['one']);
  await one.add([{ memory, passages }]);
  for (let n = 0; n < 5; n++) await Promise.all([one.recalled([memory.id], NOW), two.recalled([memory.id], NOW)]);
  expect((await one.get([memory.id]))[0]?.recalls).toBe(10);
});

describe('more than a request can hold', () => {
  const small: Tuning = { ...quick, requestBytes: 3000 };
  const many = () => Array.from({ length: 20 }, (_, n) => note([`many${n} `, 'more '], { origin: `o${n}` }));

  test('is added all or none', async () => {
    const writes = await killedAnywhere(
      async (engine) => void (await engine.add([note(['before '])])),
      (engine) => engine.add(many()),
      async (engine, completed) => {
        const texts = await seen(engine, all, ['before', 'more']);
        expect(texts).toHaveLength(completed ? 21 : 1);
      },
      small,
    );
    expect(writes).toBeGreaterThan(5);
  });

  test('is added once by two at the same time', async () => {
    await using one = await open(A, small);
    await using two = await open(A, small);
    const added = await Promise.all([one.add(many()), two.add(many())]);
    expect(added.flat()).toHaveLength(20);
    expect(await seen(one, all, ['more'])).toHaveLength(20);
    expect(fake.payloads('')).toHaveLength(40);
  });

  test('is added again after an import that was killed', async () => {
    await using killed = await open(A, small);
    await killed.page(all, 1);
    killAfter(3);
    await expect(killed.add(many())).rejects.toMatchObject({ code: 'unavailable' });
    fake.behave = () => undefined;
    expect(fake.payloads('').some(({ staged }) => staged)).toBe(true);
    vi.spyOn(Date, 'now').mockReturnValue(Date.now() + 3_600_000);
    await using after = await open(A, small);
    expect(await after.add(many())).toHaveLength(20);
    expect(fake.payloads('')).toHaveLength(40);
  });
});

describe('killed between two requests', () => {
  let first: NewMemory;
  const terms = ['one', 'two', 'three', 'four'];

  test('a version is superseded or it is not', async () => {
    const writes = await killedAnywhere(
      async (engine) => {
        first = note(['one ', 'two ']);
        await engine.add([first]);
      },
      (engine) => engine.supersede(first.memory.id, NOW + 1, next(first, ['three ', 'four '])),
      async (engine, completed) => {
        const versions = await engine.versions(first.memory.id);
        const texts = await seen(engine, valid, terms);
        expect(texts).toEqual(versions.length === 2 ? ['four', 'three'] : ['one', 'two']);
        expect(versions.map(({ supersededBy }) => supersededBy)).toEqual([
          ...versions.slice(1).map(({ id }) => id),
          undefined,
        ]);
        if (completed) expect(versions).toHaveLength(2);
        // It can be superseded again, whichever is the last one now.
        expect(versions.at(-1)?.validTo).toBeUndefined();
      },
    );
    expect(writes).toBe(5);
  });

  test('another process that goes on completes it', async () => {
    await using killed = await open();
    await using other = await open();
    first = note(['one ']);
    await killed.add([first]);
    await other.page(all, 1);
    killAfter(2);
    await expect(killed.supersede(first.memory.id, NOW + 1, next(first, ['three ']))).rejects.toMatchObject({
      code: 'unavailable',
    });
    fake.behave = () => undefined;
    expect(await other.versions(first.memory.id)).toHaveLength(2);
    expect(await seen(other, valid, terms)).toEqual(['three']);
  });

  test('a passage moves to another model or it does not', async () => {
    const writes = await killedAnywhere(
      async (engine) => {
        first = note(['one ', 'two ']);
        await engine.add([first]);
        await engine.toEmbed(B.key, 1);
        // Creates the collection.
        await engine.add([note(['three '], {}, B)]);
      },
      async (engine) => {
        const waiting = await engine.toEmbed(B.key, 10);
        await engine.embedded(waiting.map(({ passage }) => ({ passage, vector: vectorOf(B) })));
      },
      async (engine, completed) => {
        expect(await seen(engine, all, terms)).toEqual(['one', 'three', 'two']);
        const waiting = await engine.toEmbed(B.key, 10);
        expect(waiting.length).toBeLessThanOrEqual(completed ? 0 : 2);
        await engine.embedded(waiting.map(({ passage }) => ({ passage, vector: vectorOf(B) })));
        expect(await seen(engine, all, terms)).toEqual(['one', 'three', 'two']);
        expect(await engine.countToEmbed(B.key)).toBe(0);
        expect(fake.payloads('').filter(({ staged }) => !staged)).toHaveLength(3);
      },
    );
    expect(writes).toBeGreaterThanOrEqual(4);
  });
});

/**
 * Runs something once for each of its requests, and has another process act just before that request. The last time the
 * other one acts after it, and `check` is told so.
 */
async function interleaved<T, U>(
  prepare: () => Promise<{ run: () => Promise<T>; act: () => Promise<U> } & AsyncDisposable>,
  check: (ran: T, acted: U) => Promise<void>,
): Promise<void> {
  for (let at = 0; ; at++) {
    await fake[Symbol.asyncDispose]();
    fake = await startFakeQdrant();
    await using prepared = await prepare();
    const { run, act } = prepared;
    let count = 0;
    let acted: Promise<U> | undefined;
    fake.behave = async () => {
      if (count++ !== at) return undefined;
      acted = act();
      await acted;
      return undefined;
    };
    const ran = await run();
    fake.behave = () => undefined;
    await check(ran, await (acted ?? act()));
    if (!acted) return;
  }
}

/** Two processes that have been running for a while, with a memory of two passages. */
async function two(model = A) {
  const stack = new AsyncDisposableStack();
  const earlier = stack.use(await open(A));
  const first = note(['one ', 'two ']);
  await earlier.add([first]);
  const mine = stack.use(await open(model));
  const theirs = stack.use(await open(model));
  for (const engine of [mine, theirs]) await engine.page(all, 1);
  return { first, mine, theirs, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

type Two = Awaited<ReturnType<typeof two>>;

describe('two processes at the same time, whatever comes first', () => {
  let both: Two;

  test('one of two successors wins, and nothing is left of the other', async () => {
    await interleaved(
      async () => {
        both = await two();
        const { first, mine, theirs } = both;
        return {
          ...both,
          run: () => mine.supersede(first.memory.id, NOW + 1, next(first, ['mine '])),
          act: () => theirs.supersede(first.memory.id, NOW + 2, next(first, ['theirs '])),
        };
      },
      async (ran, acted) => {
        expect([ran, acted].filter(Boolean)).toHaveLength(1);
        expect(await both.mine.versions(both.first.memory.id)).toHaveLength(2);
        expect(await seen(both.mine, valid, ['one', 'two', 'mine', 'theirs'])).toEqual([ran ? 'mine' : 'theirs']);
        expect(fake.payloads('')).toHaveLength(3);
      },
    );
  });

  test.each([quick, { ...quick, requestBytes: 1 }])('an origin is stored once, and whole (%o)', async (tuning) => {
    let adding: Promise<readonly string[]>;
    await interleaved(
      async () => {
        const stack = new AsyncDisposableStack();
        const [mine, theirs] = [stack.use(await open(A, tuning)), stack.use(await open(A, tuning))];
        for (const engine of [mine, theirs]) await engine.page(all, 1);
        return {
          run: () => mine.add([note(['mine ', 'more ', 'end '], { origin: 'o' }), note(['besides '])]),
          act: () => {
            adding = theirs.add([note(['theirs '], { origin: 'o' })]);
            // It may wait for the other one, which cannot go on before this returns.
            return Promise.race([adding, new Promise((resolve) => setTimeout(resolve, 100))]);
          },
          [Symbol.asyncDispose]: () => stack.disposeAsync(),
        };
      },
      async (ran) => {
        expect(ran.length + (await adding).length).toBe(2);
        await using engine = await open();
        expect(await engine.page(all, 10)).toHaveLength(2);
        const hits = await engine.byWords(['mine', 'more', 'end', 'theirs', 'besides'], all, 10);
        expect(hits.map(({ text }) => text.trim()).sort()).toEqual(
          ran.length === 2 ? ['besides', 'end', 'mine', 'more'] : ['besides', 'theirs'],
        );
        expect(fake.payloads('')).toHaveLength(hits.length);
      },
    );
  });

  test('recalls add up', async () => {
    await interleaved(
      async () => {
        both = await two();
        const { first, mine, theirs } = both;
        return {
          ...both,
          run: () => mine.recalled([first.memory.id], NOW),
          act: () => theirs.recalled([first.memory.id], NOW),
        };
      },
      async () => expect((await both.mine.get([both.first.memory.id]))[0]?.recalls).toBe(2),
    );
  });
});

describe('while passages move to another model', () => {
  let both: Two;

  async function move(engine: MemoryEngine): Promise<void> {
    const waiting = await engine.toEmbed(B.key, 10);
    await engine.embedded(waiting.map(({ passage }) => ({ passage, vector: vectorOf(B) })));
  }

  const meanwhile = <U>(act: (both: Two) => Promise<U>, check: (acted: U) => Promise<void>) =>
    interleaved(
      async () => {
        both = await two(B);
        return { ...both, run: () => move(both.mine), act: () => act(both) };
      },
      async (_, acted) => check(acted),
    );

  test('what is erased stays erased', async () => {
    await meanwhile(
      ({ first, theirs }) => theirs.erase([first.memory.id]),
      async (erased) => {
        expect(erased).toBe(1);
        expect(fake.payloads('')).toEqual([]);
      },
    );
  });

  test('a pin stays, and every passage has it', async () => {
    await meanwhile(
      ({ first, theirs }) => theirs.pin(first.memory.id, true),
      async () => expect(await both.theirs.byWords(['one', 'two'], { ...all, pinned: true }, 10)).toHaveLength(2),
    );
  });

  test('a version is superseded', async () => {
    await meanwhile(
      ({ first, theirs }) => theirs.supersede(first.memory.id, NOW + 1, next(first, ['three '])),
      async (done) => {
        expect(done).toBe(true);
        expect(await seen(both.theirs, valid, ['one', 'two', 'three'])).toEqual(['three']);
      },
    );
  });

  test('everything is found at any moment', async () => {
    await meanwhile(
      ({ theirs }) => seen(theirs, all, ['one', 'two']),
      async (texts) => expect(texts).toEqual(['one', 'two']),
    );
    await interleaved(
      async () => {
        both = await two(B);
        return { ...both, run: () => both.mine.byWords(['one', 'two'], all, 10), act: () => move(both.theirs) };
      },
      async (hits) => expect(hits).toHaveLength(2),
    );
  });
});
