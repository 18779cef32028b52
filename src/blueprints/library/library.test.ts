import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rename, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, test } from 'vitest';
import { openSqlite } from '../../store/sqlite/open.ts';
import type { Principal } from '../../kernel/principal.ts';
import type { Tables } from '../../store/store.ts';
import type { Known } from './known.ts';
import { createLibrary, type Library, type LibraryOptions } from './library.ts';

const table =
  'CREATE TABLE blueprint_definitions (name TEXT PRIMARY KEY, kind TEXT NOT NULL, text TEXT NOT NULL, saved_by TEXT NOT NULL, saved_at BIGINT NOT NULL)';
const migrations = new Map([['test', { sqlite: [table], postgres: [] }]]);

const by = (id: string, ...scopes: string[]): Principal => ({ id, scopes: new Set(scopes) });
const ada = by('ada');

let stack: AsyncDisposableStack;
let home: string;
let folder: string;
let tables: Tables;

beforeEach(async () => {
  stack = new AsyncDisposableStack();
  home = await mkdtemp(join(tmpdir(), 'sluice-library-'));
  stack.defer(() => rm(home, { recursive: true, force: true }));
  folder = join(home, 'blueprints');
  await mkdir(folder);
  ({ tables } = stack.use(await openSqlite(join(home, 'sluice.db'), { migrations })));
});
afterEach(() => stack.disposeAsync());

const open = (more: Partial<LibraryOptions> = {}): Library =>
  stack.use(createLibrary({ folders: [{ path: folder }], tables, ...more }));
const text = (name: string, pause = '1s') => `name: ${name}\nsteps: [{ id: a, wait: ${pause} }]\n`;
const write = (file: string, content: string) => writeFile(join(folder, file), content);
const found = async (library: Library, name: string) => (await library.all()).find((one) => one.name === name);
const msOf = (known: Known | undefined) => {
  const work = known?.definition()?.steps[0]?.work;
  return work?.kind === 'wait' ? work.ms : undefined;
};
const soon = { timeout: 8000, interval: 20 };

