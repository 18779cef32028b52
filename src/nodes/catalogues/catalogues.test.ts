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
  it('are built on first use, and report progress until then', async () => {
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

  it('exist once per n8n', async () => {
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

  it('are built again when the nodes of an n8n have changed, after a build that may have read the old ones', async () => {
    instances = ['default'];
    build(instanceCatalogue(home, 'default'), '1.1.1');
    await writeChoice(home, 'default', { from: 'instance' });
    catalogues.refresh('default');
    expect(asked).toEqual(['default']);
    expect(catalogues.get().origin.n8n).toBe('1.1.1');
    catalogues.refresh('default');
    expect(asked).toHaveLength(1);
    work.done();
    await expect.poll(() => asked).toHaveLength(2);
    automatic = false;
    work.done();
    await Promise.resolve();
    catalogues.refresh('default');
    expect(asked).toHaveLength(2);
  });

  it('report a failure and retry with back-off', async () => {
    vi.useFakeTimers();
    expect(catalogues.state()).toMatchObject({ state: 'building' });
    work.fail(new AppError('unavailable', 'npm cannot reach its registry.'));
    await vi.advanceTimersByTimeAsync(0);
    expect(() => catalogues.get()).toThrow('npm cannot reach its registry. Sluice retries in 30 s');
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

  it('stay in use while a new one is built, and if that fails', async () => {
    instances = ['default'];
    build(instanceCatalogue(home, 'default'), '1.1.1');
    await writeChoice(home, 'default', { from: 'instance' });
    catalogues.check();
    expect(catalogues.get().origin.n8n).toBe('1.1.1');
    work.fail(new Error('no'));
    await Promise.resolve();
    expect(catalogues.get().origin.n8n).toBe('1.1.1');
  });

  it('are replaced after a build', async () => {
    instances = ['default'];
    const file = instanceCatalogue(home, 'default');
    build(file, '1.1.1');
    await writeChoice(home, 'default', { from: 'instance' });
    const before = catalogues.get();
    catalogues.check();
    build(file, '1.1.2');
    work.done();
    await expect.poll(() => catalogues.get().origin.n8n).toBe('1.1.2');
    // A call may still be reading it.
    expect(before.description('a.b')).toBeDefined();
    before.close();
  });

  it('are used as soon as they are usable, while extras are still being built', async () => {
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

  it('are reopened when another process has replaced the file, and stay open when it is deleted', async () => {
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

  it('change as soon as another version is pinned', () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    build(packageCatalogue(home, '1.0.0'), '1.0.0');
    expect(catalogues.get().origin.n8n).toBe('1.0.0');
    pinned = '2.0.0';
    vi.setSystemTime(Date.now() + 2000);
    expect(() => catalogues.get()).toThrow('being built');
    build(packageCatalogue(home, '2.0.0'), '2.0.0');
    expect(catalogues.get().origin.n8n).toBe('2.0.0');
  });

  it('fall back to the pinned version for tools that only describe nodes', async () => {
    instances = ['lab'];
    const told = catalogues.nearest();
    work.fail(new AppError('unavailable', 'n8n (lab) cannot be reached.'));
    await expect.poll(() => asked).toEqual(['lab', undefined]);
    build(packageCatalogue(home, '1.0.0'), '1.0.0');
    work.done();
    const { catalogue, note } = await told;
    expect(catalogue.origin.n8n).toBe('1.0.0');
    expect(note).toContain('This describes n8n 1.0.0; lab may run another version.');
    expect(note).toContain('cannot be reached');
    // Validation must not use the catalogue of another n8n.
    await expect(catalogues.ready('lab')).rejects.toThrow('cannot be reached');
    expect(catalogues.state('lab').state).toBe('failed');
    build(instanceCatalogue(home, 'lab'), '1.1.1');
    await writeChoice(home, 'lab', { from: 'instance' });
    expect(await catalogues.nearest('lab')).toEqual({ catalogue: catalogues.get('lab') });
  });

  it('let a caller wait, and report progress', async () => {
    const heard: [number, string | undefined][] = [];
    const got = catalogues.ready(undefined, { progress: (done, _, words) => heard.push([done, words]) });
    await vi.waitFor(() => expect(heard).toHaveLength(1));
    work.tell('fetching it', 1, 6);
    await vi.waitFor(() => expect(heard).toHaveLength(2));
    expect(heard[1]?.[1]).toContain('fetching it (1 of 6)');
    // The waiting tool's own numbers are greater.
    expect(heard.map(([done]) => done)).toEqual([0.5, 1 - 1 / 3]);
    build(packageCatalogue(home, '1.0.0'), '1.0.0');
    work.done();
    expect((await got).origin.n8n).toBe('1.0.0');
  });

  it('are waited for at most 55 s', async () => {
    vi.useFakeTimers();
    const asked = catalogues.ready().catch((error: unknown) => String(error));
    await vi.advanceTimersByTimeAsync(56_000);
    expect(await asked).toContain('It was not ready after 55 s. Try again in a minute');
    const stopping = new AbortController();
    const stopped = catalogues.ready(undefined, { signal: stopping.signal }).catch((error: unknown) => String(error));
    stopping.abort();
    expect(await stopped).toContain('AbortError');
  });

  it('are built as soon as an n8n answers, but not while it is starting', async () => {
    vi.useFakeTimers();
    instances = ['default'];
    starting = true;
    expect(catalogues.state()).toMatchObject({ state: 'building', step: 'waiting for n8n to start' });
    catalogues.check();
    expect(asked).toEqual([]);
    starting = false;
    catalogues.found('default');
    await vi.advanceTimersByTimeAsync(1000);
    expect(asked).toEqual(['default']);
    work.fail(new AppError('unavailable', 'n8n (default) cannot be reached.'));
    await vi.advanceTimersByTimeAsync(0);
    // n8n is back: build now instead of waiting half a minute for the next retry.
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

  it('are updated if another release prepared them', () => {
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

  it('are completed once if extras are missing', () => {
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

  it('are built only by hand if the configuration says so', () => {
    automatic = false;
    expect(() => catalogues.get()).toThrow('`sluice nodes sync` builds it');
    catalogues.check();
    expect(asked).toEqual([]);
    expect(catalogues.health()).toMatchObject([{ name: 'node catalogue', state: 'off' }]);
  });

  describe('when nobody uses them', () => {
    const idleMs = 120_000;
    beforeEach(() => {
      vi.useFakeTimers();
      build(packageCatalogue(home, '1.0.0'), '1.0.0');
    });

    it('are dropped, and opened again with the next question', async () => {
      const before = catalogues.get();
      await vi.advanceTimersByTimeAsync(idleMs - 1);
      expect(catalogues.get()).toBe(before);
      await vi.advanceTimersByTimeAsync(idleMs);
      const after = catalogues.get();
      expect(after).not.toBe(before);
      expect(after.description('a.b')).toEqual(before.description('a.b'));
      // A call that has been reading it since before that goes on.
      expect(before.database.isOpen).toBe(true);
      expect(asked).toEqual([]);
    });

    it('report their health without being opened', async () => {
      const before = catalogues.get();
      const ready = catalogues.health();
      expect(ready).toMatchObject([{ state: 'ready', detail: 'n8n 1.0.0' }]);
      for (let passed = 0; passed <= idleMs; passed += 10_000) {
        await vi.advanceTimersByTimeAsync(10_000);
        expect(catalogues.health()).toEqual(ready);
      }
      expect(vi.getTimerCount()).toBe(0);
      expect(catalogues.get()).not.toBe(before);
    });

    it('are replaced or rebuilt if the file has changed meanwhile', async () => {
      const file = packageCatalogue(home, '1.0.0');
      catalogues.get();
      await vi.advanceTimersByTimeAsync(idleMs);
      build(file, '1.0.0');
      const database = new DatabaseSync(file);
      database.exec("UPDATE meta SET value = 'older' WHERE key = 'essentials'");
      database.close();
      expect(catalogues.get().essentials).toBeUndefined();
      await vi.advanceTimersByTimeAsync(idleMs);
      rmSync(file);
      expect(catalogues.health()).toMatchObject([{ state: 'off' }]);
      expect(() => catalogues.get()).toThrow('being built');
    });

    it('are rebuilt if the file was damaged just before it is opened again', async () => {
      const file = packageCatalogue(home, '1.0.0');
      catalogues.get();
      await vi.advanceTimersByTimeAsync(idleMs);
      catalogues.health();
      writeFileSync(file, 'no database');
      expect(() => catalogues.get()).toThrow('being built');
    });
  });

  it('are rebuilt if the file is damaged', () => {
    build(packageCatalogue(home, '1.0.0'), '1.0.0');
    writeFileSync(packageCatalogue(home, '1.0.0'), 'no database');
    expect(() => catalogues.get()).toThrow('being built');
  });
});
