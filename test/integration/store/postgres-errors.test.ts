import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readAddress } from '../../../src/store/postgres/address.ts';
import { openDatabase } from '../../../src/store/postgres/connection.ts';
import { openPostgres } from '../../../src/store/postgres/open.ts';
import type { StoreOptions } from '../../../src/store/store.ts';
import { postgresIsMissing } from '../../support/postgres.ts';
import { emptyStores, type EmptyStores } from '../../support/postgres-stores.ts';

const anEvent = {
  timestamp: new Date(0).toISOString(),
  trace_id: 't',
  event_type: 'x',
  status: 'success' as const,
  data: {},
};

function addressOf(url: string) {
  const address = readAddress(url);
  if ('problem' in address) throw new Error(address.problem);
  return address;
}

describe.skipIf(postgresIsMissing)('PostgreSQL that cannot be used as the store', () => {
  let stores: EmptyStores;
  const role = `limited_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
  beforeAll(async () => {
    stores = await emptyStores();
    await using _migrated = await stores.open();
    await stores.sql(`CREATE ROLE ${role} LOGIN PASSWORD 'pw' CONNECTION LIMIT 3`);
  });
  afterAll(async () => {
    await stores.sql(`DROP OWNED BY ${role}`);
    await stores.sql(`DROP ROLE ${role}`);
    await stores[Symbol.asyncDispose]();
  });

  const changed = (change: (url: URL) => void) => {
    const url = new URL(stores.url);
    change(url);
    return url.href;
  };
  const asRole = () =>
    changed((url) => {
      url.username = role;
      url.password = 'pw';
    });
  const open = (url: string, options: StoreOptions = {}) =>
    openPostgres(
      { home: stores.home, version: '0', env: {}, settings: { kind: 'postgres', url, connections: 4 } },
      options,
    );
  const refusal = async (url: string, options?: StoreOptions) => {
    const error = await open(url, options).then(
      async (store) => {
        await store[Symbol.asyncDispose]();
        throw new Error('It opened');
      },
      (thrown: unknown) => thrown as Error & { code: string },
    );
    expect(error).toMatchObject({ name: 'AppError' });
    const { password } = new URL(url);
    if (password) expect(error.message).not.toContain(password);
    return error;
  };

  test('a wrong password', async () => {
    const error = await refusal(changed((url) => (url.password = 'wr0ng-one')));
    expect(error).toMatchObject({ code: 'unavailable' });
    expect(error.message).toMatch(/refuses the user postgres .*Correct the user or the password/);
  });

  test('a missing database', async () => {
    const error = await refusal(changed((url) => (url.pathname = '/no_such_one')));
    expect(error.message).toMatch(/has no database no_such_one\. Create it: CREATE DATABASE "no_such_one" OWNER/);
  });

  test('nobody listens, or no such host', async () => {
    expect((await refusal(changed((url) => (url.port = '1')))).message).toMatch(
      /cannot be reached .*Check that it runs/,
    );
    expect((await refusal(changed((url) => (url.hostname = 'no-such-host.invalid')))).message).toMatch(
      /cannot be reached/,
    );
  });

  test('a schema that belongs to somebody else', async () => {
    const error = await refusal(asRole());
    expect(error.message).toMatch(/does not let limited_\w+ do that .*owner of the schema sluice/);
  });

  test('no right to create the schema', async () => {
    await stores.sql('DROP SCHEMA sluice CASCADE');
    const error = await refusal(asRole());
    expect(error.message).toMatch(/does not let limited_\w+ do that .*GRANT CREATE ON DATABASE/);
    await using _again = await stores.open();
  });

  test('too many connections', async () => {
    await using database = openDatabase(addressOf(asRole()), 5, 'test');
    const used = await Promise.allSettled(Array.from({ length: 4 }, () => database.rows('SELECT pg_sleep(0.2)')));
    const refused = used.filter(({ status }) => status === 'rejected') as PromiseRejectedResult[];
    expect(refused).toHaveLength(1);
    expect(refused[0]?.reason).toMatchObject({
      code: 'unavailable',
      message: expect.stringMatching(/no connection left.*store\.connections/) as string,
    });
  });

  test('all connections of the pool busy: one that waits too long is told so', async () => {
    const times = { connect: 200, statement: 5000, lock: 200, silence: 1000, closing: 2000 };
    await using database = openDatabase(addressOf(stores.url), 1, 'test', times);
    const slow = database.rows('SELECT pg_sleep(0.6)');
    await expect(database.rows('SELECT 1')).rejects.toThrow(/uses all of its own.*raise store\.connections/);
    await slow;
    expect(await database.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('a statement that takes too long, and a lock that is held, end with their time', async () => {
    const times = { connect: 2000, statement: 300, lock: 150, silence: 1000, closing: 2000 };
    await using database = openDatabase(addressOf(stores.url), 2, 'test', times);
    await expect(database.rows('SELECT pg_sleep(5)')).rejects.toMatchObject({
      code: 'timeout',
      message: expect.stringMatching(/took too long/) as string,
    });
    // With the time of a statement ends the time that a transaction may be idle, and with that its lock.
    await using patient = openDatabase(addressOf(stores.url), 2, 'test', { ...times, statement: 10_000 });
    await patient.transaction(async (session) => {
      await session.script('LOCK TABLE settings');
      await expect(patient.rows('SELECT * FROM settings')).rejects.toThrow(/something else holds a lock/);
    });
    expect(await database.rows('SELECT 1 AS one')).toEqual([{ one: 1 }]);
  });

  test('a newer Sluice migrated it: nothing is changed', async () => {
    await stores.sql(`UPDATE sluice.part_versions SET version = 99 WHERE part = 'store'`);
    try {
      const error = await refusal(stores.url);
      expect(error).toMatchObject({ code: 'unsupported' });
      expect(error.message).toMatch(/newer Sluice \(store 99; .*Start that version or a newer one/);
    } finally {
      await stores.sql(`UPDATE sluice.part_versions SET version = 1 WHERE part = 'store'`);
    }
  });

  test('a database in another encoding', async () => {
    const name = `latin_${process.pid}_${Math.random().toString(36).slice(2, 8)}`;
    await stores.sql(`CREATE DATABASE ${name} ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0`);
    try {
      expect((await refusal(changed((url) => (url.pathname = `/${name}`)))).message).toMatch(/LATIN1.*ENCODING 'UTF8'/);
    } finally {
      await stores.sql(`DROP DATABASE ${name} WITH (FORCE)`);
    }
  });

  test('connections that break are replaced', async () => {
    await using store = await stores.open();
    await store.settings.put('k', 1);
    const kill = () =>
      stores.sql(
        `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE application_name LIKE 'sluice %' AND datname = current_database()`,
      );
    await kill();
    expect(await store.settings.get('k')).toBe(1);
    // Within a transaction, which is not repeated: nothing of it is stored.
    await using database = openDatabase(addressOf(stores.url), 2, 'sluice test');
    const broken = database.transaction(async (session) => {
      await session.change(`INSERT INTO settings (key, value) VALUES ('half', '1')`);
      await kill();
      await session.change(`INSERT INTO settings (key, value) VALUES ('other', '1')`);
    });
    await expect(broken).rejects.toMatchObject({ code: 'unavailable' });
    expect(await database.rows(`SELECT * FROM settings WHERE key IN ('half', 'other')`)).toEqual([]);
  });

  test('a part that fails in a transaction leaves the connection usable', async () => {
    await using database = openDatabase(addressOf(stores.url), 1, 'test');
    await expect(
      database.transaction(async (session) => {
        await session.change(`INSERT INTO settings (key, value) VALUES ('half', '1')`);
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await database.rows(`SELECT * FROM settings WHERE key = 'half'`)).toEqual([]);
  });

  test('an index of texts from outside takes long ones, and a text may have a NUL', async () => {
    await using store = await stores.open();
    const long = (text: string) => Array.from({ length: 3000 }, (_, n) => `${text}${n}`).join('');
    const longest = { tool: long('t'), source: long('s'), principal: long('p') };
    const odd = { tool: 'a\0b', source: String.raw`\u0000`, principal: '\uD800', note: String.raw`\\u0000 "\ud834"` };
    await store.events.append([
      { ...anEvent, event_type: long('e'), trace_id: long('r'), data: longest },
      { ...anEvent, event_type: long('e').slice(0, 400), data: { ...longest, tool: `${longest.tool}x` } },
      { ...anEvent, data: odd },
    ]);
    const found = async (query: object) => (await store.events.query(query)).events.length;
    for (const query of [
      { tool: longest.tool },
      { type: long('e') },
      { trace: long('r') },
      { tool: 'a\0b' },
      { source: String.raw`\u0000` },
      { principal: '\uD800' },
    ])
      expect(await found(query)).toBe(1);
    expect(await found({ source: longest.source })).toBe(2);
    expect(await found({ type: `${long('e').slice(0, 300)}*` })).toBe(2);
    const [event] = (await store.events.query()).events;
    expect(event?.data).toEqual({ ...odd, tool: 'a\uFFFDb', principal: '\uFFFD' });
  });
});
