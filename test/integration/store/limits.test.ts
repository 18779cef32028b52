import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing, startDaemon } from '../../support/daemon.ts';
import { freePort } from '../../support/free-port.ts';
import { createDatabase, postgresIsMissing, type TestDatabase } from '../../support/postgres.ts';
import { openReplica, openTestDatabase, type TestReplica } from '../../support/shared.ts';

const REDIS = '/usr/bin/redis-server';
/** So long that nothing flows back during a test. */
const period = 360_000_000;

describe.skipIf(postgresIsMissing)('rate limits of replicas', () => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await createDatabase();
    await using _ = await openTestDatabase(place.url, 1);
  });
  afterAll(() => place[Symbol.asyncDispose]());

  /** How many of so many tries on each replica came through. */
  async function tryAll(replicas: readonly TestReplica[], key: string, count: number, tries: number): Promise<number> {
    let through = 0;
    const tryOne = async (shared: TestReplica) => {
      for (let n = 0; n < tries; n++)
        if ((await shared.count(key, { count, perMs: period })) === undefined) through += 1;
    };
    await Promise.all(replicas.flatMap((shared) => [tryOne(shared), tryOne(shared), tryOne(shared)]));
    return through;
  }

  test('all together let no more through than the limit, and nearly as many', async () => {
    await using a = await openReplica(place.url);
    await using b = await openReplica(place.url);
    expect(await tryAll([a, b], 'small', 30, 40)).toBe(30);
    const through = await tryAll([a, b], 'large', 2000, 1000);
    expect(through).toBeLessThanOrEqual(2000);
    expect(through).toBeGreaterThan(1900);
  });

  test('a busy name costs few round trips', async () => {
    await using a = await openReplica(place.url);
    const rate = { count: 100_000, perMs: period };
    let waited = 0;
    for (let n = 0; n < 3000; n++) {
      const answer = a.count('busy', rate);
      if (answer instanceof Promise) waited += 1;
      expect(await answer).toBeUndefined();
    }
    expect(waited).toBeLessThan(150);
  });

  test('buckets that are empty for long are removed, and only those', async () => {
    await using a = await openTestDatabase(place.url, 1);
    const { pruneRates } = await import('../../../src/store/postgres/shared/token-rows.ts');
    await a.change(`INSERT INTO rates (key, empty_at) VALUES ('old', 0), ('new', extract(epoch FROM now()) * 1000)`);
    await pruneRates(a);
    expect(await a.rows(`SELECT key FROM rates WHERE key IN ('old', 'new')`)).toEqual([{ key: 'new' }]);
  });

  const given = process.env.SLUICE_TEST_REDIS;
  describe.skipIf(given === undefined && isMissing(REDIS))('with Redis', () => {
    const password = 'geheim';
    const start = (port: number) =>
      startDaemon({
        program: REDIS,
        port,
        args: () => ['--port', `${port}`, '--bind', '127.0.0.1', '--save', '', '--requirepass', password],
      });
    const urlOf = (port: number) => `redis://:${password}@127.0.0.1:${port}`;

    test('are exact', async () => {
      const port = await freePort();
      await using _ = given === undefined ? await start(port) : undefined;
      const redis = given ?? urlOf(port);
      await using a = await openReplica(place.url, { redis });
      await using b = await openReplica(place.url, { redis });
      const key = `exact ${Math.random()}`;
      expect(await tryAll([a, b], key, 1000, 400)).toBe(1000);
      expect(await a.count(key, { count: 1000, perMs: period })).toBeGreaterThan(300);
      expect(await a.count(key, { count: 1000, perMs: period }, 3)).toBeGreaterThan(1000);
      expect(await a.database.rows('SELECT key FROM rates WHERE key = $1', [key])).toEqual([]);
      expect(a.troubles()).toEqual([]);
    });

    test.skipIf(given !== undefined)('fall back without it, say so, and come back with it', async () => {
      const port = await freePort();
      const rate = { count: 10, perMs: period };
      {
        await using redis = await start(port);
        await using a = await openReplica(place.url, { redis: urlOf(port) });
        expect(await a.count('falls back', rate, 10)).toBeUndefined();
        await redis.end();
        await expect.poll(() => a.troubles()).toHaveLength(1);
        expect(await a.count('falls back', rate, 10)).toBeUndefined();
        expect(await a.count('falls back', rate)).toBeGreaterThan(0);
        const [trouble] = a.troubles();
        expect(trouble?.state).toBe('degraded');
        expect(trouble?.message).toMatch(
          /^Redis at 127\.0\.0\.1:\d+ cannot be used \(.+\)\. Until it is back, rate limits are counted in batches from PostgreSQL\.$/,
        );
        expect(trouble?.message).not.toContain(password);
        await using _again = await start(port);
        await expect.poll(() => a.troubles()).toEqual([]);
        expect(await a.count('falls back', rate, 10)).toBeUndefined();
      }
    });

    test.skipIf(given !== undefined)('one that hangs holds up one call, not all', async () => {
      const port = await freePort();
      await using redis = await start(port);
      await using a = await openReplica(place.url, { redis: urlOf(port) });
      const rate = { count: 1000, perMs: period };
      expect(await a.count('hangs', rate)).toBeUndefined();
      redis.process.kill('SIGSTOP');
      expect(await a.count('hangs', rate)).toBeUndefined();
      const began = performance.now();
      for (let n = 0; n < 20; n++) expect(await a.count('hangs', rate)).toBeUndefined();
      expect(performance.now() - began).toBeLessThan(900);
      expect(a.troubles()).toHaveLength(1);
      redis.process.kill('SIGCONT');
      await expect
        .poll(async () => {
          await a.count('hangs', rate);
          return a.troubles();
        })
        .toEqual([]);
    });

    test.skipIf(given !== undefined)('a wrong password is named', async () => {
      const port = await freePort();
      await using _ = await start(port);
      await using a = await openReplica(place.url, { redis: `redis://:wrong@127.0.0.1:${port}` });
      await expect.poll(() => a.troubles()[0]?.message).toContain('WRONGPASS');
      expect(await a.count('wrong', { count: 1, perMs: period })).toBeUndefined();
    });
  });
});
