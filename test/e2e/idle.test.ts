import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readdirSync, readFileSync, readlinkSync } from 'node:fs';
import { mkdtempDisposable, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { expect, test, vi } from 'vitest';
import { buildCatalogue } from '../../src/nodes/build/build.ts';
import { openCatalogue } from '../../src/nodes/catalogues/open.ts';
import { meaningVectors, packageCatalogue } from '../../src/nodes/catalogues/places.ts';
import { createMeaning } from '../../src/nodes/search/meaning/meaning.ts';
import { PINNED_N8N } from '../../src/nodes/which-n8n.ts';
import { callTool, connectV2, textOf } from '../integration/harness.ts';

const fixture = fileURLToPath(new URL('../fixtures/brief-gateway.ts', import.meta.url));
const WAITING = { timeout: 60_000, interval: 50 };

/** Nodes that the question shares no word with, so that it needs the model. */
const nodes = [
  ['kettle', 'Kettle', 'Boils water for tea'],
  ['ledger', 'Ledger', 'Records what was spent'],
].map(([name, displayName, description]) => ({
  name: `n8n-nodes-mine.${name}`,
  displayName,
  description,
  group: ['transform'],
  version: 1,
  inputs: ['main'],
  outputs: ['main'],
  properties: [],
}));
const question = { query: 'how much did we pay for it, bookkeeping of expenses' };

/** A cache with a catalogue of these nodes, and the vectors of their texts. */
async function fillCache(cache: string): Promise<string> {
  const file = packageCatalogue(cache, PINNED_N8N);
  mkdirSync(dirname(file), { recursive: true });
  buildCatalogue({ nodes, credentials: [], from: 'packages', n8n: PINNED_N8N }, file);
  await using meaning = createMeaning({ vectors: meaningVectors(cache) });
  const catalogue = openCatalogue(file);
  expect(await meaning.prepare(catalogue)).toBe(true);
  catalogue.close();
  return file;
}

/** What a process holds: its threads by name, its open files, its resident memory. */
function held(pid: number) {
  const names = (folder: string, read: (path: string) => string) =>
    readdirSync(`/proc/${pid}/${folder}`).flatMap((entry) => {
      try {
        return [read(`/proc/${pid}/${folder}/${entry}`).trim()];
      } catch {
        // It ended or was closed meanwhile.
        return [];
      }
    });
  return {
    threads: names('task', (task) => readFileSync(`${task}/comm`, 'utf8')),
    files: names('fd', (fd) => readlinkSync(fd)),
    rss: Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024,
  };
}

test.skipIf(process.platform !== 'linux')(
  'an idle gateway gives its memory back, and answers as before',
  { timeout: 120_000 },
  async () => {
    await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-idle-'));
    const cache = join(place.path, 'cache');
    const catalogue = await fillCache(cache);
    await writeFile(join(place.path, 'sluice.json'), JSON.stringify({ nodes: { build: 'manual' } }));
    const child = spawn(process.execPath, [fixture, '1500'], {
      cwd: place.path,
      env: { PATH: process.env.PATH, HOME: place.path, SLUICE_HOME: place.path, SLUICE_CACHE: cache },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const ended = once(child, 'exit');
    await using stack = new AsyncDisposableStack();
    stack.defer(async () => {
      child.kill('SIGTERM');
      await ended;
    });
    const pid = child.pid as number;
    const [url] = (await once(createInterface({ input: child.stdout }), 'line')) as [string];
    await using client = await connectV2({ url, home: place.path });

    const ask = async () => {
      const { nodes: found } = JSON.parse(textOf(await callTool(client, 'search_nodes', question))) as {
        nodes: { name: string }[];
      };
      return found[0]?.name;
    };
    // Only words count until the model is loaded.
    const untilFound = () => vi.waitFor(async () => expect(await ask()).toBe('n8n-nodes-mine.ledger'), WAITING);
    await untilFound();
    const used = held(pid);
    expect(used.threads).toContain('embedder');
    expect(used.files).toContain(catalogue);
    await vi.waitFor(() => {
      const idle = held(pid);
      expect(idle.threads).not.toContain('embedder');
      // The garbage collector closes it.
      expect(idle.files).not.toContain(catalogue);
      // The model alone takes more than that.
      expect(used.rss - idle.rss).toBeGreaterThan(50);
    }, WAITING);
    await untilFound();
  },
);
