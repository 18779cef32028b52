import { chmod, mkdir, mkdtemp, readdir, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { runCommand } from '../../../src/cli/frame.ts';
import { modelFetchCommand } from '../../../src/embedder/commands/model-fetch.ts';
import { createEmbedder } from '../../../src/embedder/embedder.ts';
import { fetchModel, type FetchOptions } from '../../../src/embedder/fetch-model.ts';
import { minilm } from '../../../src/embedder/hub-model.ts';
import { openModel } from '../../../src/embedder/models.ts';
import { findRuntime, installRuntime } from '../../../src/embedder/runtime.ts';
import type { CommandEntry } from '../../../src/kernel/command.ts';
import { type ModelHub, startHub } from '../../fixtures/model-hub.ts';
import { scriptedTerminal } from '../../fixtures/scripted-terminal.ts';
import { tinyModel } from '../../fixtures/tiny-text-model.ts';
import { needRuntime, runtimeIsMissing } from '../../support/model-runtime.ts';

const WEIGHTS = 'onnx/model_quantized.onnx';
const files = tinyModel();
let cache: string;
let hub: ModelHub;
beforeEach(async () => {
  cache = await mkdtemp(join(tmpdir(), 'sluice-model-fetch-'));
  hub = await startHub(files);
});
afterEach(async () => {
  await hub[Symbol.asyncDispose]();
  await rm(cache, { recursive: true });
});

const fetching = (over: Partial<FetchOptions> = {}) =>
  fetchModel({ cache, from: hub.url, model: hub.model, retry: { first: 1, most: 2 }, ...over });
/** Where nothing listens any more. */
async function nowhere(): Promise<string> {
  await using gone = await startHub(files);
  return gone.url;
}
const ranges = () => hub.asked.filter(({ path }) => path.startsWith('/storage/')).map(({ range }) => range);
const target = () => join(cache, 'embedder', 'tiny', WEIGHTS);
/** Connections that break after so many bytes each. */
const breaks = (...bytes: readonly number[]) =>
  bytes.map((breaksAt, index) => {
    const sum = bytes.slice(0, index + 1).reduce((all, one) => all + one, 0);
    const size = async () => (await stat(`${target()}.part`).catch(() => undefined))?.size;
    return { breaksAt, arrived: () => vi.waitUntil(async () => (await size()) === sum, 15_000) };
  });
async function expectWhole(directory: string): Promise<void> {
  for (const [path, content] of files) expect(await readFile(join(directory, path))).toEqual(Buffer.from(content));
  expect(await readdir(join(directory, 'onnx'))).toEqual([basename(WEIGHTS)]);
}

describe('a model from a hub', () => {
  test('is downloaded with progress, once', async () => {
    const told: { done: number; of: number }[] = [];
    const directory = await fetching({ onProgress: (progress) => told.push(progress) });
    await expectWhole(directory);
    const of = hub.model.files.reduce((sum, { bytes = 0 }) => sum + bytes, 0);
    expect(told.at(-1)).toEqual({ done: of, of });
    hub.asked.length = 0;
    expect(await fetching()).toBe(directory);
    expect(hub.asked).toEqual([]);
  });

  test('continues where a broken download stopped', async () => {
    hub.troubles.push(...breaks(100, 50), { status: 503 });
    await expectWhole(await fetching());
    expect(ranges()).toEqual([undefined, 'bytes=100-', 'bytes=150-', 'bytes=150-']);
  });

  test('continues where an earlier process stopped', async () => {
    hub.troubles.push(...breaks(20, 20, 20, 20, 20));
    await expect(fetching()).rejects.toMatchObject({ code: 'unavailable' });
    await expectWhole(await fetching());
    expect(ranges().at(-1)).toBe('bytes=100-');
  });

  test('starts again if storage knows no ranges, or a part does not fit', async () => {
    hub.troubles.push(...breaks(100), 'ignores ranges');
    await expectWhole(await fetching());
    expect(ranges()).toEqual([undefined, 'bytes=100-']);
    await rm(target());
    const { files: listed } = hub.model;
    const model = { ...hub.model, files: listed.map(({ path, sha256 = '' }) => ({ path, sha256 })) };
    await writeFile(`${target()}.part`, 'x'.repeat(100_000));
    await expectWhole(await fetching({ model }));
  });

  test('gives up a connection on which nothing comes', async () => {
    hub.troubles.push('hangs');
    await expectWhole(await fetching({ stallMs: 200 }));
    expect(ranges()).toHaveLength(2);
  });

  test.each([
    ['of the same size', (size: number) => 'x'.repeat(size), /its SHA-256 differs/],
    ['that is larger', (size: number) => 'x'.repeat(size + 1), /is larger than expected/],
  ])('refuses another file %s, and keeps nothing of it', async (_, content, message) => {
    hub.troubles.push({ content: content(files.get(WEIGHTS)?.length ?? 0) });
    await expect(fetching()).rejects.toThrow(message);
    expect(await readdir(join(cache, 'embedder', 'tiny', 'onnx'))).toEqual([]);
    await expectWhole(await fetching());
  });

  test('checks the hash that the hub tells, if none is known', async () => {
    const model = { ...hub.model, files: hub.model.files.map(({ path }) => ({ path })) };
    hub.claims = 'a'.repeat(64);
    await expect(fetching({ model })).rejects.toThrow(/its SHA-256 differs/);
    delete hub.claims;
    await expectWhole(await fetching({ model }));
  });

  test('does not even download what the hub says is another file', async () => {
    hub.claims = 'a'.repeat(64);
    await expect(fetching()).rejects.toThrow(/is another file than expected/);
    await expect(readFile(target())).rejects.toThrow('ENOENT');
  });

  test('names what is missing, and what to copy by hand', async () => {
    hub.missing.add('tokenizer.json');
    await expect(fetching()).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /tokenizer\.json was not found \(HTTP 404\)\..* Or copy these files of tests\/tiny into .*embedder\/tiny: config\.json, tokenizer\.json, tokenizer_config\.json, onnx\/model_quantized\.onnx\. Then write that path as memory\.embedder\.directory\.$/,
      ) as string,
    });
  });

  test('says what to do where there is no network', async () => {
    await expect(fetching({ from: await nowhere() })).rejects.toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(
        /config\.json cannot be downloaded: ECONNREFUSED\. .* add --from URL\. Or copy/,
      ) as string,
    });
  });

  test('stops when it is cancelled', async () => {
    hub.troubles.push('hangs');
    const stop = new AbortController();
    const fetched = fetching({ signal: stop.signal });
    await expect.poll(ranges).toHaveLength(1);
    stop.abort(new Error('enough'));
    await expect(fetched).rejects.toThrow('enough');
  });

  test('two at once download one copy', async () => {
    const directories = await Promise.all([fetching(), fetching()]);
    expect(new Set(directories).size).toBe(1);
    expect(ranges()).toHaveLength(1);
  });

  test('all-MiniLM-L6-v2 is pinned to files with known hashes', () => {
    expect(minilm.revision).toMatch(/^[0-9a-f]{40}$/);
    for (const { sha256 } of minilm.files) expect(sha256).toMatch(/^[0-9a-f]{64}$/);
  });
});

