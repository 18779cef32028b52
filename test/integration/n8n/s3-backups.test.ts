import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, rmdir, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { type OpenBackups, openBackups } from '../../../src/n8n/backups/open-backups.ts';
import { openBucket } from '../../../src/n8n/backups/s3/bucket.ts';
import type { S3Settings } from '../../../src/n8n/backups/s3/settings.ts';
import type { BackupSettings } from '../../../src/n8n/backups/settings.ts';
import type { Workflow } from '../../../src/n8n/client/shapes.ts';
import { CANARY, s3IsMissing, startS3, type TestS3 } from '../../support/s3.ts';
import { cut, faultsBefore, type S3Faults, times, xml } from '../../support/s3-faults.ts';

const patience = { idleMs: 5000, attempts: 2, wait: { first: 20, most: 50 } };

const workflow = (name: string, id = 'w1', more: Partial<Workflow> = {}): Workflow => ({
  id,
  name,
  active: false,
  isArchived: false,
  nodes: [],
  connections: {},
  ...more,
});

async function* some<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

describe.skipIf(s3IsMissing())('backups in S3', () => {
  let s3: TestS3;
  let faults: S3Faults;
  let directory: string;
  let settings: S3Settings & { keep: number };
  let facts: { type: string; reason?: string; waiting?: number }[];
  const open: OpenBackups[] = [];

  /** A process with these settings. */
  async function started(change: Partial<BackupSettings> = {}, ofS3: object = {}): Promise<OpenBackups> {
    const now = { directory, keep: 10, ...change, s3: { ...settings, ...ofS3 } };
    const opened = openBackups(() => now, {
      events: { record: (fact) => void facts.push(fact) },
      redact: (text) => text,
      patience,
    });
    open.push(opened);
    await opened.begin();
    return opened;
  }
  const stems = async () => (await s3.keys(settings)).map((key) => key.replace('.json', '')).sort();
  const eventually = <T>(look: () => T | Promise<T>) => vi.waitFor(look, { timeout: 15_000, interval: 30 });
  const ready = (opened: OpenBackups) =>
    eventually(() =>
      expect(opened.health()[0]).toMatchObject({ state: 'ready', detail: expect.not.stringContaining('wait') }),
    );
  const away = () => {
    faults.fault = cut;
  };

  beforeAll(async () => {
    s3 = await startS3();
    faults = await faultsBefore(s3.endpoint);
  });

  beforeEach(async () => {
    directory = await mkdtemp(join(tmpdir(), 'sluice-backups-'));
    settings = { ...s3.settings(), endpoint: faults.endpoint };
    facts = [];
    faults.fault = undefined;
    faults.seen.length = 0;
  });

  afterEach(async () => {
    faults.fault = undefined;
    for (const each of open.splice(0)) await each[Symbol.asyncDispose]();
    await rm(directory, { recursive: true, force: true });
  });

  afterAll(async () => {
    await faults?.[Symbol.asyncDispose]();
    await s3?.[Symbol.asyncDispose]();
  });

  it('are copies of those on disk, and are read if the disk has none', async () => {
    const opened = await started();
    const { backups } = opened;
    const id = await backups.keep('default', workflow('first'), 'update');
    const { id: whole } = await backups.keepInstance('default', {
      tags: [],
      credentials: [],
      workflows: some(workflow('a'), workflow('b', 'w2')),
      dataTables: some(),
    });
    await ready(opened);
    expect((await backups.list({})).found).toEqual([{ id, why: 'first of the day', where: ['disk', 's3'] }]);
    await rm(directory, { recursive: true });
    const { found } = await backups.list({ workflow: 'w1' });
    expect(found).toEqual([{ id, why: 'first of the day', where: ['s3'] }]);
    expect(await backups.note(found[0] as never)).toMatchObject({
      name: 'first',
      workflow: 'w1',
      bytes: expect.any(Number),
    });
    expect((await backups.read(id)).content).toEqual(workflow('first'));
    expect((await backups.read(whole, 'w2')).content).toEqual(workflow('b', 'w2'));
    await expect(backups.read(whole, 'w3')).rejects.toThrow(/no workflow w3\..*w2/);
    expect((await backups.list({}, 'instance')).found).toMatchObject([{ id: whole, where: ['s3'] }]);
  });

  it('wait while S3 is away, which stops no change, and arrive when it is back', async () => {
    away();
    const opened = await started();
    const ids = [];
    for (const name of ['a', 'b', 'c']) ids.push(await opened.backups.keep('default', workflow(name), 'update'));
    await eventually(() => expect(opened.health()[0]?.state).toBe('degraded'));
    expect(opened.health()).toMatchObject([
      {
        name: 'backups s3',
        detail: expect.stringContaining('at least 3 backups wait for S3'),
        lastError: { message: expect.stringMatching(/^at least 3 backups wait for S3: S3 at .*closed the connection/) },
        retryAt: expect.any(String),
      },
    ]);
    const { found, unasked } = await opened.backups.list({});
    expect(found.map(({ where }) => where)).toEqual([['disk'], ['disk'], ['disk']]);
    expect(unasked).toMatch(/closed the connection/);
    faults.fault = undefined;
    await ready(opened);
    expect(await stems()).toEqual(ids.sort());
    expect(facts.map(({ type }) => type)).toEqual(['n8n.backups_s3_failed', 'n8n.backups_s3_recovered']);
    expect(JSON.stringify([facts, opened.health(), unasked])).not.toContain(CANARY);
  });

  it('that waited are copied by the next process', async () => {
    away();
    const first = await started();
    const id = await first.backups.keep('default', workflow('a'), 'update');
    await eventually(() => expect(facts).toHaveLength(1));
    await first[Symbol.asyncDispose]();
    const second = await started();
    await eventually(() => expect(second.health()[0]?.detail).toContain('older backups may wait for S3'));
    faults.fault = undefined;
    await ready(second);
    expect(await stems()).toEqual([id]);
  });

  it('that wait are not deleted on disk, unless S3 would delete them, too', async () => {
    away();
    const opened = await started({ keep: 2 }, { keep: 4 });
    for (let at = 0; at < 8; at++) await opened.backups.keep('default', workflow(`n${at}`), 'update');
    // The first of the day counts apart.
    expect((await opened.backups.list({})).found).toHaveLength(4 + 1);
    faults.fault = undefined;
    await ready(opened);
    await eventually(async () => {
      const { found } = await opened.backups.list({});
      expect(found.filter(({ where }) => where.includes('s3'))).toHaveLength(4 + 1);
      expect(found.filter(({ where }) => where.includes('disk'))).toHaveLength(2 + 1);
    });
  });

  it('are kept by their own limits, and pruned in both places', async () => {
    const opened = await started({ keep: 2 }, { keep: 4 });
    const { backups } = opened;
    for (let at = 0; at < 7; at++) {
      await backups.keep('default', workflow(`n${at}`), 'update');
      await ready(opened);
    }
    await eventually(async () => expect(await stems()).toHaveLength(4 + 1));
    expect(await backups.prune({}, {}, { all: false, dryRun: true })).toMatchObject({ ids: [], kept: 5 });
    const pruned = await backups.prune({}, { keep: 1 }, { all: true, dryRun: false });
    expect(pruned).toMatchObject({ kept: 1, ids: { length: 4 } });
    expect((await backups.list({})).found).toMatchObject([{ where: ['disk', 's3'] }]);
    // A new process does not copy again what was pruned.
    await ready(await started({ keep: 2 }, { keep: 4 }));
    expect(await stems()).toHaveLength(1);
    away();
    await backups.keep('default', workflow('later'), 'asked');
    expect(await backups.prune({}, { keep: 1 }, { all: true, dryRun: false })).toMatchObject({
      ids: { length: 1 },
      unasked: expect.stringMatching(/closed/),
    });
  });

  it('of another Sluice in the same bucket are pruned only if they are named', async () => {
    const other = await started({}, { mode: 'required' });
    for (const name of ['a', 'b']) await other.backups.keep('theirs', workflow(name), 'asked');
    directory = await mkdtemp(join(tmpdir(), 'sluice-backups-'));
    const own = await started();
    for (const name of ['a', 'b']) await own.backups.keep('ours', workflow(name), 'asked');
    await ready(own);
    const options = { all: true, dryRun: false, instances: ['ours'] };
    expect(await own.backups.prune({}, { keep: 1 }, options)).toMatchObject({ ids: { length: 1 }, kept: 1 });
    expect((await own.backups.list({ instance: 'theirs' })).found).toHaveLength(2);
    const only = await started({}, { mode: 'only' });
    expect(await only.backups.prune({}, { keep: 1 }, options)).toMatchObject({ ids: [], kept: 1, others: ['theirs'] });
    expect(await only.backups.prune({ instance: 'theirs' }, { keep: 1 }, options)).toMatchObject({ kept: 1 });
    expect((await own.backups.list({ instance: 'theirs' })).found).toHaveLength(1);
  });

  it('can be required before a change', async () => {
    const { backups } = await started({}, { mode: 'required' });
    const id = await backups.keep('default', workflow('a'), 'update');
    expect(await stems()).toEqual([id]);
    away();
    const failed = backups.keep('default', workflow('b'), 'update');
    await expect(failed).rejects.toThrow(/closed the connection.*nothing was changed/);
    faults.fault = undefined;
    // The same state again: its backup is on disk, and has to be in S3 before the change.
    const again = await backups.take('default', workflow('b'), 'update');
    expect(again.isNew).toBe(false);
    expect(await stems()).toEqual([id, again.id].sort());
  });

  it('can be the only ones, under any names', async () => {
    const { backups } = await started({ keep: 2 }, { mode: 'only', keep: 2 });
    const odd = ['../../up', '.', 'ä/ö %41+~', "a b!'()*", 'x'.repeat(300), '@instance'];
    for (const name of odd) {
      const id = await backups.keep(name, workflow('N', name), 'asked');
      expect((await backups.read(id)).content.id).toBe(name);
      expect((await backups.list({ instance: name, workflow: name })).found).toMatchObject([{ id, where: ['s3'] }]);
      expect((await backups.take(name, workflow('N', name), 'asked')).isNew).toBe(false);
    }
    expect((await backups.list({})).found).toHaveLength(odd.length);
    for (let at = 0; at < 4; at++) await backups.keep('default', workflow(`n${at}`, 'many'), 'update');
    expect((await backups.list({ workflow: 'many' })).found).toHaveLength(2 + 1);
    expect(existsSync(join(directory, 'default'))).toBe(false);
    // The backup is there: that an old one cannot be deleted stops no change.
    faults.fault = times(99, /^DELETE/, xml(403, 'AccessDenied'));
    const latest = await backups.keep('default', workflow('latest', 'many'), 'update');
    expect((await backups.list({ workflow: 'many' })).found[0]).toMatchObject({ id: latest });
    away();
    await expect(backups.keep('default', workflow('never'), 'update')).rejects.toMatchObject({ code: 'unavailable' });
    await eventually(() => expect(facts.map(({ type }) => type)).toEqual(['n8n.backups_s3_failed']));
  });

  it('of a whole n8n go up while they are read, and single workflows come out of them', async () => {
    const { backups } = await started({}, { mode: 'only' });
    const filler = 'x'.repeat(1024 * 1024);
    const large = Array.from({ length: 20 }, (_, at) => workflow(`large ${at}`, `w${at}`, { staticData: { filler } }));
    const note = await backups.keepInstance('default', {
      tags: [],
      credentials: [],
      workflows: some(...large),
      dataTables: some({ table: { id: 't' }, rows: some({ city: 'Rome' }) }),
    });
    expect(note.bytes).toBeGreaterThan(20 * 1024 * 1024);
    const { name, content } = await backups.read(note.id, 'w19');
    expect(name).toBe('large 19');
    expect(content).toEqual(large[19]);
  });

  it('replace a damaged file, but a damaged file is never copied', async () => {
    const first = await started();
    const good = await first.backups.keep('default', workflow('good'), 'asked');
    await ready(first);
    await truncate(join(directory, `${good}.json`), 200);
    expect((await first.backups.read(good)).name).toBe('good');
    await rm(join(directory, `${good}.json`));
    await mkdir(join(directory, `${good}.json`));
    expect((await first.backups.read(good)).name).toBe('good');
    await rmdir(join(directory, `${good}.json`));
    const bad = await first.backups.keep('default', workflow('bad', 'w2'), 'asked');
    await ready(first);
    using bucket = openBucket({ ...settings, endpoint: s3.endpoint });
    await bucket.remove(`${settings.prefix}${bad}.json`);
    const path = join(directory, `${bad}.json`);
    await writeFile(path, (await readFile(path, 'utf8')).replace('bad', 'sad'));
    await ready(await started());
    expect(await stems()).toEqual([good]);
    await expect(first.backups.read(bad)).rejects.toThrow(/checksum/);
  });

  it('leave nothing to see if the process is killed in the middle, and its parts are given up later', async () => {
    const inMiddle = Promise.withResolvers<void>();
    faults.fault = times(1, /partNumber=2/, (asked) => {
      asked.resume();
      inMiddle.resolve();
      return true;
    });
    const key = `${settings.prefix}default/w1/20260101T000000000Z-asked-abcdef.json`;
    const { keep: _, ...section } = settings;
    const fixture = join(import.meta.dirname, '../../fixtures/s3-upload.ts');
    const child = spawn(process.execPath, [fixture, JSON.stringify(section), key], { stdio: 'inherit' });
    await inMiddle.promise;
    child.kill('SIGKILL');
    await once(child, 'exit');
    expect(await stems()).toEqual([]);
    using bucket = openBucket(settings);
    const isOurs = (each: string) => each === key;
    await bucket.abandon(settings.prefix, isOurs, Date.now() - 60_000);
    expect(faults.seen.at(-1)).toMatch(/^GET .*uploads/);
    await bucket.abandon(settings.prefix, isOurs, Date.now() + 60_000);
    expect(faults.seen.at(-1)).toMatch(/^DELETE .*uploadId=/);
    faults.seen.length = 0;
    await bucket.abandon(settings.prefix, isOurs, Date.now() + 60_000);
    expect(faults.seen).toHaveLength(1);
  });

  it('are checked by writing, reading and deleting', async () => {
    const opened = await started();
    expect(await opened.check(AbortSignal.timeout(10_000))).toMatchObject([{ check: 'backups s3', result: 'ok' }]);
    expect(await stems()).toEqual([]);
    const [wrong] = await (await started({}, { secretAccessKey: 'canary' })).check(AbortSignal.timeout(10_000));
    expect(wrong).toMatchObject({ result: 'failed', detail: expect.stringMatching(/secretAccessKey/) });
    expect(JSON.stringify(wrong)).not.toContain('canary');
  });
});
