import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { readContent } from './read.ts';

const textsOf = async (content: string, name: string) =>
  (await readContent(content, name)).memories.map(({ text }) => text);

/** Half characters and control characters too. */
const anyText = fc.array(fc.integer({ min: 0, max: 0xffff })).map((codes) => String.fromCharCode(...codes));

describe('JSON Lines', () => {
  test('keeps every good line, and names every broken one', async () => {
    const content = [
      '{"text":"one","tags":["a"," a ","b"],"created_at":"2024-05-01T10:00:00Z","user_id":"ana","embedding":[1]}',
      '{"text":',
      '',
      '"two"',
      '[1]',
      '{"tags":["x"]}',
      '{"text":"  "}',
      '{"type":"entity","name":"Ada"}',
      '{"type":"entity","name":"Ada","entityType":"person","observations":["likes tea"]}',
      '{"type":"relation","from":"Ada","to":"Acme","relationType":"works_at"}',
    ].join('\r\n');
    const { memories, graph, problems } = await readContent(content, 'x.jsonl');
    expect(memories).toMatchObject([
      { text: 'one', tags: ['a', 'b'], metadata: { user_id: 'ana' }, recordedAt: Date.parse('2024-05-01T10:00:00Z') },
      { text: 'two' },
    ]);
    expect(memories[0]?.metadata).toEqual({ user_id: 'ana' });
    expect(graph).toEqual([
      { type: 'entity', name: 'Ada', entityType: 'person', observations: ['likes tea'] },
      { type: 'relation', from: 'Ada', relationType: 'works_at', to: 'Acme' },
    ]);
    expect(problems.map(({ line }) => line)).toEqual([2, 5, 6, 7, 8]);
    expect(problems.map(({ reason }) => reason)).toEqual([
      expect.stringContaining('not JSON'),
      'It is neither a text nor an object.',
      expect.stringContaining('It has no text'),
      expect.stringContaining('The text is empty'),
      'It is not a complete entity of server-memory.',
    ]);
  });

  test('never throws and loses nothing, whatever is in the lines', async () => {
    const line = fc.oneof(
      anyText.map((text) => text.replaceAll('\n', ' ')),
      fc.json(),
      fc.record({ text: anyText, tags: fc.anything(), metadata: fc.json() }).map(jsonOf),
      fc
        .record({
          type: fc.constant('memory'),
          text: fc.string(),
          id: fc.anything(),
          recorded_at: fc.oneof(fc.date().map(String), fc.anything()),
          by: fc.anything(),
        })
        .map(jsonOf),
      fc.record({ type: fc.constantFrom('entity', 'relation'), name: fc.string() }).map(jsonOf),
    );
    await fc.assert(
      fc.asyncProperty(fc.array(line), async (lines) => {
        const given = ['{"text":"one is good"}', ...lines];
        const { memories, graph, problems } = await readContent(given.join('\n'), 'x.jsonl');
        const wanted = given.filter((one) => one.replace(/^\uFEFF/, '').trim() !== '').length;
        expect(memories.length + graph.length + problems.length).toBe(wanted);
      }),
      { numRuns: 300 },
    );
  });

  test('refuses a file without a line of JSON', async () => {
    await expect(readContent('# Ada\nLikes tea.\n', 'x.jsonl')).rejects.toThrow('not JSON Lines');
    expect(await readContent('', 'x.jsonl')).toEqual({ memories: [], graph: [], problems: [] });
    expect(await readContent('\uFEFF \n', 'x.json')).toEqual({ memories: [], graph: [], problems: [] });
  });

  test.each([
    ['recorded_at is not a time', '{"type":"memory","text":"x","recorded_at":"soon"}'],
    ['metadata is not an object', '{"type":"memory","text":"x","metadata":[1]}'],
    ['tags is not a list', '{"type":"memory","text":"x","tags":[1]}'],
    ['NUL', '{"text":"a\\u0000b"}'],
    ['NUL', '{"text":"a","tags":["\\u0000"]}'],
    ['10018 characters', `{"text":"a","metadata":{"long":"${'a'.repeat(10_007)}"}}`],
    ['lone surrogate', '{"text":"a\\ud800"}'],
    ['lone surrogate', '{"text":"a","tags":["\\udc00"]}'],
    ['1000001 characters', `{"text":"${'a'.repeat(1_000_001)}"}`],
    ['metadata', `{"text":"a","metadata":${'['.repeat(50_000)}${']'.repeat(50_000)}}`],
    ['valid_to', '{"text":"a","valid_from":"2024-02-01","valid_to":"2024-01-01"}'],
  ])('says what is wrong: %s', async (reason, line) => {
    const { memories, problems } = await readContent(`${line}\n"good"`, 'x.jsonl');
    expect(memories).toMatchObject([{ text: 'good' }]);
    expect(problems).toEqual([{ line: 1, reason: expect.stringContaining(reason) }]);
  });

  test('takes a backslash before "ud800" for a backslash', async () => {
    expect((await readContent('{"text":"a","metadata":{"path":"C:\\\\ud800"}}', 'x.jsonl')).problems).toEqual([]);
  });
});

