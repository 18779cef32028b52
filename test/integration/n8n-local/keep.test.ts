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

test('it is started, given an owner and a key, and stopped with its task runner', async () => {
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
  // Whoever inherits the killed may take its time to see that they are dead.
  await expect.poll(() => [n8nPid, runner].filter(lives)).toEqual([]);
  expect(await lookAtLocal(places)).toBeUndefined();
  await expect(connectLocal(options.home)).rejects.toThrow('is not running. `sluice n8n up`');
});

test('what it keeps is for nobody else to read, and not in what it says', async () => {
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

test('the next start finds the same port, owner and key', async () => {
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

describe('half provisioned', () => {
  async function change(content: (known: InstanceRecord) => Partial<InstanceRecord>): Promise<void> {
    const known = await record();
    await writeFile(places.record, JSON.stringify(content(known)));
  }

  test('a key that was lost is made anew, and the old one is gone', async () => {
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

  test('a key that n8n no longer takes is replaced', async () => {
    await keep();
    await ready();
    await stop();
    await change((known) => ({ ...known, apiKey: 'revoked' }));
    await keep();
    await ready();
    expect((await record()).apiKey).toBe('raw-2');
  });

  test('an owner with another password is said at once, with what to do', async () => {
    await keep();
    await ready();
    await stop();
    await change(({ apiKey: _, ...rest }) => ({ ...rest, password: 'another' }));
    const { ended } = await keep();
    await expect(ended).rejects.toThrow('email and password into the record');
    expect(names().at(-1)).toBe('failed');
    await expect(awaitLocal(places)).rejects.toThrow('email and password into the record');
  });

  test('a record that was lost takes the encryption key of the data that is there', async () => {
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

  test('a record that is damaged is not written over', async () => {
    await mkdir(dirname(places.record), { recursive: true });
    await writeFile(places.record, '{"email": "me"}');
    const { ended } = await keep();
    await expect(ended).rejects.toThrow(`${places.record} is damaged: encryptionKey`);
    expect(await readFile(places.record, 'utf8')).toBe('{"email": "me"}');
  });
});

test('one that crashes is started again, at the same address', async () => {
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

test('one that hangs is ended and started again, though it does not even hear that it is to end', async () => {
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

test('one that never starts is given up after three times, with its last words', async () => {
  const { ended } = await keep({ extra: { FAKE_N8N: 'crash' } });
  await expect(ended).rejects.toThrow(/n8n does not start\. .*the database is on holiday/);
  expect(names()).toEqual(['preparing', 'starting', 'restarting', 'starting', 'restarting', 'starting', 'failed']);
  expect(await readFile(places.log, 'utf8')).toMatch(/(fake n8n starts[^]*){3}/);
});

test('only one process keeps it', async () => {
  await keep();
  expect(await keepN8n(options)).toBeUndefined();
});

test('stopping it while it starts leaves nothing', async () => {
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
  test('a port that is asked for and taken is said, and nothing is started', async () => {
    const { port } = await occupied;
    const { ended } = await keep({ port });
    await expect(ended).rejects.toThrow(`Port ${port} is taken.`);
    expect(names()).toEqual(['preparing', 'failed']);
  });

  test('a port of the last time that is taken now is replaced', async () => {
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

test('what belongs to a gateway is not stopped by anyone else', async () => {
  await keep({ keptBy: 'gateway' });
  await ready();
  await expect(stopLocal(places)).rejects.toThrow('belongs to `sluice serve --with-n8n`');
  expect(await lookAtLocal(places)).toMatchObject({ state: 'ready' });
});

describe('to whoever looks on', () => {
  const seen: LocalSight[] = [];
  const watch = (expected: boolean) =>
    watchLocal(places, { expected, onChange: async (sight) => void seen.push(sight) });
  const never = () => new AbortController().signal;
  beforeEach(() => void seen.splice(0));

  test('it comes and goes by itself, and leaves no trace in a home that has none', async () => {
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

  test('it is waited for where it is about to be started, whatever is left of the one before', async () => {
    await keep();
    await expect.poll(names).toContain('ready');
    await stop();
    // Times of two that follow at once may be the same.
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

  test('one that does not start is no longer waited for, and says why', async () => {
    using local = watch(true);
    const up = local.untilUp(never());
    const failing = await keep({ extra: { FAKE_N8N: 'crash' } });
    await expect(up).rejects.toThrow('the database is on holiday');
    await expect(failing.ended).rejects.toThrow('n8n does not start');
  });

  test('whoever gives up waiting does not wait', async () => {
    using local = watch(true);
    await expect(local.untilUp(AbortSignal.abort())).rejects.toThrow('aborted');
  });
});
