import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { migrationsOf } from '../../../src/host/runtime.ts';
import { createSeal } from '../../../src/kernel/seal.ts';
import { parts } from '../../../src/parts.ts';
import { existingKey } from '../../../src/store/master-key.ts';
import { openStore } from '../../../src/store/open.ts';
import { type PostgresAddress, readAddress } from '../../../src/store/postgres/address.ts';
import { type Database, openDatabase } from '../../../src/store/postgres/connection.ts';
import { copyStore, type CopyOptions } from '../../../src/store/postgres/copy.ts';
import { appendTo, batchOf } from '../../../src/store/postgres/event-batch.ts';
import { openSeal } from '../../../src/store/postgres/seal.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';
import { createPlace } from '../../support/command-line.ts';
import { createDatabase, postgresIsMissing, type TestDatabase } from '../../support/postgres.ts';
import { eventOf, fill, migrations } from './embedded.ts';

const SECRET = 'the one that all replicas have, 0123456789';

describe.skipIf(postgresIsMissing)('sluice store migrate', () => {
  let target: TestDatabase;
  let database: Database;
  let home: string;
  beforeEach(async () => {
    home = mkdtempSync(join(tmpdir(), 'sluice-source-'));
    target = await createDatabase();
    database = openDatabase(readAddress(target.url) as PostgresAddress, 4, 'sluice test');
  });
  afterEach(async () => {
    await database[Symbol.asyncDispose]();
    await target[Symbol.asyncDispose]();
    rmSync(home, { recursive: true, force: true });
  });

  const copy = (options: Partial<CopyOptions> = {}) =>
    copyStore(database, {
      file: join(home, 'sluice.db'),
      home: { home, env: { SLUICE_SECRET_KEY: SECRET } },
      migrations,
      progress() {},
      signal: new AbortController().signal,
      ...options,
    });
  const rows = (sql: string) => database.once<Record<string, unknown>>(sql);

  it('copies every table, seals with the key of the target, and counts on', async () => {
    const { secret } = await fill(home, 12_000);
    const before = readFileSync(join(home, 'sluice.db'));
    const copied = await copy();
    expect(copied).toMatchObject({ state: 'copied', resumed: false, leftOut: [], cleaned: 1, outdated: false });
    expect(copied.rows).toEqual({
      catalogues: 1,
      definitions: 2,
      events: 12_000,
      keys: 3,
      login_clients: 1,
      logins: 1,
      notes: 2,
      oauth: 1,
      secrets: 1,
      servers: 1,
      settings: 1,
      tails: 1,
      task_owners: 1,
      webhook_dead: 1,
      webhook_gaps: 0,
      webhooks: 1,
    });
    expect(readFileSync(join(home, 'sluice.db')).equals(before)).toBe(true);

    const seal = await openSeal(database, { home, env: { SLUICE_SECRET_KEY: SECRET } });
    const [server] = await rows('SELECT * FROM servers');
    expect(JSON.parse(seal.open(server?.config as string, 'server added'))).toMatchObject({
      headers: { Authorization: 'Bearer hidden' },
    });
    const [stored] = await rows('SELECT * FROM secrets');
    expect(seal.open(stored?.value as string, 'the secret logins')).toBe(secret.toString('hex'));
    const old = createSeal(existingKey(join(home, 'sluice.key')) as Buffer);
    expect(() => old.open(stored?.value as string, 'the secret logins')).toThrow('Cannot decrypt');

    expect((await rows('SELECT id, revoked_at FROM keys ORDER BY n')).map(({ id }) => id)).toEqual(['z', 'm', 'a']);
    expect((await rows('SELECT sealed FROM logins'))[0]?.sealed).toEqual(Buffer.from([0, 1, 255]));
    expect((await rows('SELECT value FROM catalogues'))[0]?.value).toBe(
      JSON.stringify({ tools: [{ name: 'x', description: 'ü "quoted" \n {} \\ NULL' }] }),
    );
    expect(await rows('SELECT holder, held_until FROM webhooks')).toEqual([{ holder: null, held_until: null }]);
    expect(await rows('SELECT * FROM notes ORDER BY id')).toEqual([
      { id: 41, title: 'a\ufffdb', done: true, weight: 0.5, body: null },
      { id: 42, title: 'plain', done: false, weight: null, body: null },
    ]);
    expect(await rows('SELECT id, at, data, tool, source, principal FROM events WHERE id = 9')).toEqual([
      {
        id: 9,
        at: 1_790_000_000_008,
        data: JSON.stringify(eventOf(8).data),
        tool: 'a__t1',
        source: 'a',
        principal: null,
      },
    ]);
    await database.script(
      `INSERT INTO events (at, trace_id, event_type, status, data) VALUES (1, 't', 'e', 's', '{}');
       INSERT INTO notes (title, done) VALUES ('new', false); INSERT INTO keys (id, hash, value) VALUES ('k', '', '{}')`,
    );
    expect(await rows('SELECT max(id) AS id FROM events')).toEqual([{ id: 12_001 }]);
    expect(await rows('SELECT max(id) AS id FROM notes')).toEqual([{ id: 43 }]);
    expect(await rows("SELECT n FROM keys WHERE id = 'k'")).toEqual([{ n: 4 }]);

    {
      const settings = { kind: 'postgres', url: target.url, connections: 4 } as const;
      const where = { home, version: '1.0.0', settings, env: { SLUICE_SECRET_KEY: SECRET } };
      await using store = await openStore(where, { migrations });
      expect(await store.settings.secret('logins')).toEqual(secret);
      expect(await store.servers.list()).toMatchObject([{ name: 'added', addedBy: 'ana' }]);
      expect(await store.definitions.get('a')).toEqual(
        new Map([
          ['constructor', 'h2'],
          ['x', 'h1'],
        ]),
      );
      expect(await store.taskOwners.get('t')).toMatchObject({ server: 'a', principal: 'ana' });
      expect(await store.tails.get('/var/log/x.jsonl')).toMatchObject({ offset: 7, bad: 1 });
      expect(await store.oauth.findByUid('Grant', 'u')).toMatchObject({ payload: '{"a":1}' });
      expect(await store.outbox.list()).toMatchObject([{ webhook: 'hook', dead: 1 }]);
      const { events } = await store.events.query({ tool: 'a__t1', order: 'asc', limit: 2 });
      expect(events.map(({ id }) => id)).toEqual([2, 9]);
      // The next login must be newer than the copied one.
      await store.logins.put('https://r', 'ana', 'https://other', Buffer.from('newer'));
      expect((await store.logins.find('https://r', 'ana'))[0]?.issuer).toBe('https://other');
    }
    expect(await copy()).toMatchObject({ state: 'done before', rows: copied.rows });
    expect(await rows('SELECT count(*) AS n FROM events')).toEqual([{ n: 12_001 }]);
  });

  it('gives copied events the columns that new ones get', async () => {
    const texts = ['plain', '😀'.repeat(250), 'x'.repeat(5000), 'a\0b', '\ud800 half', 'back\\u0000slash', ''];
    const events = [
      ...texts.map((text, n) => ({ ...eventOf(n, { tool: text, source: 'a', principal: 'ana', ms: n * 1.7, text }) })),
      eventOf(10, { tool: 1, backend: 'b', principal: null }),
      eventOf(11, { server: 's', source: null }),
      { ...eventOf(12, { tool: 't', source: 'a', principal: 'p', ms: 0 }), event_type: 'tool.call_failed' },
      { ...eventOf(13, { tool: 't', source: 'a', principal: 'p' }), event_type: 'tool.call_completed' },
      { ...eventOf(14, { tool: 't', source: 'a', principal: 'p', ms: 12_345.6 }), event_type: 'tool.call_completed' },
    ];
    {
      await using store = await openSqlite(join(home, 'sluice.db'), { migrations });
      await store.events.append(events);
    }
    const copied = await copy();
    expect(copied.cleaned).toBe(2);
    await appendTo(database, batchOf(events), 'once more');
    const columns = 'at, trace_id, event_type, status, data::jsonb, tool, source, principal, latency';
    const first = await rows(`SELECT ${columns} FROM events WHERE id <= ${events.length} ORDER BY id`);
    expect(first).toHaveLength(events.length);
    expect(await rows(`SELECT ${columns} FROM events WHERE id > ${events.length} ORDER BY id`)).toEqual(first);
  });

  it('goes on after an interruption, with what the source is by then', async () => {
    await fill(home, 30_000);
    const stop = new AbortController();
    const interrupted = copy({
      signal: stop.signal,
      progress: (text) => text.startsWith('events: 10000') && stop.abort(new Error('Stopped.')),
    });
    await expect(interrupted).rejects.toThrow('Run the same command again');
    const [half] = await rows('SELECT count(*) AS n FROM events');
    expect(half?.n).toBeGreaterThan(0);
    expect(half?.n).toBeLessThan(30_000);
    await expect(openSeal(database, { home, env: { SLUICE_SECRET_KEY: SECRET } })).rejects.toThrow('unfinished copy');
    {
      await using store = await openSqlite(join(home, 'sluice.db'), { migrations });
      await store.events.append([eventOf(30_000)]);
      await store.events.prune(new Date(1_790_000_000_100));
      await store.keys.revoke('z', '2026-03-01T00:00:00.000Z');
      await store.servers.delete('added');
    }
    const copied = await copy();
    expect(copied).toMatchObject({ state: 'copied', resumed: true });
    expect(copied.rows).toMatchObject({ events: 29_901, keys: 3, servers: 0 });
    expect(await rows('SELECT min(id) AS first, max(id) AS last, count(DISTINCT id) AS n FROM events')).toEqual([
      { first: 101, last: 30_001, n: 29_901 },
    ]);
    expect(await rows("SELECT revoked_at FROM keys WHERE id = 'z'")).toEqual([
      { revoked_at: '2026-03-01T00:00:00.000Z' },
    ]);
  });

  it('reads one moment while a gateway writes, and says that there is more now', async () => {
    await fill(home, 20_000);
    await using store = await openSqlite(join(home, 'sluice.db'), { migrations });
    let n = 20_000;
    const copied = await copy({ progress: () => void store.events.append([eventOf(n++)]) });
    expect(copied.rows.events).toBe(20_000);
    expect(copied.outdated).toBe(true);
    expect(await store.events.count()).toBe(n);
  });

  it('refuses a target that holds something, and another source', async () => {
    await fill(home, 10);
    await copy();
    await database.script("DELETE FROM marks WHERE name = 'copy'");
    await expect(copy()).rejects.toThrow(/already holds a store: there are rows in catalogues, .*DROP SCHEMA/);

    const other = mkdtempSync(join(tmpdir(), 'sluice-source-'));
    try {
      await fill(other, 1);
      await database.script('DROP SCHEMA sluice CASCADE');
      await copy();
      await expect(copy({ file: join(other, 'sluice.db') })).rejects.toThrow(/holds a copy of .*sluice\.db/);
    } finally {
      rmSync(other, { recursive: true, force: true });
    }
  });

  it('refuses a schema of another program, and changes nothing in it', async () => {
    await fill(home, 1);
    await database.script('CREATE SCHEMA sluice; CREATE TABLE sluice.orders (id int)');
    await expect(copy()).rejects.toThrow('belongs to another program: it has the tables orders');
    expect(await rows("SELECT tablename FROM pg_tables WHERE schemaname = 'sluice'")).toEqual([
      { tablename: 'orders' },
    ]);
  });

  it('names what keeps it from reading the source', async () => {
    await expect(copy()).rejects.toThrow('There is no embedded store');
    await fill(home, 1);
    rmSync(join(home, 'sluice.key'));
    await expect(copy()).rejects.toThrow(/sluice\.key does not exist: what is encrypted .* cannot be opened/);
    expect(await rows("SELECT 1 FROM marks WHERE name = 'copy'")).toEqual([]);
  });

  it('names a wrong key of the target before it copies', async () => {
    await fill(home, 1);
    await copy({ home: { home, env: { SLUICE_SECRET_KEY: 'another one that is long enough, 0123456789' } } });
    await database.script(
      "DELETE FROM marks WHERE name = 'copy'; TRUNCATE events, keys, servers, secrets, settings, catalogues, definitions, oauth, logins, login_clients, task_owners, tails, webhooks, webhook_dead, notes",
    );
    await expect(copy()).rejects.toThrow('SLUICE_SECRET_KEY is not the key');
  });

  it('on the command line: prints counts, survives SIGKILL, and exits with 3 if nobody answers', async () => {
    await using place = await createPlace();
    await fill(place.home, 60_000, migrationsOf(parts));
    const env = { SLUICE_STORE: target.url };
    const killed = place.start(['store', 'migrate'], { env });
    await expect
      .poll(async () => (await rows('SELECT count(*) AS n FROM sluice.events').catch(() => []))[0]?.n, {
        timeout: 20_000,
        interval: 5,
      })
      .toBeGreaterThan(0);
    killed.child.kill('SIGKILL');
    await killed.finished;
    const stopped = place.start(['store', 'migrate'], { env });
    await stopped.printed(/: \d+ of \d+ rows/);
    stopped.child.kill('SIGINT');
    const { code, stderr } = await stopped.finished;
    expect([code, stderr]).toEqual([1, expect.stringContaining('Stopped. The copy is not finished') as string]);
    const half = Number((await rows('SELECT count(*) AS n FROM events'))[0]?.n);
    expect(half).toBeLessThan(60_000);

    const done = await place.run(['store', 'migrate', '--to', target.url]);
    expect(done.stderr).toContain('going on with an unfinished copy');
    expect(done.code).toBe(0);
    expect(done.stdout).toMatch(/^events +60000 +60000$/m);
    expect(await rows('SELECT count(DISTINCT id) AS n FROM events')).toEqual([{ n: 60_000 }]);
    const again = await place.run(['store', 'migrate', '--to', target.url]);
    expect(again.stderr).toContain('Nothing was done');

    const wrong = await place.run(['store', 'migrate', '--to', target.url.replace(target.password, 'wrong-pw')]);
    expect(wrong.code).toBe(3);
    expect(wrong.stderr).toContain('refuses the user postgres');
    expect(wrong.stderr).not.toContain('wrong-pw');
    const usage = await place.run(['store', 'migrate']);
    expect(usage.code).toBe(2);
    const nobody = await place.run(['store', 'status'], { env: { SLUICE_STORE: 'postgres://a:b@127.0.0.1:1/c' } });
    expect(nobody.code).toBe(3);
  });
});
