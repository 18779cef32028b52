import { appendFile, mkdir, mkdtemp, open, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Workflow } from '../client/shapes.ts';
import type { BackupKind } from './backup-id.ts';
import type { BackupFilter, BackupNote, Backups, Found } from './backups.ts';
import { openBackups } from './open-backups.ts';
import type { BackupSettings } from './settings.ts';
import type { OpenFile } from './whole-file.ts';

let directory: string;

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), 'sluice-backups-'));
});

afterEach(() => rm(directory, { recursive: true, force: true }));

const workflow = (name = 'Invoices', change: Partial<Workflow> = {}): Workflow => ({
  id: 'w1',
  name,
  active: true,
  isArchived: false,
  nodes: [{ id: 'n', name: 'Start', type: 'start', parameters: { code: 'line\nline' } }],
  connections: {},
  updatedAt: '2026-01-01T00:00:00.000Z',
  ...change,
});

const backups = (change: Partial<BackupSettings> = {}, openFile?: OpenFile): Backups =>
  openBackups(() => ({ directory, keep: 10, ...change }), { redact: (text) => text, ...(openFile && { openFile }) })
    .backups;

const idsIn = async (store: Backups, filter: BackupFilter = {}, of?: BackupKind): Promise<string[]> =>
  (await store.list(filter, of)).found.map(({ id }) => id);

async function noteOf(store: Backups, wanted: string): Promise<BackupNote | undefined> {
  const found = (await store.list({})).found.find(({ id }) => id === wanted);
  return found && store.note(found);
}

const fileOf = (id: string) => join(directory, `${id}.json`);

async function* some<T>(...items: T[]): AsyncGenerator<T> {
  yield* items;
}

/** A disk with room for this many bytes. */
function fullAfter(room: number): OpenFile {
  return async (path, flags, mode) => {
    const handle = await open(path, flags, mode);
    const write = handle.writeFile.bind(handle);
    handle.writeFile = async (data) => {
      room -= (data as Buffer).length;
      if (room < 0) throw Object.assign(new Error('no space left on device'), { code: 'ENOSPC' });
      await write(data);
    };
    return handle;
  };
}

