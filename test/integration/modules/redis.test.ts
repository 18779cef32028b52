import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { isMissing } from '../../support/daemon.ts';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';
import { type Behind, behind, type OwnRedis, ownRedis, REDIS } from '../../support/own-redis.ts';
import type { Json } from '../harness.ts';

/** The same suite runs against another server: TEST_REDIS_URL=redis://… It deletes keys that begin with tour:. */
const given = process.env.TEST_REDIS_URL;

describe.skipIf(given === undefined && isMissing(REDIS))('redis', () => {
  let server: OwnRedis | undefined;
  let url: string;
  let raw: Behind;
  let client: ModuleClient;

  beforeAll(async () => {
    server = given === undefined ? await ownRedis() : undefined;
    url = given ?? (server?.url as string);
    raw = await behind(url);
    client = await moduleClient({ redis: { url, mode: 'read-write' } });
  });
  afterAll(async () => {
    await client[Symbol.asyncDispose]();
    await raw[Symbol.asyncDispose]();
    await server?.[Symbol.asyncDispose]();
  });
  beforeEach(async () => {
    for (const pattern of ['tour:*', 'sluice:tour*', 'other:*']) {
      const keys = (await raw.sendBytes('KEYS', pattern)) as Buffer[];
      if (keys.length > 0) await raw.sendBytes('UNLINK', ...keys);
    }
  });

  const read = <T = Json>(tool: string, params?: Json) => client.read<T>('redis', tool, params);
  const call = <T = Json>(tool: string, params?: Json) => client.call<T>('redis', tool, params);
  const refused = (tool: string, params?: Json) => client.refused('redis', tool, params);
  const confirmed = (tool: string, params?: Json) => client.confirmed('redis', tool, params);

  describe('discovering', () => {
    test('the module is three tools, and lists the others', async () => {
      expect((await client.listed()).sort()).toEqual(['redis_call', 'redis_list', 'redis_read']);
      const list = await client.list('redis');
      for (const tool of ['redis_get_key', 'redis_set_key', 'redis_scan_keys', 'redis_delete_keys'])
        expect(list).toContain(tool);
    });

    test('a schema, and near names for a tool that does not exist', async () => {
      const schema = await client.list('redis', { tool: 'redis_set_key' });
      expect(schema).toContain('ttl');
      expect(await refused('redis_get_keys', { key: 'x' })).toContain('redis_get_key');
      for (const tool of ['redis_flush_all', 'redis_eval', 'redis_config_set', 'redis_execute_command'])
        expect(await refused(tool)).toContain('No tool');
    });
  });

  describe('strings', () => {
    test('are set, read, counted and expire', async () => {
      expect(await call('redis_set_key', { key: 'tour:a', value: 'hello', ttl: 100 })).toEqual({
        key: 'tour:a',
        stored: true,
        bytes: 5,
      });
      expect(await read('redis_get_key', { key: 'tour:a' })).toEqual({
        key: 'tour:a',
        type: 'string',
        ttl: 100,
        value: 'hello',
      });
      await call('redis_set_key', { key: 'tour:a', value: 'again', keep_ttl: true });
      expect(await read('redis_get_key', { key: 'tour:a' })).toMatchObject({ value: 'again', ttl: 100 });
      expect(await call('redis_set_key', { key: 'tour:a', value: 'x', only_if: 'absent' })).toMatchObject({
        stored: false,
      });
      await call('redis_remove_expiry', { key: 'tour:a' });
      expect(await read('redis_get_key_info', { key: 'tour:a' })).not.toHaveProperty('ttl');
      await call('redis_set_expiry', { key: 'tour:a', ttl: 50 });
      const info = await read('redis_get_key_info', { key: 'tour:a' });
      expect(info).toMatchObject({ type: 'string', ttl: 50, length: 5, shown_by: 'redis_get_key' });
      expect(info.memory_bytes).toBeGreaterThan(10);
    });

    test('numbers of 64 bits are exact', async () => {
      await call('redis_set_key', { key: 'tour:n', value: '9223372036854775800' });
      expect(await call('redis_increment_key', { key: 'tour:n', by: 7 })).toMatchObject({
        value: '9223372036854775807',
      });
      expect(await refused('redis_increment_key', { key: 'tour:n' })).toContain('overflow');
      expect(await call('redis_increment_key', { key: 'tour:f', by: 0.5 })).toMatchObject({ value: '0.5' });
      await call('redis_set_key', { key: 'tour:text', value: 'abc' });
      expect(await refused('redis_increment_key', { key: 'tour:text' })).toContain('cannot be counted');
    });

    test('bytes come and go as base64', async () => {
      const bytes = Buffer.from([0xff, 0, 1, 0xfe]);
      await call('redis_set_key', { key: 'tour:b', value: bytes.toString('base64'), encoding: 'base64' });
      expect(await read('redis_get_key', { key: 'tour:b' })).toMatchObject({
        value: bytes.toString('base64'),
        encoding: 'base64',
      });
      expect(await refused('redis_set_key', { key: 'tour:b', value: 'no!', encoding: 'base64' })).toContain('base64');
    });

    test('several at once', async () => {
      await raw.send('MSET', 'tour:1', 'one', 'tour:2', 'two');
      await raw.send('RPUSH', 'tour:list', 'x');
      const { values } = await read('redis_get_many', { keys: ['tour:1', 'tour:2', 'tour:3', 'tour:list'] });
      expect(values).toEqual([
        { key: 'tour:1', value: 'one' },
        { key: 'tour:2', value: 'two' },
        { key: 'tour:3', missing: true },
        { key: 'tour:list', other_type: true },
      ]);
    });

    test('a value of 50 MB is never sent whole, and can be read to its end', async () => {
      await raw.send('SETRANGE', 'tour:big', '52428790', 'ten bytes!');
      const before = await outputOf(raw);
      const first = await read('redis_get_key', { key: 'tour:big' });
      expect(first).toMatchObject({ bytes: 52_428_800, encoding: 'base64' });
      expect(first.next_offset).toBeGreaterThan(1000);
      expect(await read('redis_get_key', { key: 'tour:big', offset: 52_428_790 })).toMatchObject({
        value: 'ten bytes!',
        bytes: 52_428_800,
      });
      expect((await outputOf(raw)) - before).toBeLessThan(100_000);
      const many = await read('redis_get_many', { keys: ['tour:big'] });
      expect(many.values).toMatchObject([{ bytes: 52_428_800 }]);
    });

    test('a text is cut between characters, and its parts make it whole', async () => {
      const text = '"quotes" — ünïcode 🙂\n'.repeat(400);
      await call('redis_set_key', { key: 'tour:t', value: text });
      let offset: number | undefined = 0;
      let all = '';
      while (offset !== undefined) {
        const part: { value: string; next_offset?: number } = await read('redis_get_key', { key: 'tour:t', offset });
        all += part.value;
        offset = part.next_offset;
      }
      expect(all).toBe(text);
    });
  });

  describe('keys', () => {
    test('are found by pattern and type, each once', async () => {
      for (let n = 0; n < 300; n++) await raw.send('SET', `tour:key:${n}`, 'x');
      await raw.send('HSET', 'tour:key:hash', 'a', '1');
      expect(await allKeys(read, { pattern: 'tour:key:*', limit: 7 })).toHaveLength(301);
      expect(await allKeys(read, { pattern: 'tour:key:1?' })).toHaveLength(10);
      expect(await allKeys(read, { pattern: 'tour:key:[12]' })).toEqual(['tour:key:1', 'tour:key:2']);
      expect(await allKeys(read, { pattern: 'tour:*', type: 'hash' })).toEqual(['tour:key:hash']);
      const { prefixes, count } = await read('redis_count_keys', { pattern: 'tour:*', depth: 2 });
      expect([count, prefixes]).toEqual([301, [{ prefix: 'tour:key:', count: 301 }]]);
    });

    test('with names of any kind', async () => {
      const binary = Buffer.concat([Buffer.from('tour:'), Buffer.from([0xff, 0xfe, 0])]);
      await raw.sendBytes('SET', binary, 'binary');
      const odd = ['tour:/../a b', 'tour:"\\\n', 'tour:ü🙂', 'tour:__proto__', 'tour:base64:aGFsbG8='];
      for (const key of odd) await call('redis_set_key', { key, value: key });
      const keys = await allKeys(read, { pattern: 'tour:*' });
      expect(keys).toHaveLength(odd.length + 1);
      for (const key of keys) expect(await read('redis_get_key', { key })).toMatchObject({ key });
      expect(keys).toContain(`base64:${binary.toString('base64')}`);
    });

    test('the biggest are found', async () => {
      for (let n = 0; n < 200; n++) await raw.send('SET', `tour:${n}`, 'x'.repeat(n));
      await raw.send('RPUSH', 'tour:list', 'y'.repeat(50_000));
      const { keys } = await read('redis_find_big_keys', { pattern: 'tour:*', limit: 3 });
      expect(keys).toMatchObject([{ key: 'tour:list', type: 'list' }, { type: 'string' }, { type: 'string' }]);
    });

    test('are renamed, but never over another', async () => {
      await raw.send('MSET', 'tour:a', '1', 'tour:b', '2');
      await call('redis_rename_key', { key: 'tour:a', new_key: 'tour:c' });
      expect(await refused('redis_rename_key', { key: 'tour:c', new_key: 'tour:b' })).toContain('taken');
      expect(await refused('redis_rename_key', { key: 'tour:no', new_key: 'tour:x' })).toContain('no key');
    });

    test('are deleted after a confirmation that names them', async () => {
      await raw.send('MSET', 'tour:a', '1', 'tour:b', '2');
      const { question, result } = await confirmed('redis_delete_keys', { keys: ['tour:a', 'tour:b', 'tour:none'] });
      expect(question).toContain('Deletes 2 keys');
      expect(question).toContain('tour:a (string)');
      expect(result).toEqual({ deleted: 2 });
    });

    test('are deleted by pattern, first as a dry run', async () => {
      for (let n = 0; n < 2500; n++) await raw.send('SET', `tour:old:${n}`, 'x');
      await raw.send('SET', 'tour:new', 'x');
      const dry = await call('redis_delete_matching', { pattern: 'tour:old:*' });
      expect(dry).toMatchObject({ matching: 2500, deleted: 0 });
      expect(dry).not.toHaveProperty('cursor');
      expect(await raw.send('EXISTS', 'tour:old:1')).toBe(1);
      const some = { pattern: 'tour:old:*', dry_run: false };
      const part = await confirmed('redis_delete_matching', { ...some, limit: 1000 });
      expect(part.question).toMatch(/up to 1000 keys that match tour:old:\*/);
      expect(part.result).toMatchObject({ deleted: 1000 });
      const { question, result } = await confirmed('redis_delete_matching', { ...some, cursor: part.result.cursor });
      expect(question).toContain('1500 keys');
      expect(result).toMatchObject({ deleted: 1500 });
      expect(result).not.toHaveProperty('cursor');
      // Nothing is left, so there is nothing to confirm.
      expect(await call('redis_delete_matching', some)).toMatchObject({ deleted: 0 });
      expect(await allKeys(read, { pattern: 'tour:*' })).toEqual(['tour:new']);
      expect(await refused('redis_delete_matching', { pattern: '*', dry_run: false })).toContain('every key');
    });
  });

  describe('collections', () => {
    test('hashes', async () => {
      const key = 'tour:hash';
      const fields = Object.fromEntries(Array.from({ length: 700 }, (_, n) => [`field ${n}`, `value ${n}`]));
      expect(await call('redis_set_hash', { key, fields, ttl: 60 })).toEqual({ key, added: 700, replaced: 0 });
      const seen = await pages(read, 'redis_get_hash', { key, limit: 90 }, 'fields');
      expect(new Set(seen.map(({ field }) => field)).size).toBe(700);
      expect(await read('redis_get_hash', { key, fields: ['field 3', 'none'] })).toMatchObject({
        length: 700,
        fields: [
          { field: 'field 3', value: 'value 3' },
          { field: 'none', missing: true },
        ],
      });
      expect(await call('redis_increment_key', { key, field: 'visits', by: 2 })).toMatchObject({ value: '2' });
      const { question, result } = await confirmed('redis_delete_fields', { key, fields: ['field 3', 'none'] });
      expect(question).toContain('1 field of the hash tour:hash');
      expect(result).toEqual({ key, deleted: 1 });
      expect(await read('redis_get_key', { key })).toMatchObject({ type: 'hash', length: 700 });
    });

    test('a small hash of long values comes in pages, too', async () => {
      const key = 'tour:hash';
      for (let n = 0; n < 40; n++) await raw.send('HSET', key, `f${n}`, 'x'.repeat(60));
      await raw.send('HSET', key, 'long', 'y'.repeat(20_000));
      const seen = await pages(read, 'redis_get_hash', { key, limit: 11 }, 'fields');
      expect(new Set(seen.map(({ field }) => field)).size).toBe(41);
      const long = await read('redis_get_hash', { key, fields: ['long'], offset: 19_000 });
      expect(long.fields).toEqual([{ field: 'long', value: 'y'.repeat(1000), bytes: 20_000 }]);
    });

    test('lists', async () => {
      const key = 'tour:list';
      expect(await call('redis_push_list', { key, values: ['b', 'c', 3] })).toEqual({ key, length: 3 });
      await call('redis_push_list', { key, values: ['x', 'a'], side: 'start' });
      expect(await read('redis_get_list', { key })).toEqual({
        key,
        length: 5,
        items: ['x', 'a', 'b', 'c', '3'].map((value, index) => ({ index, value })),
      });
      expect(await read('redis_get_list', { key, start: -2 })).toMatchObject({
        items: [{ index: 3, value: 'c' }, { value: '3' }],
      });
      const { question, result } = await confirmed('redis_pop_list', { key, count: 2 });
      expect(question).toContain('Takes 2 items of 5');
      expect(result).toMatchObject({ items: [{ value: 'x' }, { value: 'a' }], length: 3 });
      expect((await confirmed('redis_remove_list_items', { key, value: 'c' })).result).toMatchObject({ removed: 1 });
      for (let n = 0; n < 500; n++) await raw.send('RPUSH', key, `item ${n}`);
      const seen = await pages(read, 'redis_get_list', { key, limit: 120 }, 'items');
      expect(seen).toHaveLength(502);
    });

    test('sets', async () => {
      const key = 'tour:set';
      const members = Array.from({ length: 800 }, (_, n) => `member ${n}`);
      expect(await call('redis_add_members', { key, members })).toEqual({ key, added: 800, length: 800 });
      expect(new Set(await pages(read, 'redis_get_set', { key }, 'members')).size).toBe(800);
      expect(await read('redis_get_set', { key, contains: ['member 1', 'none'] })).toMatchObject({
        members: ['member 1'],
      });
      const { question, result } = await confirmed('redis_remove_members', { key, members: ['member 1', 'none'] });
      expect(question).toContain('1 member of the set');
      expect(result).toEqual({ key, removed: 1, length: 799 });
    });

    test('sorted sets', async () => {
      const key = 'tour:board';
      const members = Array.from({ length: 400 }, (_, n) => ({ member: `player ${n}`, score: n * 1.5 }));
      expect(await call('redis_add_scores', { key, members })).toMatchObject({ added: 400 });
      await raw.send('ZADD', key, 'inf', 'endless');
      expect(await read('redis_get_sorted_set', { key, order: 'highest', limit: 2 })).toEqual({
        key,
        length: 401,
        members: [
          { member: 'endless', score: 'inf' },
          { member: 'player 399', score: 598.5 },
        ],
        next_start: 2,
      });
      expect(await read('redis_get_sorted_set', { key, min: 3, max: 6 })).toMatchObject({
        members: [{ member: 'player 2' }, { member: 'player 3' }, { member: 'player 4' }],
      });
      expect(await pages(read, 'redis_get_sorted_set', { key, limit: 77 }, 'members')).toHaveLength(401);
      await call('redis_increment_key', { key, member: 'player 2', by: 0.5 });
      expect(await read('redis_get_sorted_set', { key, members: ['player 2', 'x'] })).toMatchObject({
        members: [{ member: 'player 2', score: 3.5 }],
      });
      expect((await confirmed('redis_remove_members', { key, members: ['endless'] })).result).toMatchObject({
        removed: 1,
      });
    });

    test('streams and their groups', async () => {
      const key = 'tour:stream';
      const { id } = await call('redis_add_entry', { key, fields: { event: 'login', user: 1 } });
      for (let n = 0; n < 60; n++) await raw.send('XADD', key, '*', 'n', `${n}`, 'text', 'z'.repeat(300));
      expect(await read('redis_read_stream', { key, limit: 1 })).toMatchObject({
        length: 61,
        entries: [
          {
            id,
            fields: [
              { field: 'event', value: 'login' },
              { field: 'user', value: '1' },
            ],
          },
        ],
        next: `(${id as string}`,
      });
      for (const [order, end] of [
        ['oldest', 'start'],
        ['newest', 'end'],
      ] as const) {
        let next: string | undefined;
        const ids = new Set<string>();
        do {
          const page: { entries: { id: string }[]; next?: string } = await read('redis_read_stream', {
            key,
            order,
            limit: 25,
            ...(next !== undefined && { [end]: next }),
          });
          for (const entry of page.entries) ids.add(entry.id);
          next = page.next;
        } while (next !== undefined);
        expect(ids.size).toBe(61);
      }
      await call('redis_create_group', { key, group: 'workers', from: 'beginning' });
      expect(await refused('redis_create_group', { key, group: 'workers' })).toContain('already has');
      const taken = await call<{ entries: { id: string }[] }>('redis_read_group', {
        key,
        group: 'workers',
        consumer: 'ada',
        limit: 2,
      });
      expect(taken.entries).toHaveLength(2);
      expect(await read('redis_get_stream_info', { key, group: 'workers' })).toMatchObject({
        first_id: id,
        groups: [{ name: 'workers', consumers: 1, pending: 2, lag: 59 }],
        consumers: [{ name: 'ada', pending: 2 }],
      });
      const again = await call('redis_read_group', { key, group: 'workers', consumer: 'ada', pending: true });
      expect(again.entries).toHaveLength(2);
      expect(await call('redis_ack_entries', { key, group: 'workers', ids: [id] })).toMatchObject({ acknowledged: 1 });
      expect(await refused('redis_read_group', { key, group: 'none', consumer: 'ada' })).toContain('consumer group');
      const dropped = await confirmed('redis_delete_group', { key, group: 'workers' });
      expect(dropped.question).toContain('1 entry');
      expect((await confirmed('redis_delete_entries', { key, ids: [id] })).result).toEqual({ key, deleted: 1 });
    });

    test('a value of another type says which tool shows it', async () => {
      await raw.send('HSET', 'tour:hash', 'a', '1');
      await raw.send('SET', 'tour:string', 'x');
      expect(await refused('redis_get_list', { key: 'tour:hash' })).toContain('redis_get_hash');
      expect(await refused('redis_set_key', { key: 'tour:hash', value: 'x' })).toContain('is a hash');
      expect(await refused('redis_push_list', { key: 'tour:string', values: ['x'] })).toContain('is a string');
      expect(await refused('redis_increment_key', { key: 'tour:hash' })).toContain('another type');
      expect(await refused('redis_get_hash', { key: 'tour:none' })).toContain('no key');
      expect(await raw.send('TYPE', 'tour:hash')).toBe('hash');
    });

    test('redis_get_key shows any of them', async () => {
      await raw.send('RPUSH', 'tour:1', 'item');
      await raw.send('SADD', 'tour:2', 'member');
      await raw.send('ZADD', 'tour:3', '1', 'member');
      await raw.send('XADD', 'tour:4', '1-1', 'field', 'value');
      const shown = await Promise.all([1, 2, 3, 4].map((n) => read('redis_get_key', { key: `tour:${n}` })));
      expect(shown.map(({ type, length, items }) => ({ type, length, items }))).toEqual([
        { type: 'list', length: 1, items: [{ index: 0, value: 'item' }] },
        { type: 'set', length: 1, items: ['member'] },
        { type: 'zset', length: 1, items: [{ member: 'member', score: 1 }] },
        { type: 'stream', length: 1, items: [{ id: '1-1', fields: [{ field: 'field', value: 'value' }] }] },
      ]);
    });

    test('huge items are cut, and reading stops in time', async () => {
      for (let n = 0; n < 5; n++) {
        const huge = `${n}${'x'.repeat(400_000)}`;
        await raw.send('RPUSH', 'tour:list', huge);
        await raw.send('HSET', 'tour:hash', `field ${n}`, huge);
        await raw.send('SADD', 'tour:set', huge);
        await raw.send('ZADD', 'tour:zset', '1', huge);
        await raw.send('XADD', 'tour:stream', '*', 'field', huge);
      }
      await raw.send('HSET', 'tour:hash', 'largest', 'x'.repeat(5_000_000));
      const list = await read('redis_get_list', { key: 'tour:list' });
      expect(list.items).toMatchObject([{ index: 0, bytes: 400_001 }]);
      expect(list).toHaveProperty('next_start');
      expect(await pages(read, 'redis_get_list', { key: 'tour:list' }, 'items')).toHaveLength(5);
      expect(await pages(read, 'redis_get_hash', { key: 'tour:hash' }, 'fields')).toHaveLength(6);
      expect(await pages(read, 'redis_get_set', { key: 'tour:set' }, 'members')).toHaveLength(5);
      expect(await pages(read, 'redis_get_sorted_set', { key: 'tour:zset' }, 'members')).toHaveLength(5);
      expect((await read('redis_read_stream', { key: 'tour:stream' })).next).toBeDefined();
      const before = await outputOf(raw);
      const field = await read('redis_get_hash', { key: 'tour:hash', fields: ['largest'] });
      expect(field.fields).toEqual([{ field: 'largest', value: '', bytes: 5_000_000 }]);
      expect((await outputOf(raw)) - before).toBeLessThan(100_000);
    });
  });

  describe('the server', () => {
    test('information, memory, size and clients', async () => {
      expect(await read('redis_get_server_info', { contains: '_version' })).toMatchObject({
        section: 'server',
        entries: expect.arrayContaining([{ name: 'redis_version', value: expect.any(String) }]),
      });
      expect((await read('redis_get_server_info', { section: 'commandstats' })).entries).not.toEqual([]);
      const memory = await read('redis_get_memory_report');
      expect(memory.used_bytes).toBeGreaterThan(100_000);
      await raw.send('SET', 'tour:a', '1');
      expect((await read('redis_get_database_size')).keys).toBeGreaterThan(0);
      const { clients } = await read<{ clients: Json[] }>('redis_list_clients', { contains: 'sluice' });
      expect(clients).toMatchObject([{ name: 'sluice', command: expect.stringContaining('client') }]);
    });

    test('channels: subscribers are counted and get messages', async () => {
      await using listener = await subscriber(url, 'tour:news');
      expect((await read<{ channels: Json[] }>('redis_list_channels', { pattern: 'tour:*' })).channels).toEqual([
        { channel: 'tour:news', subscribers: 1 },
      ]);
      expect(await call('redis_publish_message', { channel: 'tour:news', message: 'hello' })).toEqual({
        channel: 'tour:news',
        receivers: 1,
      });
      expect(await listener.next()).toBe('hello');
    });

    test('health says what it is', async () => {
      expect(client.health('redis')).toMatchObject({ state: 'ready' });
    });
  });

  describe('out of reach', () => {
    const own = 'sluice:tour';

    test("Sluice's own keys and channels are neither seen nor touched", async () => {
      await raw.send('SET', own, 'secret');
      await raw.send('SET', 'tour:a', 'x');
      const attempts: [string, Json][] = [
        ['redis_get_key', { key: own }],
        ['redis_get_key', { key: `base64:${Buffer.from([...Buffer.from(own), 0xff]).toString('base64')}` }],
        ['redis_get_many', { keys: ['tour:a', own] }],
        ['redis_set_key', { key: own, value: 'x' }],
        ['redis_increment_key', { key: own }],
        ['redis_get_key_info', { key: own }],
        ['redis_set_expiry', { key: own, ttl: 1 }],
        ['redis_remove_expiry', { key: own }],
        ['redis_rename_key', { key: own, new_key: 'tour:b' }],
        ['redis_rename_key', { key: 'tour:a', new_key: `${own}2` }],
        ['redis_delete_keys', { keys: [own] }],
        ['redis_get_hash', { key: own }],
        ['redis_set_hash', { key: own, fields: { a: 1 } }],
        ['redis_delete_fields', { key: own, fields: ['a'] }],
        ['redis_get_list', { key: own }],
        ['redis_push_list', { key: own, values: ['x'] }],
        ['redis_pop_list', { key: own }],
        ['redis_remove_list_items', { key: own, value: 'x' }],
        ['redis_get_set', { key: own }],
        ['redis_add_members', { key: own, members: ['x'] }],
        ['redis_remove_members', { key: own, members: ['x'] }],
        ['redis_get_sorted_set', { key: own }],
        ['redis_add_scores', { key: own, members: [{ member: 'x', score: 1 }] }],
        ['redis_read_stream', { key: own }],
        ['redis_add_entry', { key: own, fields: { a: 1 } }],
        ['redis_delete_entries', { key: own, ids: ['1-1'] }],
        ['redis_get_stream_info', { key: own }],
        ['redis_create_group', { key: own, group: 'g' }],
        ['redis_delete_group', { key: own, group: 'g' }],
        ['redis_read_group', { key: own, group: 'g', consumer: 'c' }],
        ['redis_ack_entries', { key: own, group: 'g', ids: ['1-1'] }],
        ['redis_get_json', { key: own }],
        ['redis_set_json', { key: own, value: 1 }],
        ['redis_delete_json', { key: own, path: '$' }],
        ['redis_publish_message', { channel: 'sluice:events', message: 'x' }],
      ];
      for (const [tool, params] of attempts)
        expect(await refused(tool, params), tool).toContain('belongs to Sluice itself');
      expect(await allKeys(read, { pattern: 'sluice:*' })).toEqual([]);
      expect(await allKeys(read, { pattern: 's[l]uice:*' })).toEqual([]);
      expect(await call('redis_delete_matching', { pattern: '*luice:*', dry_run: false })).toMatchObject({
        deleted: 0,
      });
      expect((await read('redis_count_keys', { pattern: 'sluice:*' })).count).toBe(0);
      expect((await read('redis_find_big_keys', { pattern: 'sluice:*' })).keys).toEqual([]);
      expect(await raw.send('GET', own)).toBe('secret');
    });

    test('what the lists do not allow', async () => {
      await raw.send('MSET', 'tour:a', '1', 'other:b', '2');
      await using limited = await moduleClient({
        redis: { url, mode: 'read-write', keys: ['tour:*'], channels: ['news.*'] },
      });
      const ask = (tool: string, params?: Json) => limited.read('redis', tool, params);
      expect(await allKeys(ask as typeof read, {})).toEqual(['tour:a']);
      const reason = await limited.refused('redis', 'redis_get_key', { key: 'other:b' });
      expect(reason).toContain('modules.redis.keys');
      expect(await limited.refused('redis', 'redis_rename_key', { key: 'tour:a', new_key: 'other:c' })).toContain(
        'modules.redis.keys',
      );
      expect(await limited.call('redis', 'redis_delete_matching', { pattern: 'o*', dry_run: false })).toMatchObject({
        deleted: 0,
      });
      expect(await limited.refused('redis', 'redis_publish_message', { channel: 'x', message: 'x' })).toContain(
        'modules.redis.channels',
      );
      expect((await ask('redis_count_keys')).count).toBe(1);
      expect(await raw.send('GET', 'other:b')).toBe('2');
    });

    test.skipIf(given !== undefined)('the slow log hides what is out of reach', async () => {
      await raw.send('CONFIG', 'SET', 'slowlog-log-slower-than', '0');
      await raw.send('SET', own, 'secret');
      await raw.send('SET', 'tour:seen', 'plain');
      await raw.send('CONFIG', 'SET', 'slowlog-log-slower-than', '-1');
      const { entries } = await read<{ entries: { command: string; arguments: string[] }[] }>('redis_get_slow_log');
      const text = JSON.stringify(entries);
      expect(text).toContain('plain');
      expect(text).not.toContain('secret');
      expect(text).not.toContain(own);
      await raw.send('SLOWLOG', 'RESET');
    });

    test('read-only refuses changes, and says how to allow them', async () => {
      await using reader = await moduleClient({ redis: { url } });
      expect((await reader.listed()).sort()).toEqual(['redis_call', 'redis_list']);
      expect(await reader.list('redis')).not.toContain('redis_set_key');
      const reason = await reader.refused('redis', 'redis_set_key', { key: 'tour:x', value: 'x' });
      expect(reason).toContain('modules.redis.mode');
      expect(await raw.send('EXISTS', 'tour:x')).toBe(0);
    });
  });

  describe('bad input', () => {
    test('is refused with what to change', async () => {
      expect(await refused('redis_get_key', {})).toContain('key');
      expect(await refused('redis_get_key', { key: 'a', colour: 'red' })).toContain('colour');
      expect(await refused('redis_set_key', { key: 'tour:a', value: 'x'.repeat(1_000_001) })).toContain('value');
      expect(await refused('redis_scan_keys', { cursor: 'nonsense' })).toContain('cursor');
      expect(await refused('redis_scan_keys', { cursor: '99999999999999999999' })).toContain('cursor');
      expect(await refused('redis_scan_keys', { pattern: '*a'.repeat(9) })).toContain('stars');
      expect(await refused('redis_scan_keys', { limit: 100_000 })).toContain('limit');
      expect(await refused('redis_set_hash', { key: 'tour:a', fields: {} })).toContain('no field');
      expect(await refused('redis_read_stream', { key: 'tour:a', start: 'yesterday' })).toContain('start');
      expect(await refused('redis_set_key', { key: 'tour:a', value: 'x', ttl: 1, keep_ttl: true })).toContain('both');
    });

    test('the longest names and values still fit into replies', async () => {
      const key = `tour:${'k'.repeat(1000)}`;
      const field = 'f'.repeat(1000);
      await call('redis_set_hash', { key, fields: { [field]: '"'.repeat(100_000) } });
      await read('redis_get_hash', { key, fields: [field] });
      await read('redis_get_hash', { key });
      await read('redis_get_key', { key });
      await read('redis_get_hash', { key, fields: Array.from({ length: 100 }, (_, n) => `${n}${'"'.repeat(500)}`) });
      await call('redis_add_members', { key: `${key}2`, members: [field] });
      await read('redis_get_set', { key: `${key}2`, contains: [field] });
      await call('redis_set_key', { key: `${key}3`, value: '\u001b'.repeat(50_000) });
      await read('redis_get_many', { keys: [`${key}3`, `${key}3`, `${key}4`] });
      const { keys } = await read<{ keys: string[] }>('redis_scan_keys', { pattern: 'tour:*' });
      expect(keys).toHaveLength(3);
    });

    test.skipIf(given !== undefined)('without the JSON module, JSON tools say so', async () => {
      await raw.send('SET', 'tour:a', '{}');
      expect(await refused('redis_get_json', { key: 'tour:a' })).toContain('no JSON module');
      expect(await refused('redis_set_json', { key: 'tour:a', value: {} })).toContain('no JSON module');
      expect(await refused('redis_delete_json', { key: 'tour:a', path: '$' })).toContain('no JSON module');
    });
  });

  test.skipIf(given !== undefined)('200,000 keys: every call is bounded, and together they see all', async () => {
    await using large = await ownRedis();
    await using prepare = await behind(large.url);
    await prepare.send('DEBUG', 'POPULATE', '200000', 'load', '10');
    await prepare.send('SET', 'needle', 'x');
    await using many = await moduleClient({ redis: { url: large.url } });
    const ask = <T = Json>(tool: string, params?: Json) => many.read<T>('redis', tool, params);
    expect(await allKeys(ask, { pattern: 'need*' })).toEqual(['needle']);
    const page = await ask<{ keys: string[]; cursor?: string }>('redis_scan_keys', { limit: 1000 });
    expect(page.keys.length).toBeGreaterThan(50);
    expect(page.cursor).toBeDefined();
    expect(await ask('redis_count_keys')).toMatchObject({
      count: 200_001,
      prefixes: [
        { prefix: 'load:', count: 200_000 },
        { prefix: '*', count: 1 },
      ],
    });
    let cursor: string | undefined;
    let count = 0;
    let calls = 0;
    do {
      const part: { count: number; cursor?: string } = await ask('redis_count_keys', {
        most: 50_000,
        ...(cursor !== undefined && { cursor }),
      });
      count += part.count;
      calls += 1;
      ({ cursor } = part);
    } while (cursor !== undefined);
    expect(count).toBe(200_001);
    expect(calls).toBeGreaterThan(2);
    const big = await ask('redis_find_big_keys', { sample: 5000 });
    expect(big.measured).toBeGreaterThanOrEqual(5000);
    expect(big).toHaveProperty('cursor');
  });
});

