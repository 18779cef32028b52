import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { type PostgresAddress, readAddress } from '../../../src/store/postgres/address.ts';
import { type Database, openDatabase } from '../../../src/store/postgres/connection.ts';
import { writeMark } from '../../../src/store/postgres/marks.ts';
import { migrate } from '../../../src/store/postgres/migrations.ts';
import { lookAtKey, openSeal } from '../../../src/store/postgres/seal.ts';
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

  it('half a copy is refused, except by who copies', async () => {
    await writeMark(database, { copy: { source: 'here:/a/sluice.db', startedAt: '2026-01-01T00:00:00.000Z' } });
    const home = homeOf({ SLUICE_SECRET_KEY: SECRET });
    await expect(openSeal(database, home)).rejects.toThrow('unfinished copy of here:/a/sluice.db');
    expect((await openSeal(database, home, { copying: true })).locked).toBeUndefined();
  });
});
