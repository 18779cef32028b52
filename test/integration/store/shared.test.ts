import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { sharedContract } from '../../../src/store/shared.contract.ts';
import { createDatabase, postgresIsMissing, type TestDatabase } from '../../support/postgres.ts';
import { openReplica, openTestDatabase } from '../../support/shared.ts';

describe.skipIf(postgresIsMissing)('shared on PostgreSQL', () => {
  let place: TestDatabase;
  beforeAll(async () => {
    place = await createDatabase();
  });
  afterAll(() => place[Symbol.asyncDispose]());
  beforeEach(async () => {
    await using database = await openTestDatabase(place.url, 1);
    await database.script('TRUNCATE topics, replicas, leases, kept, rates, keys, webhooks');
  });
  const open = (options = {}) => openReplica(place.url, options);
  const ok = () => ({ state: 'ok', problems: [], sessions: 1, tools: 2 }) as const;

  sharedContract('PostgreSQL', open);

  describe('topics', () => {
    test('changes are heard by every replica', async () => {
      await using a = await open();
      await using b = await open();
      const heard = vi.fn<() => void>();
      b.hear('keys', heard);
      const began = performance.now();
      await a.database.change(`INSERT INTO keys (id, hash, value) VALUES ('k', '', '{}')`);
      await vi.waitFor(() => expect(heard).toHaveBeenCalled(), { interval: 1 });
      expect(performance.now() - began).toBeLessThan(1500);
    });

    test('a lost notice costs a second', async () => {
      await using a = await open();
      await using b = await open();
      const heard = vi.fn<() => void>();
      b.hear('servers', heard);
      await a.database.change(`INSERT INTO topics (topic, version) VALUES ('servers', 1)`);
      await expect.poll(() => heard.mock.calls.length).toBe(1);
    });

    test('what changed while a connection was broken is heard after it is back', async () => {
      await using a = await open();
      await using b = await open();
      const heard = vi.fn<() => void>();
      b.hear('keys', heard);
      await a.database.rows(`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid() AND query LIKE '%topics%'`);
      a.tell('keys');
      await expect.poll(() => heard.mock.calls.length).toBeGreaterThan(0);
      await expect.poll(() => [a.cutOffSince(), b.cutOffSince()]).toEqual([undefined, undefined]);
    });

    test('events are only hinted at, and only if somebody else is there', async () => {
      await using a = await open();
      const notified = vi.fn<() => void>();
      const listener = await a.database.connect();
      listener.on('notification', ({ payload }) => payload?.startsWith('events') && notified());
      await listener.query('LISTEN sluice');
      a.tell('events');
      await using b = await open();
      const heard = vi.fn<() => void>();
      b.hear('events', heard);
      a.peers.announce(undefined, ok);
      b.peers.announce(undefined, ok);
      await expect.poll(() => a.peers.all().length).toBe(2);
      expect(notified).not.toHaveBeenCalled();
      for (let n = 0; n < 50; n++) a.tell('events');
      await expect.poll(() => [heard.mock.calls.length, notified.mock.calls.length]).toEqual([2, 2]);
      await listener.end();
    });
  });

  describe('replicas', () => {
    test('know each other, with what each says of itself', async () => {
      await using a = await open({ replica: 'aaaaaaaaaaaa' });
      await using b = await open({ replica: 'bbbbbbbbbbbb', version: '2.0.0' });
      const changed = vi.fn<() => void>();
      a.hear('replicas', changed);
      a.peers.announce('http://a:1', ok);
      b.peers.announce('http://b:1', ok);
      await expect.poll(() => a.peers.all().map(({ id }) => id)).toEqual(['aaaaaaaaaaaa', 'bbbbbbbbbbbb']);
      expect(changed).toHaveBeenCalled();
      expect(a.peers.all()[1]).toMatchObject({ url: 'http://b:1', version: '2.0.0', draining: false, report: ok() });
      expect(await a.peers.find('bbbbbbbbbbbb')).toMatchObject({ id: 'bbbbbbbbbbbb', pid: process.pid });
      expect(await a.peers.find('cccccccccccc')).toBeUndefined();
      await b.peers.drain();
      await expect.poll(() => a.peers.all()[1]?.draining).toBe(true);
      await b[Symbol.asyncDispose]();
      await expect.poll(() => a.peers.all().length).toBe(1);
    });

    test('find one that only just came, and not one that is dead', async () => {
      await using a = await open();
      await a.database.change(
        `INSERT INTO replicas (id, host, pid, version, seen_at) VALUES ('new', 'h', 1, '1', now()), ('old', 'h', 1, '1', now() - interval '13 seconds')`,
      );
      expect(await a.peers.find('new')).toMatchObject({ id: 'new', report: { state: 'starting' } });
      expect(await a.peers.find('old')).toBeUndefined();
      expect(await a.peers.find(`x' OR true --`)).toBeUndefined();
    });

    test('come back after their row was deleted', async () => {
      await using a = await open({ replica: 'a' });
      a.peers.announce(undefined, ok);
      const rows = () =>
        a.database.rows<{ id: string; started: Date }>('SELECT id, started_at AS started FROM replicas');
      await expect.poll(rows).toHaveLength(1);
      const [before] = await rows();
      await a.database.change('DELETE FROM replicas');
      await expect.poll(rows).toEqual([before]);
    });

    test('a process that announces nothing and leads nothing is none', async () => {
      await using a = await open();
      a.peers.announce(undefined, ok);
      await using b = await open();
      await expect.poll(() => b.peers.all().length).toBe(2);
      expect(a.peers.all()).toHaveLength(1);
      expect(await a.database.rows('SELECT id FROM replicas')).toHaveLength(1);
    });

    test('trust the signatures of each other only', async () => {
      await using a = await open();
      await using b = await open();
      await using c = await open({ peerKey: Buffer.alloc(32) });
      const signature = a.peers.sign('text');
      expect(b.peers.isSigned('text', signature)).toBe(true);
      expect(b.peers.isSigned('other', signature)).toBe(false);
      expect(b.peers.isSigned('text', '')).toBe(false);
      expect(c.peers.isSigned('text', signature)).toBe(false);
    });

    test('draining is heard at home too, and ends what is led', async () => {
      await using a = await open({ replica: 'a' });
      a.peers.announce(undefined, ok);
      const seen: boolean[] = [];
      a.hear('replicas', () => seen.push(a.peers.all()[0]?.draining === true));
      let ended = false;
      a.lead('task', async (signal) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }));
        ended = true;
      });
      await expect.poll(() => a.peers.all()[0]?.leads).toEqual(['task']);
      await a.peers.drain();
      expect(seen).toContain(true);
      expect(ended).toBe(true);
      expect(await a.database.rows('SELECT * FROM leases')).toEqual([]);
      expect(await a.database.rows('SELECT draining FROM replicas')).toEqual([{ draining: true }]);
      const never = vi.fn<() => Promise<void>>();
      await using _ = a.lead('task', never);
      await a.database.rows('SELECT 1');
      expect(never).not.toHaveBeenCalled();
    });
  });
});
