import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { hostileJson, hostileTool } from '../../../test/support/hostile.ts';
import type { Json } from '../../kernel/source.ts';
import type { Answer } from '../../wire/service.ts';
import {
  definitionHash,
  emptyCatalogue,
  fetchList,
  fingerprintOf,
  mergeHints,
  restoredCatalogue,
} from './catalogue.ts';
import type { BackendSettings } from '../settings.ts';

const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });

/** Answers with one page after the other, and records the requests. */
function paged(...pages: Answer[]) {
  const asked: [string, Json][] = [];
  const ask = async (method: string, params: Json): Promise<Answer> => {
    asked.push([method, params]);
    return pages[asked.length - 1] ?? { error: { code: -32000, message: 'one page too many' } };
  };
  return { asked, ask };
}

describe('reading a list', () => {
  test('follows every cursor, in order', async () => {
    const { asked, ask } = paged(
      { result: { tools: [tool('a')], nextCursor: 'x' } },
      { result: { tools: [tool('b')], nextCursor: '' } },
      { result: { tools: [tool('c')] } },
    );
    expect(await fetchList('tools', { tools: {} }, ask)).toMatchObject({
      items: [tool('a'), tool('b'), tool('c')],
      rejected: [],
    });
    expect(asked).toEqual([
      ['tools/list', {}],
      ['tools/list', { cursor: 'x' }],
      ['tools/list', { cursor: '' }],
    ]);
  });

  test('ends if the cursors form a circle', async () => {
    const { asked, ask } = paged(
      { result: { tools: [tool('a')], nextCursor: 'x' } },
      { result: { tools: [], nextCursor: 'y' } },
      { result: { tools: [], nextCursor: 'x' } },
    );
    await fetchList('tools', { tools: {} }, ask);
    expect(asked).toHaveLength(3);
  });

  test('is not tried without the capability', async () => {
    const { asked, ask } = paged();
    expect(await fetchList('prompts', { tools: {} }, ask)).toMatchObject({ items: [] });
    expect(asked).toEqual([]);
  });

  test('keeps valid items, and reports the others', async () => {
    const { ask } = paged({
      result: {
        tools: [
          null,
          42,
          {},
          { name: '' },
          { name: 'no_schema' },
          tool('good'),
          tool('good'),
          { ...tool('vendor'), 'x-vendor': 1 },
        ],
      },
    });
    const { items, rejected } = await fetchList('tools', { tools: {} }, ask);
    expect(items).toEqual([tool('good'), { ...tool('vendor'), 'x-vendor': 1 }]);
    expect(rejected).toHaveLength(6);
    expect(rejected).toContain('tools: good is listed twice');
  });

  test('gives an empty list if the method is unknown, and an error if it fails', async () => {
    expect(
      await fetchList('templates', { resources: {} }, paged({ error: { code: -32601, message: 'no' } }).ask),
    ).toMatchObject({ items: [] });
    await expect(
      fetchList('tools', { tools: {} }, paged({ error: { code: -32000, message: 'broken' } }).ask),
    ).rejects.toMatchObject({ code: 'unavailable', message: 'tools/list failed: broken (-32000).' });
  });

  test('gives an empty list if the answer is no list', async () => {
    expect(await fetchList('tools', { tools: {} }, paged({ result: { tools: 'none' } }).ask)).toMatchObject({
      items: [],
    });
  });

  test.each([
    [
      [
        { ttlMs: 500, cacheScope: 'public' },
        { ttlMs: 100, cacheScope: 'public' },
      ],
      { ttlMs: 100, cacheScope: 'public' },
    ],
    [
      [
        { ttlMs: 500, cacheScope: 'public' },
        { ttlMs: 900, cacheScope: 'private' },
      ],
      { ttlMs: 500, cacheScope: 'private' },
    ],
    [[{ ttlMs: -1, cacheScope: 'everyone' }, { ttlMs: 'long' }], { ttlMs: 0, cacheScope: 'private' }],
  ])('hints of pages %j make %j', async (pages, hint) => {
    const { ask } = paged(
      ...pages.map((page, i) => ({ result: { tools: [], ...page, ...(i === 0 && { nextCursor: 'x' }) } })),
    );
    expect((await fetchList('tools', { tools: {} }, ask)).hint).toEqual(hint);
  });
});

