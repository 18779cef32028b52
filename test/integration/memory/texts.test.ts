import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { ask } from '../../support/exchange.ts';
import {
  done,
  type FoundMemory,
  listed,
  recalled,
  refused,
  remember,
  type Remembered,
} from '../../support/memory-calls.ts';
import { type AnyClient, callTool, connectV1, type Json, startGateway, type TestGateway } from '../harness.ts';

let gateway: TestGateway;
let client: AnyClient & AsyncDisposable;

beforeAll(async () => {
  gateway = await startGateway({});
  client = await connectV1(gateway);
});
afterAll(async () => {
  await client[Symbol.asyncDispose]();
  await gateway[Symbol.asyncDispose]();
});

type Piece = FoundMemory & { next_offset?: number; characters: number };

async function whole(id: string): Promise<string> {
  let text = '';
  let offset: number | undefined = 0;
  while (offset !== undefined) {
    const result = await callTool(client, 'memory_get', { id, offset });
    expect(Buffer.byteLength(JSON.stringify(result))).toBeLessThan(8192);
    const piece = result.structuredContent as Piece;
    text += piece.text;
    offset = piece.next_offset;
  }
  return text;
}

describe('refused, with nothing stored', () => {
  test.each<[string, string, RegExp]>([
    ['nothing', '', /empty/],
    ['spaces', ' \t\n\u00a0\u2003 ', /empty/],
    ['half a character', 'a\ud800b', /half a character/],
    ['a NUL', 'before\u0000after', /NUL/],
    ['more than a million characters', 'word '.repeat(200_001), /1000005 characters; the limit is 1000000.*Split it/],
  ])('%s', async (_, text, words) => {
    const where = { namespace: 'refused' };
    expect((await refused(client, 'store', { text, ...where })).text).toMatch(words);
    const { namespaces } = await done<{ namespaces: Json[] }>(client, 'list_namespaces');
    expect(namespaces.map(({ name }) => name)).not.toContain('refused');
  });

  test('20 MB', async () => {
    const before = await done(client, 'get_stats');
    const { status, error, result } = await ask(gateway.mcp, 'tools/call', {
      name: 'memory_store',
      arguments: { text: 'too much '.repeat(2_330_000) },
    });
    const said = error?.message ?? JSON.stringify(result);
    expect([status, said]).toEqual([expect.any(Number), expect.stringMatching(/large|limit|MB|characters/)]);
    expect(await done(client, 'get_stats')).toEqual(before);
  });

  test.each<[string, Json]>([
    ['5,000 tags', { tags: Array.from({ length: 5000 }, (_, n) => `tag${n}`) }],
    ['an empty tag', { tags: [' '] }],
    ['a tag with half a character', { tags: ['\udc00'] }],
    ['metadata with half a character', { metadata: { a: ['\udc00'] } }],
    ['1 MB of metadata', { metadata: { a: 'x'.repeat(1_000_000) } }],
  ])('%s', async (_, more) => {
    const before = await done(client, 'get_stats');
    expect((await refused(client, 'store', { text: 'Tagged.', ...more })).code).toMatch(/invalid_input|too_large/);
    expect(await done(client, 'get_stats')).toEqual(before);
  });
});