describe('JSON', () => {
  test.each([
    ['texts', '["a","b"]', ['a', 'b']],
    ['mem0', '{"results":[{"id":"1","memory":"a","categories":null,"created_at":"2024-01-01T00:00:00-07:00"}]}', ['a']],
    [
      'points of mcp-server-qdrant',
      '{"result":{"points":[{"id":1,"payload":{"document":"a","metadata":{"k":1}},"vector":[1]}]},"status":"ok"}',
      ['a'],
    ],
    ['one object', '{\n  "note": "a"\n}', ['a']],
    ['memories', '{"memories":[{"content":"a","updated_at":1700000000}]}', ['a']],
  ])('reads %s', async (_, content, texts) => {
    expect(await textsOf(content, 'x.json')).toEqual(texts);
    expect((await readContent(content, 'x.json')).problems).toEqual([]);
  });

  test('keeps what it does not know as metadata', async () => {
    const [memory] = (
      await readContent(
        '[{"id":"7","memory":"a","user_id":"u","metadata":{"k":{"deep":1}},"categories":["x"],"hash":null,"created_at":1700000000}]',
        'x.json',
      )
    ).memories;
    expect(memory).toMatchObject({
      text: 'a',
      tags: ['x'],
      metadata: { id: '7', user_id: 'u', k: { deep: 1 } },
      recordedAt: 1_700_000_000_000,
    });
    expect(memory?.id).toBeUndefined();
  });

  test("reads the graph that server-memory's read_graph answers with", async () => {
    const content = '{"entities":[{"name":"A","entityType":"t","observations":[]}],"relations":[]}';
    expect((await readContent(content, 'x.json')).graph).toEqual([
      { type: 'entity', name: 'A', entityType: 't', observations: [] },
    ]);
  });

  test('names the item that is broken, and refuses what is no JSON', async () => {
    expect((await readContent('["a", 1, {"x": 1}]', 'x.json')).problems.map(({ line }) => line)).toEqual([2, 3]);
    await expect(readContent('["a", ', 'x.json')).rejects.toThrow('not JSON');
    await expect(readContent('12', 'x.json')).rejects.toThrow('neither a list nor an object');
  });

  test('takes lines of objects for JSON Lines, whatever the file is called', async () => {
    expect(await textsOf('{"text":"a"}\n{"text":"b"}\n', 'memory.json')).toEqual(['a', 'b']);
    expect(await textsOf('{"text":"a"}\n{"text":"b"}\n', 'import')).toEqual(['a', 'b']);
    expect(await textsOf('Just a sentence.', 'import')).toEqual(['Just a sentence.']);
  });
});

describe('origins', () => {
  test('are the same each time, and differ by source, text and repetition', async () => {
    const origins = async (content: string, name: string) =>
      (await readContent(content, name)).memories.map(({ origin }) => origin);
    const once = await origins('["a","b","a"]', 'x.json');
    expect(new Set(once).size).toBe(3);
    expect(await origins('["a","b","a"]', 'x.json')).toEqual(once);
    expect(await origins('["b"]', 'x.json')).toEqual([once[1]]);
    expect(await origins('["b"]', 'y.json')).not.toEqual([once[1]]);
  });
});

const jsonOf = (value: unknown): string => {
  try {
    return JSON.stringify(value) ?? 'undefined';
  } catch {
    return '{}';
  }
};
