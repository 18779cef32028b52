import { readFileSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type Kept, type KeepOptions, keepN8n, type LocalConnection } from '../../../src/n8n/local/keep.ts';
import { awaitLocal, connectLocal, lookAtLocal, stopLocal } from '../../../src/n8n/local/local.ts';
import { essentialFiles } from '../../../src/n8n/local/packages.ts';
import { type InstancePlaces, instancePlaces } from '../../../src/n8n/local/places.ts';
import type { InstanceRecord } from '../../../src/n8n/local/record.ts';
import { type LocalSight, watchLocal } from '../../../src/n8n/local/sight.ts';
import type { LocalState } from '../../../src/n8n/local/state.ts';

const fake = fileURLToPath(new URL('../../fixtures/fake-n8n.ts', import.meta.url));
const VERSION = '2.0.7';

let root: string;
let places: InstancePlaces;
let options: KeepOptions;
let states: LocalState[];
let connections: LocalConnection[];
let kept: Kept | undefined;

beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'sluice-n8n-keep-'));
  const directory = join(root, 'cache', 'n8n', VERSION);
  const files = essentialFiles(directory, process);
  for (const path of Object.values(files)) await mkdir(dirname(path), { recursive: true });
  if (files.node !== undefined) await symlink(process.execPath, files.node);
  await writeFile(files.n8n, `import(${JSON.stringify(fake)});`);
  await writeFile(files.sqlite, '');
  await writeFile(join(directory, 'install.json'), '{"reached":"complete"}');
  places = instancePlaces(join(root, 'home'));
  states = [];
  connections = [];
  options = {
    home: join(root, 'home'),
    cache: join(root, 'cache'),
    env: { PATH: process.env.PATH, HOME: root },
    keptBy: 'itself',
    version: VERSION,
    port: 0,
    onState: (state) => states.push(state),
    onReady: (connection) => connections.push(connection),
  };
});

afterEach(async () => {
  await kept?.[Symbol.asyncDispose]();
  kept = undefined;
  await rm(root, { recursive: true, force: true });
});

const names = () => states.map(({ state }) => state);
const record = async () => JSON.parse(await readFile(places.record, 'utf8')) as InstanceRecord;
const runnerPid = () => Number(readFileSync(join(places.data, 'runner.pid'), 'utf8'));

async function keep(more: Partial<KeepOptions> = {}): Promise<Kept> {
  kept = await keepN8n({ ...options, ...more });
  if (!kept) throw new Error('Another process keeps it.');
  return kept;
}

const stop = () => kept?.[Symbol.asyncDispose]();