describe('kept as it is', () => {
  test.each<[string, string]>([
    ['only emoji', '🎉🎊🥳'],
    ['only punctuation', '?!… --'],
    ['one letter', 'x'],
    ['control characters', 'a\u0007b\u001b[31mc'],
    ['a right-to-left override', 'abc\u202edef'],
    ['combining marks', `z${'\u0301'.repeat(500)}`],
    ['a word of 1,500 letters', 'y'.repeat(1500)],
    ['private use characters', '\ue000 1 \ue0001'],
    ['what FTS5 and SQL take for syntax', `" OR NEAR(a b) * ^x: -y; DROP TABLE memories; --'`],
    ['line ends', 'one\r\ntwo\rthree\u2028four\n'],
  ])('%s', async (name, text) => {
    const namespace = `kept-${name.replaceAll(/\W+/g, '-')}`;
    const { id } = await remember(client, text, { namespace });
    expect(await whole(id)).toBe(text);
    expect(await listed(client, { namespace })).toEqual([text.length > 300 ? `${text.slice(0, 300)}…` : text]);
    // By meaning if not by words.
    const query = text.slice(0, 50);
    expect((await recalled(client, query, { namespace })).length).toBe(1);
  });

  test('metadata with names that objects have, deep values, and a NUL', async () => {
    const metadata = JSON.parse(
      '{"constructor": 7, "toString": true, "deep": {"x": [1, {"y": null}]}, "nul": "a\\u0000b"}',
    ) as Json;
    const { id } = await remember(client, 'With metadata.', { metadata });
    const { metadata: kept } = await done<Remembered>(client, 'get', { id });
    expect(JSON.stringify(kept)).toBe(JSON.stringify(metadata));
    for (const filter of [{ constructor: 7 }, { toString: true }, { nul: 'a\u0000b' }])
      expect(await listed(client, { metadata: filter })).toEqual(['With metadata.']);
    for (const filter of [{ constructor: '7' }, { toString: false }, { hasOwnProperty: 1 }])
      expect(await listed(client, { metadata: filter })).toEqual([]);
  });
});

test.each(['   ', '🎉', '"', '* OR -', '\u0000', '\ud800', 'NEAR(a, b)', '港', 'x'.repeat(100)])(
  'a search for %j is answered',
  async (query) => {
    const namespace = `searched-${Buffer.from(query.slice(0, 20)).toString('hex')}`;
    await remember(client, 'Something to find.', { namespace });
    expect((await recalled(client, query, { namespace })).length).toBeLessThanOrEqual(1);
  },
);

test.each<[string, Json]>([
  ['nothing', { query: '' }],
  ['too much', { query: 'x'.repeat(2001) }],
  ['too many results', { query: 'x', limit: 51 }],
  ['a time that is none', { query: 'x', as_of: 'yesterday-ish' }],
  ['a filter that is none', { query: 'x', metadata: { a: { b: 1 } } }],
])('a search for %s is refused', async (_, args) => {
  expect((await refused(client, 'search', args)).code).toBe('invalid_input');
});

// Last: their vectors are made in the background, which slows everything down.
describe('a long text', () => {
  test('comes back whole, piece by piece, and search shows the passage that fits', async () => {
    const where = { namespace: 'long' };
    const paragraph = (n: number) => `Paragraph ${n} says "quoted" things about harbours 🚢 and 港口 number ${n}.\n\n`;
    let text = '';
    for (let n = 0; text.length < 300_000; n++)
      text += n === 2000 ? 'The archivist keeps the spare key behind the walrus.\n\n' : paragraph(n);
    const { id } = await remember(client, text, where);
    // Words find it before its vectors are there.
    const { results } = await done<{ results: FoundMemory[] }>(client, 'search', {
      query: 'archivist walrus',
      ...where,
    });
    expect(results).toMatchObject([{ id, truncated: true }]);
    expect(results[0]?.text).toContain('behind the walrus');
    expect((results[0]?.text ?? '').length).toBeLessThan(1000);
    expect(await whole(id)).toBe(text);
    const { memories } = await done<{ memories: FoundMemory[] }>(client, 'list_memories', where);
    expect(memories).toMatchObject([{ id, truncated: true }]);
  });

  test('of characters that take several bytes, or escapes, each piece fits into a reply', async () => {
    for (const text of ['🚢'.repeat(2000), '"\\\n'.repeat(1500), '\u0001\u0002'.repeat(1000), '港'.repeat(3000)]) {
      const { id } = await remember(client, text);
      expect(await whole(id)).toBe(text);
    }
  });

  test('an offset in the middle of a character loses nothing, and one past the end is no error', async () => {
    const text = Array.from({ length: 2000 }, (_, n) => `🚢${n} `).join('');
    const { id } = await remember(client, text);
    const first = await done<Piece>(client, 'get', { id, offset: 1 });
    expect(first.text.isWellFormed()).toBe(true);
    const second = await done<Piece>(client, 'get', { id, offset: first.next_offset as number });
    expect(text.startsWith(`${first.text}${second.text}`)).toBe(true);
    expect(await done<Piece>(client, 'get', { id, offset: 1_000_000 })).toMatchObject({
      text: '',
      characters: text.length,
    });
  });
});