describe('the runtime', () => {
  /** An npm that writes the packages, or fails with these words. */
  async function npm(words?: string): Promise<{ env: { PATH: string }; calls(): Promise<number> }> {
    const bin = join(cache, 'bin');
    const log = join(cache, 'calls');
    await mkdir(bin, { recursive: true });
    const made = [
      'onnxruntime-web/dist/ort.wasm.min.mjs',
      'onnxruntime-web/dist/ort-wasm-simd-threaded.mjs',
      'onnxruntime-web/dist/ort-wasm-simd-threaded.wasm',
      '@huggingface/tokenizers/dist/tokenizers.min.mjs',
    ];
    const steps = made.map((file) => `mkdir -p "$(dirname "node_modules/${file}")" && echo x > "node_modules/${file}"`);
    const work = words === undefined ? steps : [`echo '${words}' >&2`, 'exit 1'];
    const lines = ['#!/bin/sh', `echo call >> '${log}'`, "echo 'npm http fetch GET 200 x 1ms' >&2", ...work];
    await writeFile(join(bin, 'npm'), `${lines.join('\n')}\n`);
    await chmod(join(bin, 'npm'), 0o755);
    const calls = async () => (await readFile(log, 'utf8').catch(() => '')).split('\n').length - 1;
    return { env: { PATH: `${bin}:${process.env.PATH}` }, calls };
  }

  test('is installed once, with progress, and nothing else stays', async () => {
    const { env, calls } = await npm();
    const told: object[] = [];
    const install = () => installRuntime({ cache, env, onProgress: (progress) => told.push(progress) });
    const [one, two] = await Promise.all([install(), install()]);
    expect(one).toBe(two);
    expect(await findRuntime(cache)).toBe(one);
    expect(told).toContainEqual({ phase: 'fetching', packages: 1 });
    expect(await calls()).toBe(1);
    expect((await readdir(join(cache, 'embedder'))).filter((name) => !name.endsWith('.lock'))).toEqual([basename(one)]);
  });

  test('leaves nothing half installed, and says what to do', async () => {
    const { env } = await npm('npm error code ENOTFOUND');
    await expect(installRuntime({ cache, env })).rejects.toThrow(/npm cannot reach its registry \(ENOTFOUND\)/);
    expect((await readdir(join(cache, 'embedder'))).filter((name) => !name.endsWith('.lock'))).toEqual([]);
    expect(await findRuntime(cache)).toBeUndefined();
    await expect(installRuntime({ cache, env: { PATH: cache } })).rejects.toThrow('npm is not on the PATH');
  });
});

