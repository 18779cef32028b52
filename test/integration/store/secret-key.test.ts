import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PostgresAddress, readAddress } from '../../../src/store/postgres/address.ts';
import { type Database, openDatabase } from '../../../src/store/postgres/connection.ts';
import { writeMark } from '../../../src/store/postgres/marks.ts';
import { migrate } from '../../../src/store/postgres/migrations.ts';
import { lookAtKey, openSeal } from '../../../src/store/postgres/seal.ts';
import { openStore } from '../../../src/store/open.ts';
import { createPlace } from '../../support/command-line.ts';
import { createDatabase, postgresIsMissing, type TestDatabase } from '../../support/postgres.ts';

const SECRET = 'the one that all replicas have, 0123456789';
const OTHER = 'another one that is long enough, 0123456789';

describe.skipIf(postgresIsMissing)('the secret key of a store in PostgreSQL', () => {
  let place: TestDatabase;
  let database: Database;
  const homes: string[] = [];
  const homeOf = (env: Record<string, string> = {}) => {
    const home = mkdtempSync(join(tmpdir(), 'sluice-home-'));
    homes.push(home);
    return { home, env };
  };

  beforeAll(async () => {
    place = await createDatabase();
    database = openDatabase(readAddress(place.url) as PostgresAddress, 4, 'sluice test');
    await migrate(database, new Map());
  });
  beforeEach(() => database.script('DELETE FROM marks'));
  afterAll(async () => {
    await database?.[Symbol.asyncDispose]();
    await place?.[Symbol.asyncDispose]();
    for (const home of homes) rmSync(home, { recursive: true, force: true });
  });

  it('is that of the first process, and every process with it opens what another sealed', async () => {
    const first = await openSeal(database, homeOf({ SLUICE_SECRET_KEY: SECRET }));
    const second = homeOf();
    writeFileSync(join(second.home, 'key'), `${SECRET}\n`);
    const other = await openSeal(database, {
      ...second,
      env: { SLUICE_SECRET_KEY_FILE: join(second.home, 'key') },
    });
    expect([first.from, other.from]).toEqual(['SLUICE_SECRET_KEY', 'SLUICE_SECRET_KEY_FILE']);
    expect([first.locked, other.locked]).toEqual([undefined, undefined]);
    expect(other.open(first.seal('hello', 'a'), 'a')).toBe('hello');
    expect(existsSync(join(second.home, 'sluice.key'))).toBe(false);
    expect(JSON.stringify(await database.rows('SELECT * FROM marks'))).not.toContain(SECRET);
  });

  it('without a variable the first process makes sluice.key, which is the key for others as well', async () => {
    const first = homeOf();
    const seal = await openSeal(database, first);
    const text = readFileSync(join(first.home, 'sluice.key'), 'utf8').trim();
    const moved = await openSeal(database, homeOf({ SLUICE_SECRET_KEY: text }));
    const again = await openSeal(database, first);
    expect([seal.from, moved.from, again.from]).toEqual(['sluice.key', 'SLUICE_SECRET_KEY', 'sluice.key']);
    expect(moved.open(seal.seal('hello', 'a'), 'a')).toBe('hello');
    expect(again.open(moved.seal('hello', 'a'), 'a')).toBe('hello');
  });

  it('a wrong key in the environment is named', async () => {
    await openSeal(database, homeOf({ SLUICE_SECRET_KEY: SECRET }));
    const wrong = openSeal(database, homeOf({ SLUICE_SECRET_KEY: OTHER }));
    await expect(wrong).rejects.toThrow(
      /^SLUICE_SECRET_KEY is not the key that encrypts the store.*other replicas use/,
    );
    await expect(wrong).rejects.not.toThrow(OTHER);
    const home = homeOf();
    writeFileSync(join(home.home, 'key'), OTHER);
    const env = { SLUICE_SECRET_KEY_FILE: join(home.home, 'key') };
    await expect(openSeal(database, { ...home, env })).rejects.toThrow(/^SLUICE_SECRET_KEY_FILE is not the key/);
    await expect(openSeal(database, homeOf({ SLUICE_SECRET_KEY: 'short' }))).rejects.toThrow('openssl rand -hex 32');
  });

  it('a home without the key starts locked, seals nothing and gets no key of its own', async () => {
    const sealed = (await openSeal(database, homeOf({ SLUICE_SECRET_KEY: SECRET }))).seal('hello', 'a');
    const missing = homeOf();
    const locked = await openSeal(database, missing);
    expect(locked.locked).toMatch(/sluice\.key does not exist\. Set SLUICE_SECRET_KEY/);
    expect(() => locked.seal('x', 'a')).toThrow('Set SLUICE_SECRET_KEY');
    expect(() => locked.open(sealed, 'a')).toThrow('Set SLUICE_SECRET_KEY');
    expect(existsSync(join(missing.home, 'sluice.key'))).toBe(false);

    const different = homeOf();
    writeFileSync(join(different.home, 'sluice.key'), `${'ab'.repeat(32)}\n`);
    expect((await openSeal(database, different)).locked).toContain('is not its key');
    const letter = homeOf();
    writeFileSync(join(letter.home, 'sluice.key'), 'a love letter');
    expect((await openSeal(database, letter)).locked).toContain('is not the key that Sluice wrote');
    expect(readFileSync(join(letter.home, 'sluice.key'), 'utf8')).toBe('a love letter');
  });

  it('of processes that start at once on a new database, one decides', async () => {
    const all = [homeOf(), homeOf(), homeOf(), homeOf()];
    const seals = await Promise.all(all.map((home) => openSeal(database, home)));
    expect(seals.filter(({ locked }) => locked === undefined)).toHaveLength(1);
    expect(all.filter(({ home }) => existsSync(join(home, 'sluice.key')))).toHaveLength(1);
  });

  it('is looked at without deciding anything', async () => {
    const home = homeOf();
    expect(lookAtKey(home, {})).toEqual({ from: 'sluice.key', state: 'first' });
    expect(existsSync(join(home.home, 'sluice.key'))).toBe(false);
    await openSeal(database, homeOf({ SLUICE_SECRET_KEY: SECRET }));
    const [{ value: key } = { value: '' }] = await database.rows<{ value: string }>('SELECT value FROM marks');
    expect(lookAtKey(home, { key })).toEqual({ from: 'sluice.key', state: 'missing' });
    expect(lookAtKey(homeOf({ SLUICE_SECRET_KEY: SECRET }), { key }).state).toBe('right');
    expect(lookAtKey(homeOf({ SLUICE_SECRET_KEY: OTHER }), { key }).state).toBe('wrong');
  });

  it('can be replaced if it is lost, as docs/store.md says', async () => {
    const settings = { kind: 'postgres', url: place.url, connections: 4 } as const;
    const at = (SLUICE_SECRET_KEY: string) => ({ ...homeOf({ SLUICE_SECRET_KEY }), version: '1.0.0', settings });
    {
      await using store = await openStore(at(SECRET));
      await store.servers.put('lost', {}, 'ana');
      await store.settings.secret('lost');
    }
    const docs = readFileSync(new URL('../../../docs/store.md', import.meta.url), 'utf8');
    const sql = docs.split('## If the key is lost')[1]?.split('```')[1]?.replace(/^sql/, '') ?? '';
    await database.script(sql);
    await using store = await openStore(at(OTHER));
    expect(store.trouble()).toBeUndefined();
    expect(await store.servers.list()).toEqual([]);
    expect(await store.settings.secret('lost')).toHaveLength(32);
    await store.servers.put('new', {}, 'ana');
    expect(await store.servers.list()).toHaveLength(1);
    await database.script('DELETE FROM servers; DELETE FROM secrets');
  });

  it('half a copy is refused, except by who copies', async () => {
    await writeMark(database, { copy: { source: 'here:/a/sluice.db', startedAt: '2026-01-01T00:00:00.000Z' } });
    const home = homeOf({ SLUICE_SECRET_KEY: SECRET });
    await expect(openSeal(database, home)).rejects.toThrow('unfinished copy of here:/a/sluice.db');
    expect((await openSeal(database, home, { copying: true })).locked).toBeUndefined();
  });

  it('a store without its key leaves out and names what it cannot open, and writes nothing that others could not', async () => {
    const settings = { kind: 'postgres', url: place.url, connections: 4 } as const;
    const at = (home: ReturnType<typeof homeOf>) => ({ ...home, version: '1.0.0', settings });
    await using whole = await openStore(at(homeOf({ SLUICE_SECRET_KEY: SECRET })));
    await whole.servers.put('added', { url: 'https://a.example/mcp' }, 'ana');
    await whole.logins.put('https://r.example', 'ana', 'https://i', Buffer.from('sealed'));
    const right = await whole.settings.secret('request-state');

    await using locked = await openStore(at(homeOf()), { standIns: true });
    expect(whole.trouble()).toBeUndefined();
    expect(locked.trouble()).toEqual({
      state: 'degraded',
      message: expect.stringMatching(
        /Set SLUICE_SECRET_KEY .* does without the added server added, the login at https:\/\/r\.example, 1 secret, and leads no/,
      ) as string,
    });
    expect(await locked.servers.list()).toEqual([]);
    const madeUp = await locked.settings.secret('request-state');
    expect(madeUp).toHaveLength(32);
    expect(madeUp).not.toEqual(right);
    expect(await locked.settings.secret('request-state')).toEqual(madeUp);
    await locked.settings.secret('never there');
    expect(await database.rows('SELECT key FROM secrets')).toEqual([{ key: 'request-state' }]);
    const login = Buffer.from('x');
    for (const write of [
      () => locked.servers.put('b', {}, 'ana'),
      () => locked.logins.put('r', 'p', 'i', login),
      () => locked.logins.putClient('i', 'r', login),
      () => locked.oauth.put('Grant', 'g', { payload: '{}' }),
      () => locked.settings.secret('oauth.seal'),
      () => locked.settings.secret('bridge.owner'),
    ])
      await expect(write()).rejects.toThrow('Set SLUICE_SECRET_KEY');
    await using command = await openStore(at(homeOf()));
    await expect(command.settings.secret('logins')).rejects.toThrow('Set SLUICE_SECRET_KEY');
    await command.keys.add({
      id: 'k',
      hash: Buffer.alloc(32),
      grant: { name: 'k', scopes: [], createdAt: '', createdBy: '' },
    });
    expect(await whole.keys.list()).toHaveLength(1);
    expect(await whole.settings.secret('request-state')).toEqual(right);
  });

  it('a gateway without the key starts and says so; one with a wrong key does not', async () => {
    await openSeal(database, homeOf({ SLUICE_SECRET_KEY: SECRET }));
    await using machine = await createPlace();
    const env = { SLUICE_STORE: place.url };
    {
      await using _served = await machine.serve(env);
      const { stdout } = await machine.run(['status', '--json'], { env });
      expect(stdout).toContain('Set SLUICE_SECRET_KEY');
    }
    const wrong = await machine.run(['serve', '--port', '0'], { env: { ...env, SLUICE_SECRET_KEY: OTHER } });
    expect(wrong.code).not.toBe(0);
    expect(wrong.stderr).toContain('SLUICE_SECRET_KEY is not the key');
    expect(wrong.stdout + wrong.stderr).not.toContain(OTHER);
  });
});
