import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { latencyClass } from '../../../src/store/call-usage.ts';
import { eventScansContract } from '../../../src/store/event-scans.contract.ts';
import { outboxContract, outboxHoldersContract } from '../../../src/store/outbox.contract.ts';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import { durableStoreContract, storeContract } from '../../../src/store/store.contract.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';
import { emptyStores, type EmptyStores } from '../../support/postgres-stores.ts';

describe.skipIf(postgresIsMissing)('PostgreSQL', () => {
  let stores: EmptyStores;
  beforeAll(async () => {
    stores = await emptyStores();
  });
  afterAll(() => stores[Symbol.asyncDispose]());

  storeContract('postgres', () => stores.open({ audit: ['gateway.server_added', 'key.revoked'] }));
  durableStoreContract('postgres', () => stores.place());
  eventScansContract('postgres', () => stores.open({ audit: ['gateway.server_added', 'gateway.tool_accepted'] }));
  outboxContract('postgres', () => stores.open());
  outboxHoldersContract('postgres', () => stores.place());

  describe('the holder of a webhook', () => {
    const [a, b] = [
      { id: 'a', pid: 1 },
      { id: 'b', pid: 1 },
    ] as const;
    const replica = async () => {
      const [row] = await stores.sql<{ id: string }>('SELECT holder_replica AS id FROM sluice.webhooks');
      return row?.id;
    };
    const renewed = (seconds: number) =>
      stores.sql(`UPDATE sluice.webhooks SET renewed_at = now() - $1 * interval '1 s'`, [seconds]);
    const heardOf = async (seconds: number) =>
      stores.sql(
        `INSERT INTO sluice.replicas (id, host, pid, version, seen_at) VALUES ($1, 'h', 1, '0', now() - $2 * interval '1 s')
         ON CONFLICT (id) DO UPDATE SET seen_at = excluded.seen_at`,
        [await replica(), seconds],
      );

    test('is dead when neither it nor its replica was heard of for twelve seconds', async () => {
      const open = await stores.place();
      await using one = await open();
      await using two = await open();
      const other = () => two.outbox.hold('w', b, 60_000, () => false);
      await one.outbox.open('w');
      expect(await one.outbox.hold('w', a, 60_000, () => true)).toBe(true);
      // Its replica has sent no heartbeat yet, but it took the place a moment ago.
      expect(await other()).toBe(false);
      await renewed(11);
      expect(await other()).toBe(false);
      await renewed(13);
      await heardOf(5);
      expect(await other()).toBe(false);
      await heardOf(13);
      expect(await other()).toBe(true);
      expect(await one.outbox.hold('w', a, 60_000, () => false)).toBe(false);
    });

    test('is dead when its replica has signed off, and it renews no more', async () => {
      const open = await stores.place();
      await using one = await open();
      await using two = await open();
      await one.outbox.open('w');
      await one.outbox.hold('w', a, 60_000, () => true);
      await renewed(13);
      expect(await two.outbox.hold('w', b, 60_000, () => true)).toBe(true);
    });
  });

  test('latencies fall into the same classes as everywhere', async () => {
    await using store = await stores.open();
    const times = [0, 0.001, 0.01, 0.5, 1, 1.5, 7, 10, 33.3, 100, 250.25, 1000, 60_000, 3_600_000, 1e12];
    await store.events.append(
      times.map((ms) => ({
        timestamp: new Date(0).toISOString(),
        trace_id: 't',
        event_type: 'tool.call_completed',
        status: 'success' as const,
        data: { tool: 't', source: 's', principal: 'p', ms },
      })),
    );
    const rows = await stores.sql<{ latency: number }>('SELECT latency FROM sluice.events ORDER BY id');
    expect(rows.map(({ latency }) => latency)).toEqual(times.map(latencyClass));
  });

  test('events of two replicas become visible in the order of their ids', async () => {
    const open = await stores.place();
    await using one = await open();
    await using two = await open();
    const batch = (n: number) =>
      Array.from({ length: 20 }, () => ({
        timestamp: new Date(0).toISOString(),
        trace_id: `t${n}`,
        event_type: 'x',
        status: 'success' as const,
        data: {},
      }));
    const writers = [one, two, one, two].map(async (store) => {
      for (let n = 0; n < 25; n++) await store.events.append(batch(n));
    });
    const written = { done: false };
    const writing = Promise.all(writers).finally(() => (written.done = true));
    const seen: number[] = [];
    let position = 0;
    while (!written.done || seen.length < 2000) {
      const followed = await two.events.follow({}, position, 1000);
      seen.push(...followed.events.map(({ id }) => id));
      ({ position } = followed);
    }
    await writing;
    expect(new Set(seen).size).toBe(2000);
    expect(seen).toEqual(seen.toSorted((a, b) => a - b));
  });

  describe('migrations', () => {
    const place = (url: string) => ({
      home: stores.home,
      version: '0',
      env: {},
      settings: { kind: 'postgres' as const, url, connections: 3 },
    });
    const withSteps = (...postgres: string[]) => ({ migrations: new Map([['notes', { sqlite: [], postgres }]]) });
    const NOTES = 'CREATE TABLE notes (id bigint PRIMARY KEY); INSERT INTO notes VALUES (1)';

    test('run once, however many open an empty database at the same time', async () => {
      await using database = await createDatabase();
      await using stack = new AsyncDisposableStack();
      const opened = await Promise.all(
        Array.from({ length: 4 }, () => openPostgres(place(database.url), withSteps(NOTES))),
      );
      for (const store of opened) stack.use(store);
      expect(await opened[0]?.tables.rows('SELECT id FROM notes WHERE id = ?', 1)).toEqual([{ id: 1 }]);
      expect(await opened[1]?.tables.rows('SELECT part, version FROM part_versions ORDER BY part')).toEqual([
        { part: 'notes', version: 1 },
        { part: 'store', version: 1 },
      ]);
    });

    test('that fail leave nothing behind, and a later step comes on top', async () => {
      await using database = await createDatabase();
      await expect(openPostgres(place(database.url), withSteps(NOTES, 'CREATE nonsense'))).rejects.toMatchObject({
        name: 'AppError',
        message: expect.stringMatching(/syntax error/) as string,
      });
      {
        await using store = await openPostgres(place(database.url), withSteps(NOTES));
        expect(await store.tables.change('INSERT INTO notes VALUES (?)', 2)).toBe(1);
      }
      {
        await using store = await openPostgres(
          place(database.url),
          withSteps(NOTES, 'ALTER TABLE notes ADD text text'),
        );
        expect(await store.tables.rows('SELECT id, text FROM notes ORDER BY id')).toEqual([
          { id: 1, text: null },
          { id: 2, text: null },
        ]);
      }
      await expect(openPostgres(place(database.url), withSteps(NOTES))).rejects.toThrow(
        /newer Sluice \(notes 2; this one supports up to 1\)/,
      );
    });
  });
});
