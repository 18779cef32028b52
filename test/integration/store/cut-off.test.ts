import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { type CutLine, lineTo } from '../../support/cut-line.ts';
import { createDatabase, postgresIsMissing, type TestDatabase } from '../../support/postgres.ts';
import { openReplica, openTestDatabase } from '../../support/shared.ts';

describe.skipIf(postgresIsMissing)('a replica in trouble', () => {
  let place: TestDatabase;
  let line: CutLine;
  beforeAll(async () => {
    place = await createDatabase();
    line = await lineTo(place.port);
    await using _ = await openTestDatabase(place.url, 1);
  });
  afterAll(async () => {
    await line[Symbol.asyncDispose]();
    await place[Symbol.asyncDispose]();
  });
  afterEach(() => line.mend());
  const overLine = () => place.url.replace(`:${place.port}/`, `:${line.port}/`);
  const ok = () => ({ state: 'ok', problems: [], sessions: 0, tools: 0 }) as const;

  test.each(['cut', 'freeze'] as const)(
    'that is off the database (%s) says so, goes on, and comes back',
    async (how) => {
      await using a = await openReplica(overLine(), { replica: `a${how}` });
      await using b = await openReplica(place.url, { replica: `b${how}` });
      a.peers.announce(undefined, ok);
      b.peers.announce(undefined, ok);
      await expect.poll(() => a.peers.all().length).toBe(2);
      const heard = vi.fn<() => void>();
      a.hear('keys', heard);
      const before = performance.now();
      line[how]();
      await expect.poll(() => a.cutOffSince()).toBeGreaterThan(before - 2000);
      expect(a.cutOffSince()).toBeLessThan(before + 1000);
      expect(a.troubles()[0]).toMatchObject({
        state: 'failing',
        message: expect.stringMatching(/^The store, PostgreSQL at .*, cannot be reached \(.+\)\. Check/) as string,
      });
      // Limits hold in each replica by itself.
      const rate = { count: 3, perMs: 3_600_000 };
      for (let n = 0; n < 3; n++) expect(await a.count(how, rate)).toBeUndefined();
      expect(await a.count(how, rate)).toBeGreaterThan(0);
      expect(a.troubles().map(({ message }) => message)).toContainEqual(
        expect.stringMatching(/^Each replica counts rate limits for itself/),
      );
      await b.database.rows(`SELECT tell('keys')`);
      line.mend();
      await expect.poll(() => heard.mock.calls.length).toBeGreaterThan(0);
      expect(a.cutOffSince()).toBeUndefined();
      expect(a.troubles()).toEqual([]);
      await expect.poll(() => b.peers.all().length).toBe(2);
    },
  );

  test('that is off the database stops leading before another begins', { timeout: 60_000 }, async () => {
    await using a = await openReplica(overLine(), { replica: 'a' });
    await using b = await openReplica(place.url, { replica: 'b' });
    const running = new Set<string>();
    let most = 0;
    for (const shared of [a, b]) {
      shared.lead('cut off', async (signal) => {
        running.add(shared.peers.self);
        most = Math.max(most, running.size);
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        running.delete(shared.peers.self);
      });
      await expect.poll(() => [...running]).toEqual(['a']);
    }
    line.freeze();
    const began = performance.now();
    await expect.poll(() => [...running], { timeout: 25_000 }).toEqual(['b']);
    expect(performance.now() - began).toBeLessThan(20_000);
    line.mend();
    expect(most).toBe(1);
  });

  test('with a wrong clock says so, and is no less alive', async () => {
    await using a = await openReplica(place.url, { replica: 'slow' });
    await using b = await openReplica(place.url, { replica: 'right' });
    const real = Date.now;
    using _clock = vi.spyOn(Date, 'now').mockImplementation(() => real() - 600_000);
    a.peers.announce(undefined, ok);
    await expect.poll(() => a.troubles()).toHaveLength(1);
    expect(a.troubles()[0]).toEqual({
      state: 'degraded',
      message:
        "The clock of this machine is 10 minutes behind the database's. Set it right, for example with NTP: times in events and expiry of keys are wrong by as much.",
    });
    await expect.poll(() => b.peers.all().find(({ id }) => id === 'slow')?.skewMs).toBeLessThan(-599_000);
    await a.keep('k', 'v', 60_000, 'g');
    expect(await b.take('k')).toBe('v');
    await using led = a.lead('clock', async (signal) => {
      await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
    });
    expect(led).toBeDefined();
    await expect.poll(() => a.peers.all()[0]?.leads).toEqual(['clock']);
    expect(b.peers.all().find(({ id }) => id === 'slow')?.seenMs).toBeLessThan(12_000);
  });

  test('whose database a newer version migrated says so and goes on', async () => {
    await using a = await openReplica(place.url);
    await a.database.change(`UPDATE part_versions SET version = version + 1 WHERE part = 'store'`);
    await expect.poll(() => a.troubles()).toHaveLength(1);
    expect(a.troubles()[0]?.message).toMatch(
      /^A newer Sluice has migrated the database \(store \d+\)\. This replica goes on\. Upgrade it\.$/,
    );
    await a.database.change(`UPDATE part_versions SET version = version - 1 WHERE part = 'store'`);
  });
});
