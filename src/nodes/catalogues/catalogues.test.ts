import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { buildCatalogue } from '../build/build.ts';
import { createCatalogues, type OwnCatalogues, type SyncProgress } from './catalogues.ts';
import { writeChoice } from './choice.ts';
import { instanceCatalogue, packageCatalogue } from './places.ts';

let home: string;
let catalogues: OwnCatalogues;
let asked: (string | undefined)[];
let work: { tell: SyncProgress; done(): void; fail(error: Error): void };
let automatic: boolean;
let instances: string[];
let pinned: string;
let starting: boolean;

beforeEach(() => {
  home = mkdtempSync(join(tmpdir(), 'sluice-catalogues-'));
  asked = [];
  automatic = true;
  instances = [];
  pinned = '1.0.0';
  starting = false;
  catalogues = created();
});

const created = () =>
  createCatalogues({
    home,
    cache: home,
    pinned: () => pinned,
    instances: () => instances,
    isStarting: () => starting,
    automatic: () => automatic,
    sync(instance, tell) {
      asked.push(instance);
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      work = { tell, done: resolve, fail: reject };
      return { ended: promise, stop() {} };
    },
  });

afterEach(() => {
  catalogues[Symbol.dispose]();
  vi.useRealTimers();
  rmSync(home, { recursive: true, force: true });
});

function build(file: string, n8n: string): void {
  const node = { name: 'a.b', displayName: 'B', group: [], version: 1, inputs: [], outputs: [], properties: [] };
  buildCatalogue({ nodes: [node], credentials: [], from: 'packages', n8n }, file);
}

