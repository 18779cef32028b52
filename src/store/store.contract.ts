import { describe, expect, test } from 'vitest';
import type { RecordedEvent } from '../kernel/events.ts';
import type { EventQuery, OwnedTask, Store, StoredEvent } from './store.ts';

/** The contract of every store. `open` returns a new, empty store each time. */
export function storeContract(name: string, open: () => Promise<Store>): void {
  describe(`${name}: catalogues`, () => {
    test('are kept per server with their fingerprint', async () => {
      await using store = await open();
      expect(await store.catalogues.get('a')).toBeUndefined();
      await store.catalogues.put('b', 'f1', { tools: [{ name: 'x', description: 'ü "quoted" \n' }] });
      await store.catalogues.put('a', 'f2', []);
      const kept = await store.catalogues.get('b');
      expect(kept).toEqual({
        fingerprint: 'f1',
        value: { tools: [{ name: 'x', description: 'ü "quoted" \n' }] },
        savedAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/) as string,
      });
      expect((await store.catalogues.all()).map(({ server, fingerprint }) => [server, fingerprint])).toEqual([
        ['a', 'f2'],
        ['b', 'f1'],
      ]);
    });

    test('are replaced and deleted', async () => {
      await using store = await open();
      await store.catalogues.put('a', 'f1', 1);
      await store.catalogues.put('a', 'f2', 2);
      expect(await store.catalogues.get('a')).toMatchObject({ fingerprint: 'f2', value: 2 });
      await store.catalogues.delete('a');
      await store.catalogues.delete('never there');
      expect(await store.catalogues.all()).toEqual([]);
    });

    test('refuse what is not JSON', async () => {
      await using store = await open();
      const circular: Record<string, unknown> = {};
      circular.self = circular;
      for (const value of [undefined, circular, 1n]) {
        await expect(store.catalogues.put('a', 'f', value)).rejects.toMatchObject({ code: 'invalid_input' });
      }
      expect(await store.catalogues.get('a')).toBeUndefined();
    });
  });

  describe(`${name}: servers`, () => {
    test('are listed by name, replaced and deleted', async () => {
      await using store = await open();
      await store.servers.put('z', { url: 'http://127.0.0.1:1/mcp' }, 'ana');
      await store.servers.put('a', { command: 'x' }, 'ana');
      await store.servers.put('a', { command: 'y', args: ['--flag'] }, 'bob');
      expect(await store.servers.list()).toEqual([
        {
          name: 'a',
          config: { command: 'y', args: ['--flag'] },
          addedAt: expect.any(String) as string,
          addedBy: 'bob',
        },
        { name: 'z', config: { url: 'http://127.0.0.1:1/mcp' }, addedAt: expect.any(String) as string, addedBy: 'ana' },
      ]);
      expect(await store.servers.delete('a')).toBe(true);
      expect(await store.servers.delete('a')).toBe(false);
      expect((await store.servers.list()).map((server) => server.name)).toEqual(['z']);
    });
  });

  describe(`${name}: settings`, () => {
    test('keep any JSON value', async () => {
      await using store = await open();
      expect(await store.settings.get('k')).toBeUndefined();
      for (const value of ['text', 0, false, null, [1, { a: 'b' }]]) {
        await store.settings.put('k', value);
        expect(await store.settings.get('k')).toEqual(value);
      }
    });

    test('a secret is random, constant and not a setting', async () => {
      await using store = await open();
      const secret = await store.settings.secret('k');
      expect(secret).toHaveLength(32);
      expect(await store.settings.secret('k')).toEqual(secret);
      expect(await store.settings.secret('other')).not.toEqual(secret);
      expect(await store.settings.get('k')).toBeUndefined();
    });
  });

  describe(`${name}: definitions`, () => {
    test('are kept per server and tool', async () => {
      await using store = await open();
      await store.definitions.put(
        's',
        new Map([
          ['a', 'h1'],
          ['b', 'h2'],
        ]),
      );
      await store.definitions.put('s', new Map([['a', 'h3']]));
      await store.definitions.put('t', new Map([['a', 'h4']]));
      await store.definitions.put('t', new Map());
      expect(await store.definitions.get('s')).toEqual(
        new Map([
          ['a', 'h3'],
          ['b', 'h2'],
        ]),
      );
      await store.definitions.delete('s', 'a');
      expect(await store.definitions.get('s')).toEqual(new Map([['b', 'h2']]));
      await store.definitions.delete('s');
      expect(await store.definitions.get('s')).toEqual(new Map());
      expect(await store.definitions.get('t')).toEqual(new Map([['a', 'h4']]));
    });
  });

  describe(`${name}: task owners`, () => {
    const later = Date.now() + 3_600_000;
    const task = (id: string, more: Partial<OwnedTask> = {}): OwnedTask => ({
      id,
      server: 's',
      own: id,
      principal: 'ada',
      expires: later,
      ...more,
    });

    test('are found by id, and by the id of their server', async () => {
      await using store = await open();
      expect(await store.taskOwners.get('1')).toBeUndefined();
      await store.taskOwners.put(task('1'), 10);
      await store.taskOwners.put(task('s+1', { own: '1', principal: 'bob' }), 10);
      await store.taskOwners.put(task('t+1', { own: '1', server: 't' }), 10);
      expect({ ...(await store.taskOwners.get('s+1')) }).toEqual(task('s+1', { own: '1', principal: 'bob' }));
      const found = await store.taskOwners.at('s', ['1', '2', "'; --"]);
      expect(found.map(({ id, principal }) => [id, principal])).toEqual([
        ['1', 'ada'],
        ['s+1', 'bob'],
      ]);
      expect(await store.taskOwners.at('s', [])).toEqual([]);
    });

    test('are replaced, and not found after their expiry', async () => {
      await using store = await open();
      await store.taskOwners.put(task('1'), 10);
      await store.taskOwners.put(task('1', { principal: 'bob' }), 10);
      expect(await store.taskOwners.get('1')).toMatchObject({ principal: 'bob' });
      await store.taskOwners.put(task('1', { expires: Date.now() - 1 }), 10);
      expect(await store.taskOwners.get('1')).toBeUndefined();
      expect(await store.taskOwners.at('s', ['1'])).toEqual([]);
    });

    test('are limited per principal, oldest dropped first, without affecting others', async () => {
      await using store = await open();
      await store.taskOwners.put(task('first', { principal: 'bob' }), 10);
      for (let n = 0; n <= 3; n++) await store.taskOwners.put(task(String(n)), 3);
      expect(await store.taskOwners.get('0')).toBeUndefined();
      expect(await store.taskOwners.get('1')).toBeDefined();
      expect(await store.taskOwners.get('first')).toMatchObject({ principal: 'bob' });
    });
  });

  describe(`${name}: logins`, () => {
    const sealed = (text: string) => Buffer.from(text);

    test('are kept per resource, principal and issuer, the newest first', async () => {
      await using store = await open();
      expect(await store.logins.find('r', '')).toEqual([]);
      await store.logins.put('r', '', 'i1', sealed('a'));
      await store.logins.put('r', '', 'i2', sealed('b'));
      await store.logins.put('r', 'ana', 'i1', sealed('c'));
      await store.logins.put('r', '', 'i1', sealed('d'));
      const found = await store.logins.find('r', '');
      expect(found.map((login) => [login.issuer, login.sealed.toString()])).toEqual([
        ['i1', 'd'],
        ['i2', 'b'],
      ]);
      expect(await store.logins.delete('r', '')).toBe(2);
      expect(await store.logins.delete('r', '')).toBe(0);
      expect(await store.logins.find('r', 'ana')).toHaveLength(1);
    });

    test('remember the registered client', async () => {
      await using store = await open();
      expect(await store.logins.client('i', 'u')).toBeUndefined();
      await store.logins.putClient('i', 'u', sealed('a'));
      await store.logins.putClient('i', 'u', sealed('b'));
      await store.logins.putClient('i', 'v', sealed('c'));
      expect((await store.logins.client('i', 'u'))?.toString()).toBe('b');
      await store.logins.deleteClient('i', 'u');
      expect(await store.logins.client('i', 'u')).toBeUndefined();
      expect((await store.logins.client('i', 'v'))?.toString()).toBe('c');
      await store.logins.deleteClient('i');
      expect(await store.logins.client('i', 'v')).toBeUndefined();
    });
  });

  describe(`${name}: keys`, () => {
    const key = (id: string) => ({
      id,
      hash: Buffer.alloc(32, id),
      grant: { name: `key ${id}`, scopes: ['tools:read'], createdAt: '2026-11-15T00:00:00.000Z', createdBy: 'test' },
    });

    test('are listed in order of creation, with what they allow', async () => {
      await using store = await open();
      await store.keys.add(key('b'));
      await store.keys.add({ ...key('a'), grant: { ...key('a').grant, tools: ['x_*'], readOnly: true } });
      const listed = await store.keys.list();
      expect(listed).toEqual([key('b'), { ...key('a'), grant: { ...key('a').grant, tools: ['x_*'], readOnly: true } }]);
    });

    test('are revoked once, and stay listed', async () => {
      await using store = await open();
      await store.keys.add(key('a'));
      expect(await store.keys.revoke('a', '2026-11-16T00:00:00.000Z')).toBe(true);
      expect(await store.keys.revoke('a', '2026-11-17T00:00:00.000Z')).toBe(false);
      expect(await store.keys.revoke('b', '2026-11-17T00:00:00.000Z')).toBe(false);
      expect(await store.keys.list()).toEqual([{ ...key('a'), revokedAt: '2026-11-16T00:00:00.000Z' }]);
    });
  });

  describe(`${name}: oauth`, () => {
    const later = Date.now() + 3_600_000;

    test('finds records by id and by uid, separately for each kind', async () => {
      await using store = await open();
      await store.oauth.put('Session', 'a', { payload: 'one', uid: 'u', expires: later });
      await store.oauth.put('Client', 'a', { payload: 'two' });
      expect(await store.oauth.find('Session', 'a')).toEqual({ payload: 'one', expires: later });
      expect(await store.oauth.findByUid('Session', 'u')).toEqual({ payload: 'one', expires: later });
      expect(await store.oauth.find('Client', 'a')).toEqual({ payload: 'two' });
      expect(await store.oauth.findByUid('Client', 'u')).toBeUndefined();
      expect(await store.oauth.find('Grant', 'a')).toBeUndefined();
      await store.oauth.delete('Session', 'a');
      expect(await store.oauth.find('Session', 'a')).toBeUndefined();
      expect(await store.oauth.find('Client', 'a')).toEqual({ payload: 'two' });
    });

    test('lists a kind without what has expired, and no more than asked for', async () => {
      await using store = await open();
      await store.oauth.put('Grant', 'a', { payload: 'one', expires: later, grant: 'g' });
      await store.oauth.put('Grant', 'b', { payload: 'two', expires: later + 1 });
      await store.oauth.put('Grant', 'c', { payload: 'three' });
      await store.oauth.put('Client', 'd', { payload: 'four' });
      await store.oauth.put('Grant', 'e', { payload: 'five', expires: Date.now() - 1 });
      expect(await store.oauth.list('Grant', 10)).toEqual([
        { id: 'c', payload: 'three' },
        { id: 'b', payload: 'two', expires: later + 1 },
        { id: 'a', payload: 'one', expires: later },
      ]);
      expect(await store.oauth.list('Grant', 1)).toEqual([{ id: 'c', payload: 'three' }]);
    });

    test('consumes a record once', async () => {
      await using store = await open();
      await store.oauth.put('Code', 'a', { payload: 'p', expires: later });
      expect(await store.oauth.consume('Code', 'a', 5)).toBe(true);
      expect(await store.oauth.consume('Code', 'a', 6)).toBe(false);
      expect(await store.oauth.consume('Code', 'b', 6)).toBe(false);
      expect(await store.oauth.find('Code', 'a')).toEqual({ payload: 'p', expires: later, consumed: 5 });
    });

    test('forgets expired records, unless extended in time', async () => {
      await using store = await open();
      await store.oauth.put('Client', 'a', { payload: 'p', expires: Date.now() + 30 });
      await store.oauth.put('Client', 'b', { payload: 'p', expires: Date.now() + 30 });
      await store.oauth.put('Client', 'c', { payload: 'p' });
      await store.oauth.extend('Client', 'b', later);
      await store.oauth.extend('Client', 'b', 1);
      await store.oauth.extend('Client', 'c', later);
      await expect.poll(() => store.oauth.find('Client', 'a')).toBeUndefined();
      expect(await store.oauth.find('Client', 'b')).toEqual({ payload: 'p', expires: later });
      expect(await store.oauth.find('Client', 'c')).toEqual({ payload: 'p' });
      await store.oauth.put('Client', 'd', { payload: 'p' });
      expect(await store.oauth.count('Client')).toBe(3);
    });

    test('drops the record of a kind that expires next', async () => {
      await using store = await open();
      await store.oauth.put('Client', 'a', { payload: 'p', expires: later + 2 });
      await store.oauth.put('Client', 'b', { payload: 'p', expires: later + 1 });
      await store.oauth.put('Client', 'c', { payload: 'p' });
      await store.oauth.put('Grant', 'd', { payload: 'p', expires: later });
      await store.oauth.deleteNext('Client');
      expect(await store.oauth.find('Client', 'b')).toBeUndefined();
      await store.oauth.deleteNext('Client');
      await store.oauth.deleteNext('Client');
      expect(await store.oauth.count('Client')).toBe(1);
      expect(await store.oauth.count('Grant')).toBe(1);
    });

    test('drops all records of a grant or of a kind', async () => {
      await using store = await open();
      await store.oauth.put('RefreshToken', 'a', { payload: 'p', grant: 'g', expires: later });
      await store.oauth.put('Code', 'b', { payload: 'p', grant: 'g', expires: later });
      await store.oauth.put('RefreshToken', 'c', { payload: 'p', grant: 'h', expires: later });
      await store.oauth.deleteGrant('g');
      expect(await store.oauth.count('Code')).toBe(0);
      expect(await store.oauth.count('RefreshToken')).toBe(1);
      expect(await store.oauth.deleteKind('RefreshToken')).toBe(1);
      expect(await store.oauth.deleteKind('RefreshToken')).toBe(0);
    });
  });

  describe(`${name}: events`, () => {
    test('come back as they were recorded, newest first by default', async () => {
      await using store = await open();
      expect(await store.events.query()).toEqual({ events: [] });
      const given = [event({ data: { tool: 'a', nested: { list: [1, null, 'ü'] } } }), event({ status: 'failure' })];
      await store.events.append(given);
      await store.events.append([]);
      const { events } = await store.events.query({ order: 'asc' });
      expect(events).toEqual(given.map((one) => ({ ...one, id: expect.any(Number) as number })));
      expect((await store.events.query()).events).toEqual(events.toReversed());
      expect(await store.events.count()).toBe(2);
    });

    test('times are kept in UTC', async () => {
      await using store = await open();
      await store.events.append([event({ timestamp: '2026-03-01T12:00:00.123456+02:00' })]);
      expect((await store.events.query()).events[0]?.timestamp).toBe('2026-03-01T10:00:00.123Z');
    });

    test('a batch with an invalid event leaves nothing behind', async () => {
      await using store = await open();
      for (const bad of [event({ timestamp: 'yesterday' }), event({ data: { n: 1n } })]) {
        await expect(store.events.append([event(), bad])).rejects.toMatchObject({ code: 'invalid_input' });
      }
      expect(await store.events.count()).toBe(0);
    });

    test.each<[string, EventQuery, string[]]>([
      ['a trace', { trace: 't2' }, ['2', '4']],
      ['a type', { type: 'tool.call_failed' }, ['2']],
      ['a prefix of the type', { type: 'tool.*' }, ['1', '2', '3']],
      ['a prefix without a dot', { type: 'tool.call_*' }, ['1', '2', '3']],
      ['every type', { type: '*' }, ['1', '2', '3', '4', '5']],
      ['a status', { status: 'failure' }, ['2', '5']],
      ['since, inclusive', { since: at(3) }, ['3', '4', '5']],
      ['until, exclusive', { until: at(3) }, ['1', '2']],
      ['a window', { since: at(2), until: at(4) }, ['2', '3']],
      ['text in a value', { text: 'refused' }, ['2']],
      ['text in any case', { text: 'REFUSED' }, ['2']],
      ['text in a nested value', { text: 'deep' }, ['4']],
      ['text in the type', { text: 'backend_failed' }, ['5']],
      ['no text in the keys', { text: 'reason' }, []],
      ['wildcards taken literally', { text: '100%' }, ['3']],
      ['an underscore taken literally', { text: 'a_b' }, ['5']],
      ['quotes and backslashes', { text: String.raw`"C:\dir"` }, ['4']],
      ['no text', { text: '' }, ['1', '2', '3', '4', '5']],
      ['all at once', { trace: 't2', type: 'tool.*', status: 'failure', since: at(1), until: at(9), text: 'x' }, ['2']],
      ['injection', { trace: `' OR 1=1 --` }, []],
      ['a tool', { tool: 'x' }, ['1']],
      ['a source', { source: 's' }, ['3']],
      ['a server as the source', { source: 'a_b' }, ['5']],
      ['principal', { principal: 'key:"1"' }, ['3']],
      ['principal, but not one that is only mentioned', { principal: 'x' }, []],
      ['audit', { audit: true }, ['6', '7']],
    ])('are found by %s', async (_, query, wanted) => {
      await using store = await open();
      await store.events.append([
        event({ data: { n: '1', tool: 'x' } }, 1),
        event(
          { trace_id: 't2', event_type: 'tool.call_failed', status: 'failure', data: { n: '2', reason: 'x refused' } },
          2,
        ),
        event(
          {
            event_type: 'tool.call_received',
            status: 'pending',
            data: { n: '3', tool: 'at 100% axb', source: 's', principal: 'key:"1"' },
          },
          3,
        ),
        event(
          { trace_id: 't2', event_type: 'gateway.x', data: { n: '4', a: { b: ['deep'] }, path: String.raw`"C:\dir"` } },
          4,
        ),
        event({ event_type: 'gateway.backend_failed', status: 'failure', data: { n: '5', backend: 'a_b' } }, 5),
        ...(query.audit
          ? [
              event({ event_type: 'gateway.server_added', data: { n: '6' } }, 6),
              event({ event_type: 'key.revoked', data: { n: '7' } }, 7),
            ]
          : []),
      ]);
      const { events } = await store.events.query({ ...query, order: 'asc' });
      expect(events.map(({ data }) => data.n)).toEqual(wanted);
    });

    test.each<[string, EventQuery]>([
      ['limit 0', { limit: 0 }],
      ['limit 1001', { limit: 1001 }],
      ['limit 1.5', { limit: 1.5 }],
      ['a star in the middle', { type: 'tool.*_failed' }],
      ['two stars', { type: 'tool.**' }],
      ['an unknown status', { status: 'lost' as never }],
      ['an unknown order', { order: 'up' as never }],
      ['no time', { since: new Date('never') }],
      ['endless text', { text: 'x'.repeat(100_000) }],
      ['a made-up cursor', { cursor: 'abc' }],
      ['an empty cursor', { cursor: '' }],
    ])('refuse %s', async (_, query) => {
      await using store = await open();
      await expect(store.events.query(query)).rejects.toMatchObject({ name: 'AppError', code: 'invalid_input' });
    });

    test('a cursor is valid for its own query only', async () => {
      await using store = await open();
      await store.events.append(Array.from({ length: 9 }, () => event()));
      const query: EventQuery = { type: 'tool.*', trace: 't1', limit: 3 };
      const { cursor } = await store.events.query(query);
      expect(cursor).toBeTypeOf('string');
      for (const other of [
        { type: 'tool.call_completed' },
        { trace: undefined },
        { text: 'x' },
        { principal: 'x' },
        { audit: true },
        { order: 'asc' },
      ] as const) {
        await expect(store.events.query({ ...query, ...other, cursor })).rejects.toMatchObject({
          code: 'invalid_input',
        });
      }
      for (const broken of [`1${cursor}`, `${cursor}x`, cursor?.slice(1), cursor?.toUpperCase()]) {
        await expect(store.events.query({ ...query, cursor: broken })).rejects.toMatchObject({ code: 'invalid_input' });
      }
      expect((await store.events.query({ ...query, limit: 2, cursor })).events).toHaveLength(2);
    });

    test('the last page has no cursor, even when it is full', async () => {
      await using store = await open();
      await store.events.append(Array.from({ length: 4 }, () => event()));
      const first = await store.events.query({ limit: 2 });
      const second = await store.events.query({ limit: 2, cursor: first.cursor });
      expect(second.events).toHaveLength(2);
      expect(second.cursor).toBeUndefined();
    });

    test('pages of 5,000 events contain each once while more are appended', async () => {
      await using store = await open();
      const numbered = (from: number, count: number) =>
        Array.from({ length: count }, (_, i) => event({ data: { n: from + i } }, from + i));
      await store.events.append(numbered(0, 5000));

      const backwards = await allPages(store, { order: 'desc', limit: 333 }, (page) =>
        store.events.append(numbered(5000 + page * 10, 10)),
      );
      expect(backwards.map(({ data }) => data.n)).toEqual(Array.from({ length: 5000 }, (_, i) => 4999 - i));

      const before = await store.events.count();
      const forwards = await allPages(store, { order: 'asc', limit: 1000 }, (page) =>
        page < 5 ? store.events.append(numbered(before + page * 10, 10)) : Promise.resolve(),
      );
      expect(forwards.map(({ data }) => data.n)).toEqual(Array.from({ length: before + 50 }, (_, i) => i));
    });

    test('old events are pruned, and their ids not reused', async () => {
      await using store = await open();
      await store.events.append(Array.from({ length: 2500 }, (_, i) => event({}, i)));
      const newest = (await store.events.query({ limit: 1 })).events[0] as StoredEvent;
      expect(await store.events.prune(at(2400))).toBe(2400);
      expect(await store.events.count()).toBe(100);
      expect((await store.events.query({ limit: 1, order: 'asc' })).events[0]?.timestamp).toBe(at(2400).toISOString());
      expect(await store.events.prune(at(9999))).toBe(100);
      expect(await store.events.prune(at(9999))).toBe(0);
      await store.events.append([event()]);
      expect((await store.events.query()).events[0]?.id).toBeGreaterThan(newest.id);
      await expect(store.events.prune(new Date('never'))).rejects.toMatchObject({ code: 'invalid_input' });
    });
  });

  describe(`${name}: tables apart`, () => {
    const add = 'INSERT INTO login_clients (issuer, redirect, sealed) VALUES (?, ?, ?)';
    const all = 'SELECT issuer, redirect, sealed FROM login_clients ORDER BY issuer, redirect';

    test('read what was written, bytes too', async () => {
      await using store = await open();
      expect(await store.apart.change(add, 'a?', "it's", new Uint8Array([0, 255]))).toBe(1);
      const [row] = await store.apart.rows<{ issuer: string; redirect: string; sealed: Uint8Array }>(all);
      expect({ ...row, sealed: [...(row?.sealed ?? [])] }).toEqual({
        issuer: 'a?',
        redirect: "it's",
        sealed: [0, 255],
      });
      expect(await store.tables.rows(all)).toHaveLength(1);
    });

    test('a batch happens as a whole or not at all', async () => {
      await using store = await open();
      const bytes = new Uint8Array([1]);
      const remove = { sql: 'DELETE FROM login_clients WHERE issuer = ?', values: ['b'], expect: 1 };
      const first = { sql: add, values: ['b', '1', bytes], expect: 1 };
      expect(await store.apart.batch([first, { sql: add, values: ['b', '2', bytes] }])).toEqual([1, 1]);
      expect(await store.apart.batch([{ sql: add, values: ['c', '1', bytes] }, remove])).toBeUndefined();
      await expect(store.apart.batch([{ sql: add, values: ['d', '1', bytes] }, first])).rejects.toMatchObject({
        name: 'AppError',
      });
      const rows = await store.apart.rows<{ issuer: string; redirect: string }>(all);
      expect(rows.map(({ issuer, redirect }) => issuer + redirect)).toEqual(['b1', 'b2']);
    });

    test('work that has begun is finished when the store closes', async () => {
      const store = await open();
      const done = store.apart.change(add, 'e', '1', new Uint8Array([1]));
      await store[Symbol.asyncDispose]();
      expect(await done).toBe(1);
      await expect(store.apart.rows(all)).rejects.toMatchObject({ code: 'unavailable' });
    });
  });

  describe(`${name}: the end`, () => {
    test('a closed store says so, and may be closed twice', async () => {
      const store = await open();
      await store.events.count();
      await store[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
      for (const use of [
        () => store.catalogues.all(),
        () => store.settings.secret('k'),
        () => store.events.append([event()]),
        () => store.events.count(),
      ]) {
        await expect(use()).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringMatching('closed') as string,
        });
      }
    });

    test('a pending query is rejected, not forgotten', async () => {
      const store = await open();
      await store.events.append(Array.from({ length: 5000 }, () => event()));
      const owed = store.events.prune(new Date()).catch((error: unknown) => error);
      await store[Symbol.asyncDispose]();
      expect(await owed).toMatchObject({ code: 'unavailable', message: expect.stringMatching('closed') as string });
    });
  });
}

