import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { projectMigrations } from '../../../src/projects/migrations.ts';
import { MOST_ITEMS, MOST_PROJECTS, type NewItem, type Projects } from '../../../src/projects/project.ts';
import { projectTables } from '../../../src/projects/tables.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';
import type { Store } from '../../../src/store/store.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { emptyStores, type EmptyStores } from '../../support/postgres-stores.ts';

const migrations = new Map([['projects', projectMigrations]]);
const named = (name: string) => ({ name, description: '', owners: [] });
const item = (name: string, more: Partial<NewItem> = {}): NewItem => ({ kind: 'other', name, ...more });

/** `place` returns how to open one empty store, as often as processes share it. */
function contract(place: () => Promise<() => Promise<Store>>): void {
  let stack: AsyncDisposableStack;
  let one: Projects;
  let two: Projects;
  beforeEach(async () => {
    stack = new AsyncDisposableStack();
    const open = await place();
    [one, two] = [projectTables(stack.use(await open()).apart), projectTables(stack.use(await open()).apart)];
  });
  afterEach(() => stack.disposeAsync());

  const namesIn = async (project: string) => (await one.get(project)).items.map(({ name }) => name);

  test('keeps everything about a project and its items', async () => {
    await one.create({ name: 'Shop', description: 'Orders', owners: ['Ana', 'Ben'] }, 'ana');
    const whole: NewItem = {
      kind: 'workflow',
      name: 'Send',
      instance: 'prod',
      source: 'x',
      note: 'line one\nline "two"',
      check: { tool: 'ref__echo', arguments: { text: 'a\0b', __proto_: [1, null] } },
    };
    await one.add('shop', whole, 'ben');
    await one.add('SHOP', item('plain'), 'ben');
    const kept = await two.get(' sHOp ');
    expect(kept).toMatchObject({ name: 'Shop', description: 'Orders', owners: ['Ana', 'Ben'], createdBy: 'ana' });
    expect(kept.items).toMatchObject([
      { ...whole, addedBy: 'ben' },
      { kind: 'other', name: 'plain' },
    ]);
    expect(Object.keys(kept.items[1] ?? {}).sort()).toEqual(['addedAt', 'addedBy', 'id', 'kind', 'name']);
    expect(await two.list()).toMatchObject([{ name: 'Shop', items: 2 }]);
  });

  test('two adds at once lose nothing, and two of the same item are one', async () => {
    await one.create(named('busy'), 'ana');
    const names = Array.from({ length: 20 }, (_, at) => `item ${at}`);
    await Promise.all(
      names.flatMap((name) => [one.add('busy', item(name), 'ana'), two.add('busy', item(name), 'ben')]),
    );
    expect((await namesIn('busy')).sort()).toEqual([...names].sort());
  });

  test('of two creations with one name only one succeeds', async () => {
    const made = await Promise.allSettled([one.create(named('Twin'), 'a'), two.create(named('tWIN'), 'b')]);
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await one.list()).toHaveLength(1);
  });

  test('an item is replaced in its place; the same name elsewhere is another item', async () => {
    await one.create(named('p'), 'ana');
    expect(await one.add('p', item('x', { note: 'old' }), 'ana')).toMatchObject({ replaced: false });
    await one.add('p', item('x', { source: 'other' }), 'ana');
    await one.add('p', item('X'), 'ana');
    expect(await one.add('p', item('x', { note: 'new' }), 'ben')).toMatchObject({ replaced: true });
    expect(await namesIn('p')).toEqual(['x', 'x', 'X']);
    expect((await one.get('p')).items[0]).toMatchObject({ note: 'new', addedBy: 'ben' });
    expect(await one.remove('p', { kind: 'note', name: 'x' })).toMatchObject({ removed: false });
    expect(await one.remove('p', { kind: 'other', name: 'x' })).toMatchObject({ removed: true });
    expect(await namesIn('p')).toEqual(['x', 'X']);
  });

  test('a full project takes no more, even from two at once, but still replaces', async () => {
    await one.create(named('full'), 'ana');
    for (let at = 0; at < MOST_ITEMS - 1; at++) await one.add('full', item(`${at}`), 'ana');
    const made = await Promise.allSettled([one.add('full', item('a'), 'ana'), two.add('full', item('b'), 'ana')]);
    expect(made.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(one.add('full', item('more'), 'ana')).rejects.toThrow(/200 items already/);
    expect(await one.add('full', item('0', { note: 'n' }), 'ana')).toMatchObject({ replaced: true });
    expect(await namesIn('full')).toHaveLength(MOST_ITEMS);
  });

  test('there are at most so many projects', async () => {
    for (let at = 0; at < MOST_PROJECTS; at++) await one.create(named(`project ${at}`), 'ana');
    await expect(one.create(named('one more'), 'ana')).rejects.toThrow(/500 projects already/);
    await one.delete('project 7');
    await one.create(named('one more'), 'ana');
    expect(await one.list()).toHaveLength(MOST_PROJECTS);
  });

  test('changes touch only what they name, and no name is given twice', async () => {
    await one.create({ name: 'a', description: 'first', owners: ['Ana'] }, 'ana');
    await one.create(named('b'), 'ana');
    await one.add('a', item('x'), 'ana');
    await one.update('a', { description: 'second' });
    await one.update('A', { name: 'C' });
    await one.update('c', { name: 'c', owners: [] });
    expect(await one.get('c')).toMatchObject({ name: 'c', description: 'second', owners: [], items: [{ name: 'x' }] });
    await expect(one.update('c', { name: 'B' })).rejects.toThrow(/called "B" already/);
    await expect(one.create(named('B'), 'ana')).rejects.toThrow(/called "B" already/);
    const both = await Promise.allSettled([one.update('b', { name: 'z' }), two.update('c', { name: 'Z' })]);
    expect(both.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  test('a deleted project is gone with its items, and a misspelt one is suggested', async () => {
    await one.create(named('shop'), 'ana');
    await one.add('shop', item('x'), 'ana');
    await expect(one.get('shpo')).rejects.toThrow(/No project is called "shpo". Did you mean "shop"/);
    await one.delete('shop');
    await expect(one.get('shop')).rejects.toThrow(/No project/);
    await expect(one.add('shop', item('x'), 'ana')).rejects.toThrow(/No project/);
    await one.create(named('shop'), 'ana');
    expect(await namesIn('shop')).toEqual([]);
  });

  test.each(['__proto__', 'constructor', '🚀'.repeat(100), `'; DROP TABLE projects; --`, '%_\\'])(
    'a project and an item may be called %s',
    async (name) => {
      await one.create(named(name), 'ana');
      await one.add(
        name,
        item(name, { check: { tool: name, arguments: JSON.parse('{"__proto__": 1}') as object as never } }),
        'ana',
      );
      const { items } = await two.get(name);
      expect(items.map((kept) => [kept.name, JSON.stringify(kept.check?.arguments)])).toEqual([
        [name, '{"__proto__":1}'],
      ]);
      await two.delete(name);
    },
  );
}

describe('SQLite', () => {
  let folder: string;
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'sluice-projects-'));
  });
  afterAll(() => rm(folder, { recursive: true, force: true }));
  let files = 0;
  contract(async () => {
    const file = join(folder, `${++files}.db`);
    return () => openSqlite(file, { migrations });
  });
});

describe.skipIf(postgresIsMissing)('PostgreSQL', () => {
  let stores: EmptyStores;
  beforeAll(async () => {
    stores = await emptyStores();
  });
  afterAll(() => stores[Symbol.asyncDispose]());
  contract(() => stores.place({ migrations }));
});