describe('the catalogues of a gateway', () => {
  it('are built when first asked for, and say until then how far that is', async () => {
    expect(() => catalogues.get()).toThrow('being built');
    work.tell('fetching it', 1, 6);
    expect(() => catalogues.get()).toThrow('fetching it (1 of 6)');
    expect(catalogues.state()).toEqual({ state: 'building', step: 'fetching it', done: 1, of: 6 });
    expect(asked).toEqual([undefined]);
    build(packageCatalogue(home, '1.0.0'), '1.0.0');
    work.done();
    await expect.poll(() => catalogues.get().origin.n8n).toBe('1.0.0');
    expect(catalogues.health()).toMatchObject([{ state: 'ready' }]);
  });

  it('are one for each n8n', async () => {
    instances = ['one', 'two'];
    build(instanceCatalogue(home, 'one'), '1.1.1');
    await writeChoice(home, 'one', { from: 'instance' });
    build(packageCatalogue(home, '2.2.2'), '2.2.2');
    await writeChoice(home, 'two', { from: 'packages', n8n: '2.2.2' });
    expect(catalogues.get('one').origin.n8n).toBe('1.1.1');
    expect(catalogues.get('two').origin.n8n).toBe('2.2.2');
    expect(() => catalogues.get()).toThrow('one, two');
    expect(() => catalogues.get('three')).toThrow('There is no n8n three');
    expect(() => catalogues.get('__proto__')).toThrow('There is no n8n __proto__');
    expect(asked).toEqual([]);
  });

  it('say what went wrong, and try again later and later', async () => {
    vi.useFakeTimers();
    expect(catalogues.state()).toMatchObject({ state: 'building' });
    work.fail(new AppError('unavailable', 'npm cannot reach its registry.'));
    await vi.advanceTimersByTimeAsync(0);
    expect(() => catalogues.get()).toThrow('npm cannot reach its registry. It is tried again in 30 s');
    expect(catalogues.health()).toMatchObject([
      { state: 'degraded', lastError: { message: expect.stringContaining('npm cannot reach') as string } },
    ]);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(asked).toHaveLength(2);
    work.fail(new AppError('unavailable', 'Again not.'));
    await vi.advanceTimersByTimeAsync(30_000);
    expect(asked).toHaveLength(2);
    await vi.advanceTimersByTimeAsync(30_000);
    expect(asked).toHaveLength(3);
  });

  it('keep the last one while a new one is built, and when that fails', async () => {
    instances = ['default'];
    build(instanceCatalogue(home, 'default'), '1.1.1');
    await writeChoice(home, 'default', { from: 'instance' });
    catalogues.check();
    expect(catalogues.get().origin.n8n).toBe('1.1.1');
    work.fail(new Error('no'));
    await Promise.resolve();
    expect(catalogues.get().origin.n8n).toBe('1.1.1');
  });

  it('are replaced by what was built', async () => {
    instances = ['default'];
    const file = instanceCatalogue(home, 'default');
    build(file, '1.1.1');
    await writeChoice(home, 'default', { from: 'instance' });
    const before = catalogues.get();
    catalogues.check();
    build(file, '1.1.2');
    work.done();
    await expect.poll(() => catalogues.get().origin.n8n).toBe('1.1.2');
    // Somebody may be in the middle of reading it.
    expect(before.description('a.b')).toBeDefined();
    before.close();
  });

  it('are used as soon as they are there, while what is for later is made', async () => {
    instances = ['default'];
    const file = instanceCatalogue(home, 'default');
    build(file, '1.1.1');
    await writeChoice(home, 'default', { from: 'instance' });
    expect(catalogues.get().origin.n8n).toBe('1.1.1');
    catalogues.check();
    build(file, '1.1.2');
    work.tell('learning', 0, 9);
    expect(catalogues.get().origin.n8n).toBe('1.1.1');
    work.tell('learning', 1, 9, true);
    const used = catalogues.get();
    expect(used.origin.n8n).toBe('1.1.2');
    work.tell('learning', 2, 9, true);
    work.done();
    await Promise.resolve();
    expect(catalogues.get()).toBe(used);
  });

  it('are seen when another process has replaced them, and stay open when they are gone', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    instances = ['default'];
    const file = instanceCatalogue(home, 'default');
    build(file, '1.1.1');
    await writeChoice(home, 'default', { from: 'instance' });
    const before = catalogues.get();
    build(file, '1.1.2');
    vi.setSystemTime(Date.now() + 2000);
    expect(catalogues.get().origin.n8n).toBe('1.1.2');
    before.close();
    rmSync(file);
    vi.setSystemTime(Date.now() + 2000);
    expect(catalogues.get().description('a.b')).toBeDefined();
    writeFileSync(file, 'no database');
    vi.setSystemTime(Date.now() + 2000);
    expect(catalogues.get().origin.n8n).toBe('1.1.2');
    expect(asked).toEqual([]);
  });

  it('are of another version as soon as another one is pinned', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    build(packageCatalogue(home, '1.0.0'), '1.0.0');
    expect(catalogues.get().origin.n8n).toBe('1.0.0');
    pinned = '2.0.0';
    vi.setSystemTime(Date.now() + 2000);
    expect(() => catalogues.get()).toThrow('being built');
    build(packageCatalogue(home, '2.0.0'), '2.0.0');
    expect(catalogues.get().origin.n8n).toBe('2.0.0');
  });

  it('stand in for those of an n8n that cannot be had, where nodes are only told of', async () => {
    instances = ['lab'];
    const told = catalogues.nearest();
    work.fail(new AppError('unavailable', 'n8n (lab) cannot be reached.'));
    await expect.poll(() => asked).toEqual(['lab', undefined]);
    build(packageCatalogue(home, '1.0.0'), '1.0.0');
    work.done();
    const { catalogue, note } = await told;
    expect(catalogue.origin.n8n).toBe('1.0.0');
    expect(note).toContain('This is about n8n 1.0.0, which lab may not be.');
    expect(note).toContain('cannot be reached');
    // Who judges workflows must not take one n8n for another.
    await expect(catalogues.ready('lab')).rejects.toThrow('cannot be reached');
    expect(catalogues.state('lab').state).toBe('failed');
    build(instanceCatalogue(home, 'lab'), '1.1.1');
    await writeChoice(home, 'lab', { from: 'instance' });
    expect(await catalogues.nearest('lab')).toEqual({ catalogue: catalogues.get('lab') });
  });

  it('let whoever needs one wait, and tell how far it is', async () => {
    const heard: [number, string | undefined][] = [];
    const got = catalogues.ready(undefined, { progress: (done, _, words) => heard.push([done, words]) });
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    work.tell('fetching it', 1, 6);
    await vi.waitFor(() => expect(heard).toHaveLength(2));
    expect(heard[1]?.[1]).toContain('fetching it (1 of 6)');
    // The numbers of whoever goes on from there are greater.
    expect(heard.map(([done]) => done)).toEqual([0.5, 1 - 1 / 3]);
    build(packageCatalogue(home, '1.0.0'), '1.0.0');
    work.done();
    expect((await got).origin.n8n).toBe('1.0.0');
  });

  it('are not waited for without end', async () => {
    vi.useFakeTimers();
    const asked = catalogues.ready().catch((error: unknown) => String(error));
    await vi.advanceTimersByTimeAsync(56_000);
    expect(await asked).toContain('It is not there after 55 s. Ask again in a minute');
    const stopping = new AbortController();
    const stopped = catalogues.ready(undefined, { signal: stopping.signal }).catch((error: unknown) => String(error));
    stopping.abort();
    expect(await stopped).toContain('AbortError');
  });

  it('are built as soon as an n8n answers, and not of one that is still starting', async () => {
    vi.useFakeTimers();
    instances = ['default'];
    starting = true;
    expect(catalogues.state()).toMatchObject({ state: 'building', step: 'waiting for n8n, which is starting' });
    catalogues.check();
    expect(asked).toEqual([]);
    starting = false;
    catalogues.found('default');
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual(['default']);
    work.fail(new AppError('unavailable', 'n8n (default) cannot be reached.'));
    await vi.advanceTimersByTimeAsync(0);
    // It was away for a moment: nobody waits half a minute for the next attempt.
    catalogues.found('default');
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual(['default', 'default']);
    build(instanceCatalogue(home, 'default'), '1.1.1');
    await writeChoice(home, 'default', { from: 'instance' });
    work.done();
    await vi.advanceTimersByTimeAsync(0);
    catalogues.found('default');
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toHaveLength(2);
  });

  it('are brought up to date where another release prepared them', () => {
    const file = packageCatalogue(home, '1.0.0');
    build(file, '1.0.0');
    catalogues.check();
    expect(asked).toEqual([]);
    const database = new DatabaseSync(file);
    database.exec("UPDATE meta SET value = 'older' WHERE key = 'essentials'");
    database.close();
    catalogues[Symbol.dispose]();
    catalogues = created();
    expect(catalogues.get().essentials).toBeUndefined();
    catalogues.check();
    expect(asked).toEqual([undefined]);
  });

  it('are completed once where something is missed', () => {
    build(packageCatalogue(home, '1.0.0'), '1.0.0');
    automatic = false;
    catalogues.complete();
    expect(asked).toEqual([]);
    automatic = true;
    catalogues.complete();
    catalogues.complete();
    expect(asked).toEqual([undefined]);
    expect(catalogues.get().origin.n8n).toBe('1.0.0');
  });

  it('are built by hand alone where the configuration says so', () => {
    automatic = false;
    expect(() => catalogues.get()).toThrow('`sluice nodes sync` builds it');
    catalogues.check();
    expect(asked).toEqual([]);
    expect(catalogues.health()).toMatchObject([{ name: 'node catalogue', state: 'off' }]);
  });

  it('are built anew where the file is damaged', () => {
    build(packageCatalogue(home, '1.0.0'), '1.0.0');
    writeFileSync(packageCatalogue(home, '1.0.0'), 'no database');
    expect(() => catalogues.get()).toThrow('being built');
  });
});