test('hints merge to the shortest TTL and the narrowest scope', () => {
  const open = { ttlMs: 10, cacheScope: 'public' } as const;
  expect(mergeHints([open, { ttlMs: 60, cacheScope: 'public' }])).toEqual(open);
  expect(mergeHints([open, { ttlMs: 5, cacheScope: 'private' }])).toEqual({ ttlMs: 5, cacheScope: 'private' });
});

test('the hash of a definition ignores the order of its keys, and changes with anything else', () => {
  const one = { name: 'x', inputSchema: { type: 'object', properties: { a: {}, b: { enum: [1, 2] } } } };
  const same = { inputSchema: { properties: { b: { enum: [1, 2] }, a: {} }, type: 'object' }, name: 'x' };
  const other = { ...one, inputSchema: { ...one.inputSchema, properties: { a: {}, b: { enum: [2, 1] } } } };
  expect(definitionHash(same)).toBe(definitionHash(one));
  expect(definitionHash(other)).not.toBe(definitionHash(one));
});

test('the fingerprint of a catalogue depends on what is started, not on how it is shown', () => {
  const settings = (transport: object, prefix?: string) => ({ transport, prefix }) as unknown as BackendSettings;
  const http = { kind: 'http', url: 'https://x', headers: {} };
  expect(fingerprintOf(settings(http, 'a'))).toBe(fingerprintOf(settings(http, 'b')));
  expect(fingerprintOf(settings({ ...http, headers: { a: '1' } }))).not.toBe(fingerprintOf(settings(http)));
});

test('a stored catalogue is restored unchanged, and anything else in the store never throws', () => {
  const whole = {
    ...emptyCatalogue({ era: 'legacy', version: '2025-11-25', info: {}, capabilities: { tools: {} } }, 7),
    tools: [{ name: 'constructor', inputSchema: { type: 'object' } }],
  };
  expect(restoredCatalogue(JSON.parse(JSON.stringify(whole)))).toEqual(whole);
  const era = fc.constantFrom('legacy', 'modern');
  const list = fc.oneof(fc.array(hostileTool, { maxLength: 3 }), hostileJson);
  const kept = fc.record(
    {
      era,
      version: fc.constant('x'),
      tools: list,
      prompts: list,
      resources: list,
      templates: list,
      hints: hostileJson,
      capabilities: hostileJson,
      rejected: hostileJson,
    },
    { requiredKeys: ['era', 'version'] },
  );
  fc.assert(
    fc.property(fc.oneof(hostileJson, kept), (value) => {
      const restored = restoredCatalogue(value);
      if (!restored) return;
      for (const kind of ['tools', 'prompts', 'resources', 'templates'] as const) {
        expect(Array.isArray(restored[kind])).toBe(true);
        expect(restored.hints[kind].ttlMs).toBeGreaterThanOrEqual(0);
        for (const item of restored[kind]) expect(typeof item.name).toBe('string');
      }
    }),
  );
});

test('an endless list is cut, and so is the report of its invalid items', async () => {
  const answer = async () => ({
    result: { tools: Array.from({ length: 20_000 }, (_, n) => ({ name: `t${n}`, inputSchema: { type: 'object' } })) },
  });
  const list = await fetchList('tools', { tools: {} }, answer);
  expect(list.items).toHaveLength(10_000);
  expect(list.rejected).toEqual(['tools: only the first 10000 are listed']);
  const bad = async () => ({ result: { tools: Array.from({ length: 200_000 }, () => null) } });
  expect((await fetchList('tools', { tools: {} }, bad)).rejected).toHaveLength(100);
});