/** The contract of a durable store. `place` returns a function that opens the same new, empty place each time. */
export function durableStoreContract(name: string, place: () => Promise<() => Promise<Store>>): void {
  describe(`${name}: durability`, () => {
    test('everything is there after reopening', async () => {
      const open = await place();
      let secret: Buffer;
      {
        await using store = await open();
        await store.catalogues.put('s', 'f', { tools: [] });
        await store.servers.put('s', { url: 'x' }, 'ana');
        await store.settings.put('k', 1);
        secret = await store.settings.secret('k');
        await store.definitions.put('s', new Map([['t', 'h']]));
        await store.events.append([event(), event()]);
      }
      await using again = await open();
      expect(await again.catalogues.get('s')).toMatchObject({ fingerprint: 'f', value: { tools: [] } });
      expect(await again.servers.list()).toMatchObject([{ name: 's', config: { url: 'x' }, addedBy: 'ana' }]);
      expect(await again.settings.get('k')).toBe(1);
      expect(await again.settings.secret('k')).toEqual(secret);
      expect(await again.definitions.get('s')).toEqual(new Map([['t', 'h']]));
      expect(await again.events.count()).toBe(2);
    });

    test('a cursor is valid across a restart', async () => {
      const open = await place();
      let cursor: string | undefined;
      {
        await using store = await open();
        await store.events.append([1, 2, 3].map((n) => event({ data: { n } })));
        ({ cursor } = await store.events.query({ limit: 1 }));
      }
      await using again = await open();
      expect((await again.events.query({ cursor })).events.map(({ data }) => data.n)).toEqual([2, 1]);
    });

    test('two handles see each other at once', async () => {
      const open = await place();
      await using one = await open();
      await using two = await open();
      const [a, b] = await Promise.all([one.settings.secret('k'), two.settings.secret('k')]);
      expect(a).toEqual(b);
      await one.settings.put('k', 'from one');
      expect(await two.settings.get('k')).toBe('from one');
      for (let i = 0; i < 50; i++) {
        await Promise.all([one.events.append([event(), event()]), two.events.append([event()])]);
        expect(await (i % 2 ? one : two).events.count()).toBe(3 * (i + 1));
      }
    });

    test('appending works while another handle prunes', async () => {
      const open = await place();
      await using one = await open();
      await using two = await open();
      await one.events.append(Array.from({ length: 10_000 }, () => event({}, 1)));
      const pruning = { done: false, pruned: two.events.prune(at(2)) };
      void pruning.pruned.finally(() => (pruning.done = true));
      let appended = 0;
      while (!pruning.done) {
        await one.events.append([event({}, 3)]);
        appended++;
        await new Promise(setImmediate);
      }
      expect(await pruning.pruned).toBe(10_000);
      expect(await one.events.count()).toBe(appended);
    });
  });
}

/** The n-th second of some day. */
function at(second: number): Date {
  return new Date(Date.UTC(2026, 0, 1) + second * 1000);
}

function event(given: Partial<RecordedEvent> = {}, second = 0): RecordedEvent {
  return {
    timestamp: at(second).toISOString(),
    trace_id: 't1',
    event_type: 'tool.call_completed',
    status: 'success',
    data: { tool: 'a__b' },
    ...given,
  };
}

async function allPages(
  store: Store,
  query: EventQuery,
  between: (page: number) => Promise<void>,
): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  let cursor: string | undefined;
  let pages = 0;
  do {
    const page = await store.events.query({ ...query, cursor });
    all.push(...page.events);
    cursor = page.cursor;
    await between(pages++);
  } while (cursor);
  return all;
}