describe('backups', () => {
  it('return what was saved', async () => {
    const store = backups();
    const id = await store.keep('default', workflow(), 'update');
    expect(id).toMatch(/^default\/w1\/\d{8}T\d{9}Z-update-[0-9a-f]{6}$/);
    const { content, ...note } = await store.read(id);
    expect(content).toEqual(workflow());
    expect(note).toMatchObject({
      id,
      instance: 'default',
      workflow: 'w1',
      name: 'Invoices',
      reason: 'update',
      nodes: 1,
    });
    expect(await noteOf(store, id)).toMatchObject({ ...note, why: 'first of the day', where: ['disk'] });
  });

  it('are readable only by their owner', async () => {
    const id = await backups().keep('default', workflow(), 'update');
    expect((await stat(fileOf(id))).mode & 0o777).toBe(0o600);
    expect((await stat(join(directory, 'default'))).mode & 0o777).toBe(0o700);
  });

  it('are plain JSON', async () => {
    const id = await backups().keep('default', workflow(), 'update');
    expect(JSON.parse(await readFile(fileOf(id), 'utf8'))).toMatchObject({
      kind: 'sluice.workflow',
      workflow: workflow(),
    });
  });

  it('are not written again for the same content, even if counters of n8n changed', async () => {
    const store = backups();
    const first = await store.take('default', workflow(), 'update');
    const same = await store.take('default', workflow('Invoices', { updatedAt: 'later', triggerCount: 3 }), 'edit');
    expect(same).toEqual({ id: first.id, isNew: false });
    const other = await store.take('default', workflow('Invoices', { staticData: { seen: 1 } }), 'edit');
    expect(other.isNew).toBe(true);
  });

  it('are written again if the last one is damaged', async () => {
    const store = backups();
    const first = await store.take('default', workflow(), 'update');
    await truncate(fileOf(first.id), 300);
    expect((await store.take('default', workflow(), 'update')).isNew).toBe(true);
  });

  it('are separate for each instance and workflow, whatever their names', async () => {
    const store = backups();
    const odd = ['../../up', '.', '..', 'ä/ö', 'a b', 'x'.repeat(300), '@instance'];
    for (const instance of odd) {
      const id = await store.keep(instance, workflow('N', { id: instance }), 'asked');
      expect((await store.read(id)).content.id).toBe(instance);
      expect(await idsIn(store, { instance, workflow: instance })).toEqual([id]);
    }
    expect(await idsIn(store)).toHaveLength(odd.length);
    expect((await readdir(directory)).every((name) => !name.startsWith('.'))).toBe(true);
  });

  it('list the newest first', async () => {
    const store = backups();
    const ids: string[] = [];
    for (const name of ['a', 'b', 'c']) ids.unshift(await store.keep('default', workflow(name), 'update'));
    expect(await idsIn(store, { workflow: 'w1' })).toEqual(ids);
  });

  it('are pruned by number, oldest first, except for the state before the first change of the day', async () => {
    const store = backups({ keep: 3 });
    for (const name of ['a', 'b', 'c', 'd', 'e']) await store.keep('default', workflow(name), 'update');
    const notes = await Promise.all((await store.list({})).found.map(store.note));
    expect(notes.map(({ name, why }) => [name, why])).toEqual([
      ['e', 'automatic'],
      ['d', 'automatic'],
      ['c', 'automatic'],
      ['a', 'first of the day'],
    ]);
  });

  it('that were asked for are not replaced by automatic ones, even if the content is the same', async () => {
    const store = backups({ keep: 2 });
    await store.keep('default', workflow('a'), 'update');
    const automatic = await store.keep('default', workflow('b'), 'update');
    const asked = await store.take('default', workflow('b'), 'asked');
    expect(asked).toMatchObject({ isNew: true });
    expect(asked.id).not.toBe(automatic);
    expect(await store.take('default', workflow('b'), 'asked')).toEqual({ id: asked.id, isNew: false });
    for (let index = 0; index < 12; index++) await store.keep('default', workflow(`n${index}`), 'update');
    expect(await noteOf(store, asked.id)).toMatchObject({ name: 'b', why: 'asked for' });
    expect(await noteOf(store, automatic)).toBeUndefined();
    expect(await store.prune({}, { keep: 1 }, { all: false, dryRun: true })).toMatchObject({
      ids: [expect.anything()],
    });
    expect(await store.prune({}, { keep: 1 }, { all: true, dryRun: false })).toMatchObject({ kept: 1 });
  });

  it('include the state before the first change of each day, even if it is that of the day before', async () => {
    const store = backups();
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 14, 18) });
    try {
      await store.keep('default', workflow('a'), 'update');
      const last = await store.take('default', workflow('b'), 'asked');
      vi.setSystemTime(new Date(2026, 10, 15, 9));
      const first = await store.take('default', workflow('b'), 'edit');
      expect(first.isNew).toBe(true);
      expect(first.id).not.toBe(last.id);
      expect(await store.take('default', workflow('b'), 'edit')).toEqual({ id: first.id, isNew: false });
      expect((await noteOf(store, first.id))?.why).toBe('first of the day');
      vi.setSystemTime(new Date(2026, 10, 23, 9));
      expect((await noteOf(store, first.id))?.why).toBe('automatic');
    } finally {
      vi.useRealTimers();
    }
  });

  it('stay in order if the clock goes back', async () => {
    vi.useFakeTimers({ toFake: ['Date'], now: new Date(2026, 10, 15, 9) });
    try {
      for (const name of ['a', 'b']) await backups().keep('default', workflow(name), 'update');
      vi.setSystemTime(new Date(2026, 10, 15, 8));
      // Another process, which knows the time of the first one only from its files.
      const store = backups({ keep: 1 });
      for (const name of ['c', 'd']) await store.keep('default', workflow(name), 'update');
      const names = (await idsIn(store)).map(async (id) => (await store.read(id)).name);
      // The first of the day, and the newest.
      expect(await Promise.all(names)).toEqual(['d', 'a']);
      expect(await store.take('default', workflow('d'), 'update')).toMatchObject({ isNew: false });
    } finally {
      vi.useRealTimers();
    }
  });

  describe('at the limit of their size', () => {
    const KB = 1024;
    const large = (id: string, name: string) => workflow(name, { id, description: 'x'.repeat(10 * KB) });
    const namesOf = async (store: Backups, filter: BackupFilter) =>
      Promise.all((await idsIn(store, filter)).map(async (id) => (await store.read(id)).name));

    it('replace the oldest automatic ones of their own workflow, and no others', async () => {
      const store = backups({ maxBytes: 60 * KB });
      await store.keep('default', large('w2', 'other'), 'update');
      await store.keep('default', large('w1', 'first'), 'update');
      await store.keep('default', large('w1', 'asked'), 'asked');
      for (const name of ['a', 'b', 'c', 'd']) await store.keep('default', large('w1', name), 'update');
      expect(await namesOf(store, { workflow: 'w1' })).toEqual(['d', 'c', 'asked', 'first']);
      expect(await namesOf(store, { workflow: 'w2' })).toEqual(['other']);
    });

    it('are refused if only those would be left that must stay', async () => {
      const store = backups({ maxBytes: 60 * KB });
      const kept: string[] = [];
      for (const id of ['a', 'b', 'c', 'd', 'e']) kept.unshift(await store.keep('default', large(id, id), 'delete'));
      for (const reason of ['delete', 'asked'] as const)
        await expect(store.keep('default', large('f', 'f'), reason)).rejects.toMatchObject({
          code: 'conflict',
          message: expect.stringMatching(
            /^There is no room for this backup: all backups may have 0.06 MB.*nothing was changed.*backups\.maxSize/,
          ),
        });
      const whole = { tags: [], credentials: [], workflows: some(large('f', 'f')), dataTables: some<never>() };
      await expect(store.keepInstance('default', whole)).rejects.toMatchObject({ code: 'conflict' });
      expect(await idsIn(store)).toEqual(kept);
      expect(await readdir(join(directory, 'default', 'f')).catch(() => [])).toEqual([]);
      await store.prune({ workflow: 'a' }, {}, { all: true, dryRun: false });
      await rm(fileOf(kept[0] as string));
      // Another process deleted it.
      await store.keep('default', large('f', 'f'), 'delete');
    });

    it('count those that come at the same moment', async () => {
      const store = backups({ maxBytes: 60 * KB });
      const done = await Promise.allSettled(
        Array.from({ length: 20 }, (_, at) => store.keep('default', large(`w${at}`, 'x'), 'delete')),
      );
      expect(done.filter(({ status }) => status === 'fulfilled')).toHaveLength(5);
      expect(await idsIn(store)).toHaveLength(5);
    });
  });

  it('of other workflows are not pruned, nor are files that are not backups', async () => {
    const store = backups();
    await store.keep('default', workflow('a'), 'update');
    await store.keep('default', workflow('b'), 'update');
    await store.keep('default', workflow('other', { id: 'w2' }), 'update');
    await writeFile(join(directory, 'default', 'w1', 'notes.json'), '{}');
    const pruned = await store.prune({ workflow: 'w1' }, { keep: 1 }, { all: true, dryRun: false });
    expect(pruned).toMatchObject({ kept: 1, ids: [expect.stringContaining('w1')] });
    expect(await readdir(join(directory, 'default', 'w1'))).toHaveLength(2);
    expect(await idsIn(store, { workflow: 'w2' })).toHaveLength(1);
  });

  it.each([
    ['a byte was changed', (text: string) => text.replace('Start', 'Stars')],
    ['its checksum was changed', (text: string) => text.replace(/"sha256":"./, '"sha256":"x')],
    ['it was cut off', (text: string) => text.slice(0, -100)],
    ['nothing is left of it', () => ''],
  ])('are refused when %s', async (_, change) => {
    const store = backups();
    const id = await store.keep('default', workflow(), 'update');
    await writeFile(fileOf(id), change(await readFile(fileOf(id), 'utf8')));
    await expect(store.read(id)).rejects.toMatchObject({ code: 'conflict', message: expect.stringMatching(/backup/) });
  });

  it('are refused when something was added', async () => {
    const store = backups();
    const id = await store.keep('default', workflow(), 'update');
    await appendFile(fileOf(id), 'x');
    await expect(store.read(id)).rejects.toThrow(/checksum/);
  });

  it.each(['', 'x', '../../etc/passwd', 'a/b/../../../c', 'default/w1/notes', '/etc/passwd', 'a/b/c/d', './x/y'])(
    'cannot be named %j',
    async (id) => {
      await expect(backups().read(id)).rejects.toMatchObject({ code: 'invalid_input' });
    },
  );

  it('that do not exist are not found', async () => {
    await expect(backups().read('default/w1/20200101T000000000Z-asked-abcdef')).rejects.toMatchObject({
      code: 'not_found',
    });
  });

  describe('on a full disk', () => {
    it.each([0, 200, 500])('leave nothing behind and lose nothing (room for %i bytes)', async (room) => {
      const before = await backups().keep('default', workflow('before'), 'update');
      const failed = backups({}, fullAfter(room)).keep('default', workflow('after'), 'update');
      await expect(failed).rejects.toMatchObject({
        code: 'unavailable',
        message: expect.stringMatching(/disk is full/),
      });
      expect(await readdir(join(directory, 'default', 'w1'))).toHaveLength(1);
      expect((await backups().read(before)).name).toBe('before');
    });

    it('leave the file for git unchanged', async () => {
      const git = join(directory, 'git');
      await backups({ git }).keep('default', workflow('before'), 'update');
      await expect(backups({ git }, fullAfter(20)).keep('default', workflow('after'), 'update')).rejects.toThrow(
        /full/,
      );
      const [file] = await readdir(join(git, 'default', 'workflows'));
      expect(await readFile(join(git, 'default', 'workflows', file as string), 'utf8')).toContain('before');
    });
  });

  it('fail with a clear error if they cannot be written', async () => {
    await mkdir(join(directory, 'default'));
    await writeFile(join(directory, 'default', 'w1'), 'in the way');
    await expect(backups().keep('default', workflow(), 'update')).rejects.toMatchObject({ name: 'AppError' });
  });

  it('of the same workflow at the same moment are all kept', async () => {
    const store = backups({ keep: 50 });
    const ids = await Promise.all(
      Array.from({ length: 20 }, (_, index) => store.keep('default', workflow(`n${index}`), 'update')),
    );
    expect(new Set(ids).size).toBe(20);
    for (const id of ids) expect((await store.read(id)).content.id).toBe('w1');
  });

  it('of a whole n8n hold everything, and single workflows can be read from them', async () => {
    const store = backups();
    const note = await store.keepInstance('default', {
      tags: [{ id: 't', name: 'tag' }],
      credentials: [],
      workflows: some(workflow('a'), workflow('b', { id: 'w2' })),
      dataTables: some({ table: { id: 'd' }, rows: some({ x: 1 }, { x: 2 }) }, { table: { id: 'e' }, rows: some() }),
    });
    const [whole] = (await store.list({}, 'instance')).found;
    expect(await store.wholeNote(whole as Found)).toEqual(note);
    expect(JSON.parse(await readFile(fileOf(note.id), 'utf8'))).toMatchObject({
      dataTables: [
        { table: { id: 'd' }, rows: [{ x: 1 }, { x: 2 }] },
        { table: { id: 'e' }, rows: [] },
      ],
    });
    expect((await store.read(note.id, 'w2')).content).toEqual(workflow('b', { id: 'w2' }));
    await expect(store.read(note.id, 'w3')).rejects.toThrow(/w2/);
    expect(await idsIn(store)).toEqual([]);
  });

  it('of a whole n8n give one data table back, whatever is in it', async () => {
    const store = backups();
    const table = (id: string, name: string) => ({ id, name, columns: [{ id: 'c', name: 'table', type: 'string' }] });
    const odd = [
      { id: 1, table: '"rows":[]},' },
      { id: 2, table: 'two\nlines]}],' },
      { id: 3, table: null },
    ];
    const { id } = await store.keepInstance('default', {
      tags: [],
      credentials: [],
      workflows: some(workflow()),
      dataTables: some(
        { table: table('t0', 'None'), rows: some<unknown>() },
        { table: table('t1', 'Odd'), rows: some<unknown>(...odd) },
        { table: table('t2', 'Last'), rows: some<unknown>({ id: 9, table: 'x' }) },
      ),
    });
    const found = async (wanted: string) => {
      const {
        instance,
        table: { id: of },
        count,
        rows,
      } = await store.readTable(id, wanted);
      return { instance, of, count, rows: await Array.fromAsync(rows()) };
    };
    expect(await found('odd')).toEqual({ instance: 'default', of: 't1', count: 3, rows: odd });
    expect(await found('t0')).toMatchObject({ of: 't0', count: 0, rows: [] });
    expect(await found('Last')).toMatchObject({ rows: [{ id: 9, table: 'x' }] });
    await expect(store.readTable(id, 'other')).rejects.toThrow('has no data table "other". It has None, Odd, Last.');
    await expect(store.readTable(id)).rejects.toThrow(/Say which data table.*It has None, Odd, Last\./);
    await writeFile(fileOf(id), (await readFile(fileOf(id), 'utf8')).replace('"name":"Odd"', '"nam":"Odd"'));
    await expect(store.readTable(id, 'Last')).rejects.toThrow(/checksum/);
  });

  it('of a whole n8n stay until somebody deletes them', async () => {
    const store = backups({ keep: 1 });
    const whole = () =>
      store.keepInstance('default', { tags: [], credentials: [], workflows: some<Workflow>(), dataTables: some() });
    const notes = [await whole(), await whole(), await whole()];
    expect(await idsIn(store, {}, 'instance')).toHaveLength(3);
    expect(await store.prune({}, { keep: 1 }, { all: false, dryRun: false })).toMatchObject({ ids: [] });
    const { ids } = await store.prune({}, { keep: 1 }, { all: true, dryRun: false });
    expect(ids).toEqual([notes[1]?.id, notes[0]?.id]);
    expect(await idsIn(store, {}, 'instance')).toEqual([notes[2]?.id]);
  });

  it('in the git layout are one file per workflow, without noise', async () => {
    const git = join(directory, 'git');
    const store = backups({ git });
    await store.keep('default', workflow(), 'update');
    const path = join(git, 'default', 'workflows', 'w1.json');
    const text = await readFile(path, 'utf8');
    expect(text).not.toContain('updatedAt');
    await store.keep('default', workflow('Invoices', { updatedAt: 'later', versionId: 'v2' }), 'update');
    expect(await readFile(path, 'utf8')).toBe(text);
    await store.keep('default', workflow('Renamed'), 'update');
    expect(await readdir(join(git, 'default', 'workflows'))).toEqual(['w1.json']);
    expect(JSON.parse(await readFile(path, 'utf8'))).toMatchObject({ id: 'w1', name: 'Renamed' });
  });
});