/** Every page of a tool until there is none. */
async function pages(
  read: <T>(tool: string, params?: Json) => Promise<T>,
  tool: string,
  params: Json,
  list: string,
): Promise<Json[]> {
  const all: Json[] = [];
  let more: Json | undefined = {};
  for (let calls = 0; more && calls < 300; calls++) {
    const page: Json = await read(tool, { ...params, ...more });
    all.push(...(page[list] as Json[]));
    const { cursor, next_start: start } = page;
    more = cursor !== undefined ? { cursor } : start !== undefined ? { start } : undefined;
  }
  expect(more).toBeUndefined();
  return all;
}

const allKeys = async (read: <T>(tool: string, params?: Json) => Promise<T>, params: Json): Promise<string[]> =>
  ((await pages(read, 'redis_scan_keys', params, 'keys')) as unknown as string[]).toSorted();

/** How many bytes the server has sent to all clients. */
async function outputOf(raw: Behind): Promise<number> {
  const info = (await raw.send('INFO', 'stats')) as string;
  return Number(/total_net_output_bytes:(\d+)/.exec(info)?.[1]);
}

async function subscriber(url: string, channel: string): Promise<AsyncDisposable & { next(): Promise<string> }> {
  const { createClient } = await import('@redis/client');
  const client = createClient({ url });
  client.on('error', () => {});
  await client.connect();
  const messages: string[] = [];
  await client.subscribe(channel, (message) => messages.push(message));
  return {
    async next() {
      await expect.poll(() => messages.length).toBeGreaterThan(0);
      return messages.shift() as string;
    },
    async [Symbol.asyncDispose]() {
      client.destroy();
    },
  };
}