describe.skipIf(runtimeIsMissing)('sluice memory model fetch', () => {
  const memory = { summary: 'Memory', load: async () => ({ example: 'sluice memory', verbs: {} }) };

  async function run(...argv: string[]) {
    const runtime = await needRuntime();
    await mkdir(join(cache, 'embedder'), { recursive: true });
    await symlink(runtime, join(cache, 'embedder', basename(runtime))).catch(() => {});
    const { terminal, said, printed } = scriptedTerminal();
    const place = { version: '1', cache, env: process.env, terminal };
    const load = async () => modelFetchCommand(place, { model: hub.model, retry: { first: 1, most: 2 } });
    const commands = new Map<string, CommandEntry<object>>([
      ['memory', memory],
      ['memory model fetch', { summary: 'Downloads a model', load }],
    ]);
    const code = await runCommand(commands, ['memory', 'model', 'fetch', ...argv], place);
    return { code, said, printed: printed.join('\n') };
  }

  test('downloads, and prints what to write; the model works', async () => {
    const { code, printed, said } = await run('--from', hub.url);
    expect(code).toBe(0);
    expect(said.join('\n')).toMatch(/Downloading tiny: 0\.\d of 0\.\d MB/);
    const directory = /directory: (.+)$/m.exec(printed)?.[1] ?? '';
    await expectWhole(directory);
    await using embedder = createEmbedder();
    const model = openModel({ kind: 'directory', path: directory }, { cache, load: async () => embedder });
    expect(await model.embed(['red'])).toHaveLength(1);
    const again = await run('--from', hub.url, '--json');
    expect(JSON.parse(again.printed)).toMatchObject({ model: 'tiny', directory });
  });

  test('--runtime-only downloads no model', async () => {
    expect(await run('--runtime-only')).toMatchObject({
      code: 0,
      printed: expect.stringContaining('runtime-') as string,
    });
    expect(hub.asked).toEqual([]);
  });

  test('exit code 2 for a wrong URL, 3 where nothing can be reached', async () => {
    const told = vi.spyOn(console, 'error').mockImplementation(() => {});
    expect(await run('--from', 'nowhere')).toMatchObject({ code: 2 });
    expect(told).toHaveBeenLastCalledWith(expect.stringContaining('--from is not an http or https URL'));
    expect(await run('--from', await nowhere())).toMatchObject({ code: 3 });
    expect(told).toHaveBeenLastCalledWith(expect.stringContaining('memory.embedder.directory'));
    told.mockRestore();
  });
});
