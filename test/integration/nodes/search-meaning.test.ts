import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { buildCatalogue } from '../../../src/nodes/build/build.ts';
import type { Catalogue } from '../../../src/nodes/catalogue.ts';
import { openCatalogue } from '../../../src/nodes/catalogues/open.ts';
import { createMeaning, type Meaning } from '../../../src/nodes/search/meaning/meaning.ts';
import { searchNodes } from '../../../src/nodes/search/search.ts';

/** A node of a made-up package, in n8n's format. */
const node = (name: string, displayName: string, description: string) => ({
  name: `n8n-nodes-mine.${name}`,
  displayName,
  description,
  group: ['transform'],
  version: 1,
  defaults: { name: displayName },
  inputs: ['main'],
  outputs: ['main'],
  properties: [],
});

const nodes = [
  node('kettle', 'Kettle', 'Boils water for tea'),
  node('umbrella', 'Umbrella', 'Keeps you dry in the rain'),
  node('ledger', 'Ledger', 'Records what was spent'),
  node('hammer', 'Hammer', 'Drives nails into wood'),
];

/** Loading the model is slow, and vectors are computed at the lowest priority. */
const LOADING = { timeout: 120_000, interval: 50 };

describe('searching by meaning', { timeout: 300_000 }, () => {
  const folder = mkdtempSync(join(tmpdir(), 'sluice-meaning-'));
  const file = join(folder, 'nodes.sqlite');
  let catalogue: Catalogue;
  let meaning: Meaning;

  beforeAll(() => {
    buildCatalogue({ nodes, credentials: [], from: 'instance', n8n: '2.41.1' }, file);
    catalogue = openCatalogue(file);
    meaning = createMeaning();
  });
  afterAll(async () => {
    await meaning[Symbol.asyncDispose]();
    catalogue.close();
    rmSync(folder, { recursive: true });
  });

  test('only words count until the vectors are ready', async () => {
    await using late = createMeaning();
    expect(await late.near(catalogue, 'a hot drink')).toBeUndefined();
    expect((await searchNodes(catalogue, 'a hot drink', { meaning: late })).how).toBe('lexical');
  });

  test('a node that shares no word with the question is found', async () => {
    expect(await meaning.prepare(catalogue)).toBe(true);
    const query = 'how much did we pay for it, bookkeeping of expenses';
    expect((await searchNodes(catalogue, query)).hits.map(({ node: { title } }) => title)).not.toContain('Ledger');
    const { how, hits } = await searchNodes(catalogue, query, { meaning });
    expect(how).toBe('fused');
    expect(hits[0]?.node.title).toBe('Ledger');
  });

  test('a question that words can answer is not compared by meaning', async () => {
    const { how, hits } = await searchNodes(catalogue, 'kettle', { meaning });
    expect(how).toBe('lexical');
    expect(hits[0]?.node.title).toBe('Kettle');
  });

  test.each(['Wasser für den Tee heiß machen', '泡茶用的热水', 'eine Nachricht senden'])(
    'a question in another language uses words only: %s',
    async (query) => {
      expect((await searchNodes(catalogue, query, { meaning })).how).toBe('lexical');
    },
  );

  test('the vectors are stored next to the catalogue', async () => {
    expect(await meaning.prepare(catalogue)).toBe(true);
    expect(existsSync(`${file}.vectors`)).toBe(true);
  });

  test('the thread ends when idle, and starts again', async () => {
    await using brief = createMeaning({ idleMs: 1 });
    for (const _ of [1, 2]) {
      expect(await brief.prepare(catalogue)).toBe(true);
      // After the thread has ended, no vectors are loaded.
      await expect.poll(() => brief.near(catalogue, 'rain'), LOADING).toBeUndefined();
    }
  });

  test('a process can exit after a search', async () => {
    const at = (path: string) => JSON.stringify(fileURLToPath(new URL(`../../../src/nodes/${path}`, import.meta.url)));
    const script = `
      const { openCatalogue } = await import(${at('catalogues/open.ts')});
      const { createMeaning } = await import(${at('search/meaning/meaning.ts')});
      const catalogue = openCatalogue(${JSON.stringify(file)});
      const meaning = createMeaning();
      await meaning.prepare(catalogue);
      console.log((await meaning.near(catalogue, 'it is pouring outside'))[0].name);
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      timeout: LOADING.timeout,
    });
    expect(stdout.trim()).toBe('n8n-nodes-mine.umbrella');
  });

  test('a gateway has another process compute the vectors, and uses them once they are ready', async () => {
    const vectors = join(folder, 'elsewhere', 'shared.vectors');
    const missing = vi.fn<() => void>();
    await using looking = createMeaning({ vectors, missing });
    await vi.waitFor(async () => {
      expect(await looking.near(catalogue, 'it is pouring outside')).toBeUndefined();
      expect(missing).toHaveBeenCalledOnce();
    }, LOADING);
    const at = (path: string) => JSON.stringify(fileURLToPath(new URL(`../../../src/${path}`, import.meta.url)));
    const script = `
      const { makeVectors } = await import(${at('nodes/search/meaning/make-vectors.ts')});
      const { waitForLock: lock } = await import(${at('host/process-lock.ts')});
      const steps = [];
      const progress = (step, done, of) => steps.push([done, of]);
      const made = await makeVectors(${JSON.stringify(file)}, ${JSON.stringify(vectors)}, { lock, progress });
      console.log(JSON.stringify({ made, steps, priority: (await import('node:os')).getPriority() }));
    `;
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script]);
    expect(JSON.parse(stdout)).toEqual({
      made: true,
      steps: [
        [0, 4],
        [4, 4],
      ],
      priority: 19,
    });
    await vi.waitFor(async () => {
      const near = await looking.near(catalogue, 'it is pouring outside');
      expect(near?.[0]?.name).toBe('n8n-nodes-mine.umbrella');
    }, LOADING);
    expect(missing).toHaveBeenCalledOnce();
  });

  test('it answers nothing once it is closed', async () => {
    const closed = createMeaning();
    await closed[Symbol.asyncDispose]();
    expect(await closed.prepare(catalogue)).toBe(false);
    expect(await closed.near(catalogue, 'rain')).toBeUndefined();
  });
});