function lives(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

async function ready(): Promise<Extract<LocalState, { state: 'ready' }>> {
  await awaitLocal(places);
  const state = await lookAtLocal(places);
  if (state?.state !== 'ready') throw new Error('It is not ready any more.');
  return state;
}

test('n8n is started, gets an owner and a key, and is stopped with its task runner', async () => {
  await keep({ extra: { FAKE_N8N: 'stubborn' } });
  const { url, n8nPid } = await ready();
  const runner = runnerPid();
  expect(names()).toEqual(['preparing', 'starting', 'ready']);
  const { apiKey, email, password, encryptionKey } = await record();
  expect(connections).toEqual([{ url, apiKey, login: { email, password } }]);
  expect(await connectLocal(options.home)).toEqual(connections[0]);
  expect(encryptionKey.length).toBeGreaterThan(20);

  await stop();
  expect(names().at(-1)).toBe('stopped');
  // The process that adopted them may be slow to reap them.
  await expect.poll(() => [n8nPid, runner].filter(lives)).toEqual([]);
  expect(await lookAtLocal(places)).toBeUndefined();
  await expect(connectLocal(options.home)).rejects.toThrow('is not running. `sluice n8n up`');
});

test('its files are readable by the owner only, and no secret appears in states or logs', async () => {
  await keep();
  await ready();
  const modes = await Promise.all(
    [places.record, places.state, places.log].map(async (path) => (await stat(path)).mode),
  );
  expect(modes.map((mode) => (mode & 0o777).toString(8))).toEqual(['600', '600', '600']);
  expect((await stat(places.folder)).mode & 0o077).toBe(0);
  const { apiKey = '-', password, encryptionKey } = await record();
  const said = JSON.stringify(states) + (await readFile(places.state, 'utf8')) + (await readFile(places.log, 'utf8'));
  for (const secret of [apiKey, password, encryptionKey]) expect(said).not.toContain(secret);
});

test('the next start uses the same port, owner and key', async () => {
  await keep();
  await ready();
  const first = await record();
  await stop();
  await keep();
  await ready();
  expect(await record()).toEqual(first);
  expect(connections).toHaveLength(2);
  expect(connections[0]).toEqual(connections[1]);
});

describe('a half provisioned n8n', () => {
  async function change(content: (known: InstanceRecord) => Partial<InstanceRecord>): Promise<void> {
    const known = await record();
    await writeFile(places.record, JSON.stringify(content(known)));
  }

  test('a lost key is created again, and the old one deleted', async () => {
    await keep();
    await ready();
    await stop();
    await change(({ apiKey: _, ...rest }) => rest);
    await keep();
    await ready();
    expect((await record()).apiKey).toBe('raw-2');
    const { keys } = JSON.parse(await readFile(join(places.data, 'fake.json'), 'utf8')) as { keys: unknown[] };
    expect(keys).toEqual([{ id: 'key-2', label: 'Sluice', raw: 'raw-2' }]);
  });

  test('a key that n8n refuses is replaced', async () => {
    await keep();
    await ready();
    await stop();
    await change((known) => ({ ...known, apiKey: 'revoked' }));
    await keep();
    await ready();
    expect((await record()).apiKey).toBe('raw-2');
  });

  test('a changed owner password is reported at once, with a remedy', async () => {
    await keep();
    await ready();
    await stop();
    await change(({ apiKey: _, ...rest }) => ({ ...rest, password: 'another' }));
    const { ended } = await keep();
    await expect(ended).rejects.toThrow('email and password into the record');
    expect(names().at(-1)).toBe('failed');
    await expect(awaitLocal(places)).rejects.toThrow('email and password into the record');
  });

  test('a lost record is rebuilt with the encryption key from the data', async () => {
    await keep();
    await ready();
    const { encryptionKey } = await record();
    await stop();
    await rm(places.record);
    await rm(join(places.data, 'fake.json'));
    await keep();
    await ready();
    expect((await record()).encryptionKey).toBe(encryptionKey);
  });

  test('a damaged record is not overwritten', async () => {
    await mkdir(dirname(places.record), { recursive: true });
    await writeFile(places.record, '{"email": "me"}');
    const { ended } = await keep();
    await expect(ended).rejects.toThrow(`${places.record} is damaged: encryptionKey`);
    expect(await readFile(places.record, 'utf8')).toBe('{"email": "me"}');
  });
});

test('n8n is restarted at the same address after a crash', async () => {
  await keep();
  const before = await ready();
  process.kill(before.n8nPid, 'SIGKILL');
  await expect.poll(() => names().filter((name) => name === 'ready'), { timeout: 15_000 }).toHaveLength(2);
  const after = await ready();
  expect(names()).toEqual(['preparing', 'starting', 'ready', 'restarting', 'starting', 'ready']);
  expect(after).toMatchObject({ url: before.url, restarts: 1 });
  expect(states[3]).toMatchObject({ reason: expect.stringContaining('n8n was ended by SIGKILL') as string });
  expect(connections).toHaveLength(2);
});

test('n8n is killed and restarted when it hangs and ignores signals', async () => {
  await keep({ heartbeat: { everyMs: 200, misses: 20 } });
  const before = await ready();
  const told: string[] = [];
  using _watch = watchLocal(places, {
    expected: false,
    onChange: async () => {},
    onRestart: (reason) => told.push(reason),
  });
  process.kill(before.n8nPid, 'SIGSTOP');
  await expect.poll(() => names().filter((name) => name === 'ready'), { timeout: 30_000 }).toHaveLength(2);
  const after = await ready();
  expect(names()).toEqual(['preparing', 'starting', 'ready', 'restarting', 'starting', 'ready']);
  expect(after).toMatchObject({ url: before.url, restarts: 1 });
  expect(after.n8nPid).not.toBe(before.n8nPid);
  const words = 'n8n did not answer for 4 s, so Sluice stopped it.';
  expect(states[3]).toMatchObject({ reason: words });
  await expect.poll(() => told, { timeout: 15_000 }).toEqual([words]);
  expect(await readFile(places.log, 'utf8')).toContain(`Sluice: ${words}`);
  expect(lives(before.n8nPid)).toBe(false);
});

test('n8n that never starts is given up after three attempts, with its last output', async () => {
  const { ended } = await keep({ extra: { FAKE_N8N: 'crash' } });
  await expect(ended).rejects.toThrow(/n8n does not start\. .*the database is on holiday/);
  expect(names()).toEqual(['preparing', 'starting', 'restarting', 'starting', 'restarting', 'starting', 'failed']);
  expect(await readFile(places.log, 'utf8')).toMatch(/(fake n8n starts[^]*){3}/);
});

test('only one process keeps it', async () => {
  await keep();
  expect(await keepN8n(options)).toBeUndefined();
});

test('stopping n8n while it starts leaves no process', async () => {
  const { promise: begun, resolve } = Promise.withResolvers<void>();
  await keep({
    onState(state) {
      states.push(state);
      if (state.state === 'starting') resolve();
    },
  });
  await begun;
  await stop();
  expect(names().at(-1)).toBe('stopped');
  expect(connections).toEqual([]);
});

describe('ports', () => {
  test('a configured port that is in use is reported, and nothing starts', async () => {
    const { port } = await occupied;
    const { ended } = await keep({ port });
    await expect(ended).rejects.toThrow(`Port ${port} is taken.`);
    expect(names()).toEqual(['preparing', 'failed']);
  });

  test('a remembered port that is in use is replaced', async () => {
    const { port } = await occupied;
    await mkdir(dirname(places.record), { recursive: true });
    const known = { encryptionKey: 'k'.repeat(32), email: 'owner@sluice.local', password: 'Passw0rd' };
    await writeFile(places.record, JSON.stringify({ ...known, port, brokerPort: port }));
    await keep();
    const { url } = await ready();
    expect(url).not.toContain(String(port));
    expect((await record()).brokerPort).not.toBe(port);
  });

  const server = createServer();
  const occupied = new Promise<{ port: number }>((resolve) => {
    server.listen(0, '127.0.0.1', () => resolve(server.address() as { port: number })).unref();
  });
});

test('an n8n that a gateway keeps cannot be stopped by others', async () => {
  await keep({ keptBy: 'gateway' });
  await ready();
  await expect(stopLocal(places)).rejects.toThrow('belongs to `sluice serve --with-n8n`');
  expect(await lookAtLocal(places)).toMatchObject({ state: 'ready' });
});

describe('watching it', () => {
  const seen: LocalSight[] = [];
  const watch = (expected: boolean) =>
    watchLocal(places, { expected, onChange: async (sight) => void seen.push(sight) });
  const never = () => new AbortController().signal;
  beforeEach(() => void seen.splice(0));

  test('sees it come and go, and creates no files in a home without n8n', async () => {
    using local = watch(false);
    await local.look();
    await expect(stat(places.folder)).rejects.toThrow('ENOENT');
    await expect(local.untilUp(never())).rejects.toThrow('`sluice n8n up` starts it');
    await keep();
    await expect.poll(() => local.isUp()).toBe(true);
    expect(local.sight()).toMatchObject({ state: 'ready', connection: connections[0] });
    await stop();
    await expect.poll(() => local.isUp()).toBe(false);
    expect(local.sight()).toMatchObject({ state: 'gone' });
    expect(seen.map(({ state }) => state)).toContain('ready');
  });

  test('waits for an expected start, whatever state the previous run left', async () => {
    await keep();
    await expect.poll(names).toContain('ready');
    await stop();
    // Let the clock move on: two states in the same millisecond would look like one.
    await expect.poll(() => Date.now() > Date.parse(states.at(-1)?.since ?? '')).toBe(true);
    using local = watch(true);
    await local.look();
    expect(local.sight()).toEqual({ state: 'coming', what: 'starting' });
    let waits = 0;
    const up = local.untilUp(never(), () => waits++);
    await keep();
    await up;
    expect(waits).toBeGreaterThan(0);
    expect(local.isUp()).toBe(true);
  });

  test('stops waiting with the reason when it fails to start', async () => {
    using local = watch(true);
    const up = local.untilUp(never());
    const failing = await keep({ extra: { FAKE_N8N: 'crash' } });
    await expect(up).rejects.toThrow('the database is on holiday');
    await expect(failing.ended).rejects.toThrow('n8n does not start');
  });

  test('an aborted wait ends at once', async () => {
    using local = watch(true);
    await expect(local.untilUp(AbortSignal.abort())).rejects.toThrow('aborted');
  });
});
