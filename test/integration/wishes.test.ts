import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createEmbedder, type Embedder } from '../../src/embedder/embedder.ts';
import { buildIndex } from '../../src/gateway/ranking/ranking.ts';
import type { Registered } from '../../src/gateway/registry.ts';
import { toolDocument } from '../../src/gateway/exposure/tool-documents.ts';
import { createToolMeanings, type ToolMeanings } from '../../src/gateway/exposure/tool-meanings.ts';
import { toolSearch } from '../../src/gateway/exposure/tool-search.ts';
import { cacheDirectory } from '../../src/host/home.ts';
import { startRuntime } from '../../src/runtime.ts';
import { blindServers, blindWishes } from '../wishes/blind.ts';
import { laterWishes } from '../wishes/later.ts';
import { ownWishes } from '../wishes/own.ts';
import { strangersWishes } from '../wishes/strangers.ts';
import { standing, toolsBeside, wishesFor } from '../wishes/wishes.ts';

/** Computing vectors that are not cached yet is slow. */
const MAKING = 180_000;

describe('plain wishes find the tool', () => {
  let home: string;
  let tools: readonly Registered[];
  let n8n: readonly Registered[];
  let blind: readonly Registered[];
  let embedder: Embedder;
  let meanings: ToolMeanings;

  beforeAll(async () => {
    home = await mkdtemp(join(tmpdir(), 'sluice-wishes-'));
    await using runtime = await startRuntime({ home, cwd: home, env: { N8N_URL: 'http://127.0.0.1:9' } });
    tools = toolsBeside(runtime.apis.gateway.registry.sources());
    blind = toolsBeside(runtime.apis.gateway.registry.sources(), blindServers);
    n8n = tools.filter(({ source }) => source === 'n8n');
    embedder = createEmbedder();
    const file = join(cacheDirectory(process.env), 'tools.vectors');
    meanings = createToolMeanings(embedder, file, { patienceMs: MAKING });
  });

  afterAll(async () => {
    await embedder[Symbol.asyncDispose]();
    await rm(home, { recursive: true, force: true });
  });

  test('every tool of ours has wishes, and every wish names an existing tool', () => {
    const names = new Set(tools.map(({ name }) => name));
    expect(
      [ownWishes, strangersWishes, laterWishes].flatMap((list) => Object.keys(list)).filter((name) => !names.has(name)),
    ).toEqual([]);
    const ours = tools.filter(({ origin }) => origin.prefix === '').map(({ name }) => name);
    expect(ours.filter((name) => !Object.hasOwn(ownWishes, name))).toEqual([]);
    expect(tools.filter(({ origin, entry }) => origin.prefix === '' && !entry.phrases).map(({ name }) => name)).toEqual(
      [],
    );
  });

  test.each([
    ['all of them', [ownWishes, strangersWishes], 75, 95],
    ['those for our own tools', [ownWishes], 80, 95],
    ['those for tools of strangers', [strangersWishes], 63, 85],
    ['the ones written later', [laterWishes], 75, 95],
  ] as const)('by words only: %s', async (_, lists, first, three) => {
    const search = toolSearch(tools);
    const { missed, ...got } = await standing(wishesFor('checking', ...lists), (wish) => search(wish, 3));
    expect(got.first, missed.join('\n')).toBeGreaterThanOrEqual(first);
    expect(got.three, missed.join('\n')).toBeGreaterThanOrEqual(three);
  });

  test('by words and meaning', { timeout: MAKING }, async () => {
    expect(await meanings.prepare(buildIndex(tools.map(toolDocument)).compared)).toBe(true);
    const search = toolSearch(tools, meanings);
    const { missed, ...got } = await standing(wishesFor('checking', ownWishes, strangersWishes, laterWishes), (wish) =>
      search(wish, 3),
    );
    expect(got.first, missed.join('\n')).toBeGreaterThanOrEqual(75);
    expect(got.three, missed.join('\n')).toBeGreaterThanOrEqual(95);
  });

  test('by words and meaning: wishes by somebody who has not seen the ranking', { timeout: MAKING }, async () => {
    expect(await meanings.prepare(buildIndex(blind.map(toolDocument)).compared)).toBe(true);
    const wishes = blindWishes.map(([wish, tool = '', ...also]) => ({ wish, tool, also }));
    const names = new Set(blind.map(({ name }) => name));
    expect(wishes.filter(({ tool }) => !names.has(tool))).toEqual([]);
    const search = toolSearch(blind, meanings);
    const { missed, ...got } = await standing(wishes, (wish) => search(wish, 3));
    expect(got.first, missed.join('\n')).toBeGreaterThanOrEqual(75);
    expect(got.three, missed.join('\n')).toBeGreaterThanOrEqual(95);
  });

  test('among the tools of n8n only', async () => {
    const search = toolSearch(n8n);
    const names = new Set(n8n.map(({ name }) => name));
    const wishes = wishesFor('checking', ownWishes).filter(({ tool }) => names.has(tool));
    const { missed, ...got } = await standing(wishes, (wish) => search(wish, 3));
    expect(got.first, missed.join('\n')).toBeGreaterThanOrEqual(80);
    expect(got.three, missed.join('\n')).toBeGreaterThanOrEqual(95);
  });

  test('a name finds its tool, with or without the source, with underscores or spaces', async () => {
    const search = toolSearch(tools);
    for (const { name, source, entry } of tools) {
      expect((await search(name, 1))[0]?.name).toBe(name);
      expect((await search(name.replaceAll('_', ' '), 1))[0]?.name).toBe(name);
      expect((await search(`${source}:${entry.tool}`, 1))[0]?.name).toBe(name);
      expect((await search(`${name}, how is it used?`, 1))[0]?.name).toBe(name);
    }
    // Two servers can have tools of the same name: both come first.
    const both = (await search('search_nodes', 2)).map(({ name }) => name);
    expect(both).toEqual(['search_nodes', 'memory__search_nodes']);
  });

  test('the search matches words only until the model is loaded', async () => {
    await using asleep = createEmbedder();
    const search = toolSearch(tools, createToolMeanings(asleep, join(home, 'tools.vectors')));
    expect((await search('undo my last change', 1))[0]?.name).toBe('n8n_restore_workflow');
  });
});