describe('files', () => {
  it('are read by their endings, whatever they are called', async () => {
    await write('one.yaml', text('alpha'));
    await write('two.yml', text('beta'));
    await write('three.json', JSON.stringify({ name: 'gamma', steps: [{ id: 'a', wait: '2s' }] }));
    await write('.hidden.yaml', text('hidden'));
    await write('notes.txt', text('notes'));
    const all = await open().all();
    expect(all.map(({ name, origin, kind, file }) => [name, origin, kind, file])).toEqual([
      ['alpha', 'file', 'blueprint', join(folder, 'one.yaml')],
      ['beta', 'file', 'blueprint', join(folder, 'two.yml')],
      ['gamma', 'file', 'blueprint', join(folder, 'three.json')],
    ]);
    expect(msOf(all[2])).toBe(2000);
  });

  it('that are broken are listed with what is wrong, and cannot be deployed', async () => {
    await write('one.yaml', 'name: alpha\nsteps: 1');
    await write('two.yaml', 'name: {');
    const [first, second] = await open().all();
    expect(first).toMatchObject({ name: 'alpha', findings: [{ line: 2, column: 1 }] });
    expect(second).toMatchObject({ name: 'two', findings: [{ severity: 'error' }] });
    expect(first?.definition() ?? second?.definition()).toBeUndefined();
  });

  it('that are half-written still hide what they replace', async () => {
    const shipped = join(home, 'shipped');
    await mkdir(shipped);
    await writeFile(join(shipped, 'a.yaml'), text('a'));
    await write('mine.yaml', 'name: a\nsteps:\n  - { id: a, wait: "1');
    const [known, ...others] = await open({ shipped }).all();
    expect(known).toMatchObject({ name: 'a', origin: 'file', hides: 'shipped' });
    expect([known?.definition(), others]).toEqual([undefined, []]);
  });

  it('with one name are both named, and neither can be deployed', async () => {
    await write('a.yaml', text('same'));
    await write('b.yaml', `# the other\n${text('same')}`);
    const library = open();
    await tables.change(
      "INSERT INTO blueprint_definitions VALUES ('same', 'blueprint', ?, 'ada', 1)",
      text('same', '9s'),
    );
    const all = await library.all();
    expect(all.map(({ file, definition, hides }) => [file, definition(), hides])).toEqual([
      [join(folder, 'a.yaml'), undefined, 'store'],
      [join(folder, 'b.yaml'), undefined, 'store'],
    ]);
    expect(all[1]?.findings[0]).toEqual({
      severity: 'error',
      path: 'name',
      line: 2,
      column: 1,
      message: `"same" is the name of 2 blueprints: ${join(folder, 'a.yaml')}, ${join(folder, 'b.yaml')}`,
      fix: 'Rename one of them.',
    });
  });

  it('that are no definitions at all are problems', async () => {
    await write('large.yaml', `# ${'x'.repeat(256 * 1024)}`);
    await write('bytes.yaml', Buffer.from([0xff, 0xfe, 0x00]).toString('latin1'));
    await writeFile(join(folder, 'bytes.yaml'), Buffer.from([0x61, 0xff]));
    await mkdir(join(folder, 'folder.yaml'));
    execFileSync('mkfifo', [join(folder, 'pipe.yaml')]);
    await writeFile(join(home, 'secret.yaml'), text('secret'));
    await symlink('../secret.yaml', join(folder, 'link.yaml'));
    await symlink('nowhere.yaml', join(folder, 'dangling.yaml'));
    await write('good.yaml', text('good'));
    const library = open();
    expect((await library.all()).map(({ name }) => name)).toEqual(['good']);
    expect(library.problems()).toEqual([
      { where: join(folder, 'bytes.yaml'), message: 'It is not a text in UTF-8.' },
      { where: join(folder, 'folder.yaml'), message: 'It is not a regular file.' },
      { where: join(folder, 'large.yaml'), message: 'It is larger than 256 KB.' },
      {
        where: join(folder, 'link.yaml'),
        message: 'It is a link to a file outside of its folder. Copy the file into the folder.',
      },
      { where: join(folder, 'pipe.yaml'), message: 'It is not a regular file.' },
    ]);
  });

  it('of a folder that does not exist are missed only if it has to', async () => {
    const missing = join(home, 'missing');
    const library = open({ folders: [{ path: missing, optional: true }, { path: `${missing}-2` }] });
    expect(await library.all()).toEqual([]);
    expect(library.problems()).toEqual([
      { where: `${missing}-2`, message: 'There is no such folder. Create it, or correct its path.' },
    ]);
    await mkdir(missing);
    await writeFile(join(missing, 'a.yaml'), text('late'));
    await expect.poll(async () => (await found(library, 'late'))?.name, soon).toBe('late');
  });
});

describe('files that change', () => {
  const pauses = async (library: Library, ms: number) =>
    await expect.poll(async () => msOf(await found(library, 'x')), soon).toBe(ms);

  it('are read again: written in place, renamed over, deleted, created', async () => {
    await write('x.yaml', text('x'));
    const library = open();
    expect(msOf(await found(library, 'x'))).toBe(1000);
    await write('x.yaml', text('x', '2s'));
    await pauses(library, 2000);
    await write('x.yaml~', text('x', '3s'));
    await rename(join(folder, 'x.yaml~'), join(folder, 'x.yaml'));
    await pauses(library, 3000);
    await unlink(join(folder, 'x.yaml'));
    await expect.poll(() => found(library, 'x'), soon).toBeUndefined();
    await write('x.yaml', text('x', '4s'));
    await pauses(library, 4000);
    await write('x.yaml', 'name: x\nsteps: ');
    await expect.poll(async () => (await found(library, 'x'))?.findings[0]?.line, soon).toBe(2);
  });

  it('by the symlink swap of a ConfigMap', async () => {
    await mkdir(join(folder, '..1'));
    await writeFile(join(folder, '..1', 'x.yaml'), text('x'));
    await symlink('..1', join(folder, '..data'));
    await symlink('..data/x.yaml', join(folder, 'x.yaml'));
    const library = open();
    expect(msOf(await found(library, 'x'))).toBe(1000);
    await mkdir(join(folder, '..2'));
    await writeFile(join(folder, '..2', 'x.yaml'), text('x', '2s'));
    await symlink('..2', join(folder, '..data_tmp'));
    await rename(join(folder, '..data_tmp'), join(folder, '..data'));
    await rm(join(folder, '..1'), { recursive: true });
    await pauses(library, 2000);
  });

  it('together with their folder', async () => {
    await write('x.yaml', text('x'));
    const library = open();
    expect(msOf(await found(library, 'x'))).toBe(1000);
    await rename(folder, `${folder}-old`);
    await mkdir(folder);
    await write('x.yaml', text('x', '2s'));
    await pauses(library, 2000);
    await write('x.yaml', text('x', '3s'));
    await pauses(library, 3000);
  });
});

describe('the store', () => {
  it('keeps what is saved, for other replicas, too', async () => {
    const [library, other] = [open({ now: () => 5000 }), open()];
    expect(await other.all()).toEqual([]);
    const saved = await library.save(text('mine'), ada, 'recipe');
    expect(saved).toMatchObject({ name: 'mine', origin: 'store', kind: 'recipe', savedBy: 'ada', savedAt: 5000 });
    expect(msOf(await found(other, 'mine'))).toBe(1000);
    // The clock stands still, but others notice.
    await library.save(text('mine', '2s'), by('bob', 'admin'), 'recipe');
    expect(await found(other, 'mine')).toMatchObject({ savedBy: 'bob', savedAt: 5001 });
    expect(msOf(await found(other, 'mine'))).toBe(2000);
    expect(await other.delete('mine', by('bob'))).toBe(true);
    expect(await other.delete('mine', by('bob'))).toBe(false);
    expect(await library.all()).toEqual([]);
  });

  it('refuses what cannot be read, with all that is wrong', async () => {
    await expect(open().save('name: X\nsteps: 1', ada, 'blueprint')).rejects.toThrow(
      'The blueprint was not saved: line 1, column 1, name: is not a name of a blueprint. Write lower-case letters, digits and hyphens, a letter first, at most 63 characters. line 2, column 1, steps: must be a list, not a number. Write a list here.',
    );
  });

  it('refuses the name of a file, and that of another kind', async () => {
    await write('a.yaml', text('taken'));
    const library = open();
    await expect(library.save(text('taken'), ada, 'blueprint')).rejects.toThrow(
      `The blueprint was not saved: taken is defined in ${join(folder, 'a.yaml')}. Choose another name.`,
    );
    await library.save(text('mine'), ada, 'recipe');
    await expect(library.save(text('mine'), ada, 'blueprint')).rejects.toThrow('mine is the name of a recipe.');
    const atOnce = await Promise.allSettled(
      ['ada', 'bob', 'eve'].map((id) => library.save(text('new'), by(id), id === 'eve' ? 'blueprint' : 'recipe', true)),
    );
    expect(atOnce.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('lets only the author and admins replace or delete', async () => {
    const library = open();
    await library.save(text('mine'), ada, 'blueprint');
    const others = expect.objectContaining({ code: 'forbidden', message: expect.stringContaining('was saved by ada') });
    for (const bob of [by('bob'), by('bob', 'tools:execute', 'blueprint:write')]) {
      await expect(library.save(text('mine', '2s'), bob, 'blueprint')).rejects.toEqual(others);
      await expect(library.delete('mine', bob)).rejects.toEqual(others);
    }
    expect(msOf(await found(library, 'mine'))).toBe(1000);
    await library.save(text('mine', '2s'), ada, 'blueprint');
    await library.save(text('mine', '3s'), by('root', 'admin'), 'blueprint');
    // Now it is the admin's.
    await expect(library.save(text('mine', '4s'), ada, 'blueprint')).rejects.toThrow('was saved by root');
    expect(msOf(await found(library, 'mine'))).toBe(3000);
  });

  it('has no room for the names of Vault and of those that are shipped', async () => {
    const shipped = join(home, 'shipped');
    await mkdir(shipped);
    await writeFile(join(shipped, 'report.yaml'), text('report'));
    const vault = { read: async () => new Map([['kv/backup', text('backup')]]) };
    const library = open({ shipped, vault });
    const root = by('root', 'admin');
    await expect(library.save(text('report', '2s'), root, 'blueprint')).rejects.toThrow('report comes with Sluice.');
    await expect(library.save(text('backup', '2s'), root, 'recipe')).rejects.toThrow('backup is defined in kv/backup.');
  });

  it('is full at 1,000', async () => {
    await tables.change(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1000)
       INSERT INTO blueprint_definitions SELECT 'n' || i, 'blueprint', ?, 'ada', i FROM n`,
      text('n'),
    );
    const library = open();
    expect(await library.all()).toHaveLength(1000);
    await expect(library.save(text('more'), ada, 'blueprint')).rejects.toThrow('There is no room for more');
    await library.save(text('n7', '7s'), ada, 'blueprint');
    expect(msOf(await found(library, 'n7'))).toBe(7000);
  });

  it('keeps room for others', async () => {
    await tables.change(
      `WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 250)
       INSERT INTO blueprint_definitions SELECT 'n' || i, 'blueprint', ?, 'ada', i FROM n`,
      text('n'),
    );
    const library = open();
    await expect(library.save(text('more'), ada, 'recipe')).rejects.toThrow(
      'There is no room for more: of each caller the store keeps 250 blueprints and recipes with 8 MB, and there are 250 with 0',
    );
    await library.save(text('more'), by('bob'), 'recipe');
    await library.save(text('n7', '7s'), ada, 'blueprint');
  });

  it('that does not answer hides nothing else', async () => {
    await write('a.yaml', text('a'));
    const library = open();
    await library.save(text('b'), ada, 'blueprint');
    await tables.change('ALTER TABLE blueprint_definitions RENAME TO gone');
    expect((await library.all()).map(({ name }) => name)).toEqual(['a', 'b']);
    expect(library.problems()).toEqual([{ where: 'store', message: expect.stringContaining('blueprint_definitions') }]);
  });
});

describe('Vault', () => {
  it('is asked every 30 s, and what it said last stays while it does not answer', async () => {
    let clock = 0;
    let answer: () => Promise<ReadonlyMap<string, string>> = async () =>
      new Map([
        ['kv/bp/a', text('a')],
        ['kv/bp/json', '{"name":"json","steps":[{"id":"a","wait":"1s"}]}'],
        ['kv/bp/broken', 'name: [broken\nsteps:\n'],
        ['kv/db#password', '*correct: horse'],
        ['kv/db#url', 'postgres://ada:secret@db'],
      ]);
    let asked = 0;
    const read = () => {
      asked++;
      return answer();
    };
    const library = open({ vault: { read }, now: () => clock });
    expect(await found(library, 'a')).toMatchObject({ origin: 'vault', file: 'kv/bp/a' });
    expect((await library.all()).map(({ name }) => name)).toEqual(['a', 'broken', 'json']);
    expect(asked).toBe(1);
    clock += 30_000;
    answer = () => Promise.reject(new Error('vault at 127.0.0.1:8200 does not answer.'));
    expect(msOf(await found(library, 'a'))).toBe(1000);
    expect(library.problems()).toEqual([{ where: 'vault', message: 'vault at 127.0.0.1:8200 does not answer.' }]);
    clock += 29_999;
    await library.all();
    expect(asked).toBe(2);
    clock += 1;
    answer = async () => new Map([['kv/bp/all#a', text('a', '2s')]]);
    expect(msOf(await found(library, 'a'))).toBe(2000);
    expect(library.problems()).toEqual([]);
  });
});

test('a Vault that was away from the start does not hold up others when it hangs', async () => {
  let clock = 0;
  let answer = (): Promise<ReadonlyMap<string, string>> => Promise.reject(new Error('away'));
  const library = open({ vault: { read: () => answer() }, now: () => clock });
  await write('x.yaml', text('x'));
  await expect.poll(async () => (await library.all()).map(({ name }) => name), soon).toEqual(['x']);
  clock += 30_000;
  answer = () => new Promise(() => {});
  expect((await library.all()).map(({ name }) => name)).toEqual(['x']);
});

test('files come before Vault, Vault before those that are shipped, and the store comes last', async () => {
  const shipped = join(home, 'shipped');
  await mkdir(shipped);
  for (const name of ['a', 'b', 'c']) await writeFile(join(shipped, `${name}.yaml`), text(name));
  const vault = { read: async () => new Map(['a', 'b'].map((name) => [`kv/${name}`, text(name, '2s')])) };
  const library = open({ shipped, vault });
  for (const name of ['a', 'b', 'c', 'd', 'e'])
    await tables.change(
      "INSERT INTO blueprint_definitions VALUES (?, 'blueprint', ?, 'ada', 1)",
      name,
      text(name, '3s'),
    );
  await write('a.yaml', text('a', '4s'));
  await expect
    .poll(async () => (await library.all()).map((one) => [one.name, one.origin, one.hides, msOf(one)]), soon)
    .toEqual([
      ['a', 'file', 'vault', 4000],
      ['b', 'vault', 'shipped', 2000],
      ['c', 'shipped', 'store', 1000],
      ['d', 'store', undefined, 3000],
      ['e', 'store', undefined, 3000],
    ]);
});
