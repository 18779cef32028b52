import { afterEach, describe, expect, it, vi } from 'vitest';
import { AppError } from '../kernel/errors.ts';
import type { Peers, Shared } from '../kernel/shared.ts';
import { openSqlite } from '../store/sqlite/open.ts';
import type { KeyGrant } from '../store/store.ts';
import { environmentKey } from './environment-key.ts';
import { openKeyring } from './keyring.ts';
import { createKey, revokeKey } from './keys.ts';

const grant = (more: Partial<KeyGrant> = {}): KeyGrant => ({
  name: 'claude',
  scopes: ['tools:read', 'tools:execute'],
  createdAt: '2026-11-15T00:00:00.000Z',
  createdBy: 'test',
  ...more,
});

const DAY = 86_400_000;

describe('a keyring', () => {
  it('identifies the owner of a key and its scopes', async () => {
    await using store = await openSqlite(':memory:');
    const { id, key } = await createKey(
      store.keys,
      grant({ tools: ['redis_*'], readOnly: true, confirm: 'writes', rate: '60/min' }),
    );
    using keyring = await openKeyring(store);
    expect(await keyring.check(key, '')).toMatchObject({
      principal: {
        id: `key:${id}`,
        name: 'claude',
        scopes: new Set(['tools:read', 'tools:execute']),
        tools: ['redis_*'],
        readOnly: true,
        confirm: 'writes',
        rate: '60/min',
      },
    });
  });

  it('accepts a key that was created after it was opened', async () => {
    await using store = await openSqlite(':memory:');
    using keyring = await openKeyring(store);
    const { key } = await createKey(store.keys, grant());
    expect(await keyring.check(key, '')).toHaveProperty('principal');
  });

  it('answers synchronously for a known key', async () => {
    await using store = await openSqlite(':memory:');
    const { key } = await createKey(store.keys, grant());
    using keyring = await openKeyring(store);
    expect(keyring.check(key, '')).not.toBeInstanceOf(Promise);
  });

  it('refuses a wrong secret, an incomplete, an expired and a revoked key, and ignores other tokens', async () => {
    let time = Date.parse('2026-11-15T00:00:00Z');
    await using store = await openSqlite(':memory:');
    const { id, key } = await createKey(store.keys, grant({ expiresAt: '2026-11-16T00:00:00.000Z' }));
    using keyring = await openKeyring(store, () => time);
    const last = key.at(-1) === 'A' ? 'B' : 'A';
    expect(await keyring.check(`${key.slice(0, -1)}${last}`, '')).toEqual({ refused: 'unknown key' });
    expect(await keyring.check(key.replace(id, '0000000000'), '')).toEqual({ refused: 'unknown key' });
    expect(await keyring.check(key.slice(0, -1), '')).toEqual({ refused: 'the key is incomplete' });
    expect(await keyring.check('eyJhbGciOiJub25lIn0.e30.', '')).toBeUndefined();
    time += DAY;
    expect(await keyring.check(key, '')).toEqual({ refused: 'the key has expired' });
    await revokeKey(store.keys, id, new Date(time));
    using later = await openKeyring(store, () => time);
    expect(await later.check(key, '')).toEqual({ refused: 'the key was revoked' });
  });

  it('reports a key that another process revoked, once', async () => {
    await using store = await openSqlite(':memory:');
    const { id, key } = await createKey(store.keys, grant());
    using keyring = await openKeyring(store);
    const told: string[] = [];
    keyring.onRevoked((principals) => told.push(...principals));
    await revokeKey(store.keys, 'claude', new Date());
    await expect.poll(() => told).toEqual([`key:${id}`]);
    expect(await keyring.check(key, '')).toEqual({ refused: 'the key was revoked' });
  });

  it('reports an expired key, once: its streams must not outlive it', async () => {
    let time = Date.parse('2026-11-15T00:00:00Z');
    await using store = await openSqlite(':memory:');
    const { id } = await createKey(store.keys, grant({ expiresAt: '2026-11-16T00:00:00.000Z' }));
    await createKey(store.keys, grant({ name: 'over', expiresAt: '2026-11-14T00:00:00.000Z' }));
    using keyring = await openKeyring(store, () => time);
    const told: string[] = [];
    keyring.onRevoked((principals) => told.push(...principals));
    await keyring.check('slc_0000000000_0000000000000000000000000000000000000000000', '');
    expect(told).toEqual([]);
    time += DAY;
    await expect.poll(() => told).toEqual([`key:${id}`]);
    await keyring.check('slc_0000000000_0000000000000000000000000000000000000000000', '');
    expect(told).toHaveLength(1);
  });

  it('accepts a key that was created during a read', async () => {
    await using store = await openSqlite(':memory:');
    const begun = Promise.withResolvers<void>();
    const going = Promise.withResolvers<void>();
    let reads = 0;
    const slow = {
      ...store.keys,
      async list() {
        const listed = await store.keys.list();
        if (++reads === 2) {
          begun.resolve();
          await going.promise;
        }
        return listed;
      },
    };
    using keyring = await openKeyring({ keys: slow, shared: store.shared });
    const unknown = keyring.check('slc_0000000000_0000000000000000000000000000000000000000000', '');
    await begun.promise;
    const { key } = await createKey(store.keys, grant());
    const verdict = keyring.check(key, '');
    going.resolve();
    expect(await verdict).toHaveProperty('principal');
    expect(await unknown).toEqual({ refused: 'unknown key' });
  });
});

describe('a keyring with replicas', () => {
  afterEach(() => void vi.useRealTimers());

  /** A store with replicas: `cutOff` is for how many milliseconds it has been out of reach. */
  async function replicated() {
    const store = await openSqlite(':memory:');
    const state: { cutOff?: number; reads: number } = { reads: 0 };
    const keys = {
      ...store.keys,
      list() {
        state.reads++;
        if (state.cutOff !== undefined) throw new AppError('unavailable', 'The store cannot be reached.');
        return store.keys.list();
      },
    };
    const shared: Shared = {
      ...store.shared,
      peers: {} as Peers,
      cutOffSince: () => (state.cutOff === undefined ? undefined : performance.now() - state.cutOff),
    };
    return { keys, shared, state, [Symbol.asyncDispose]: () => store[Symbol.asyncDispose]() };
  }
  const unknown = 'slc_0000000000_0000000000000000000000000000000000000000000';
  const unavailable = { unavailable: expect.stringContaining('cannot reach its store') as string };

  it('reads the store when it is told of a change, not all the time', async () => {
    await using store = await replicated();
    const { id, key } = await createKey(store.keys, grant());
    vi.useFakeTimers({ toFake: ['setInterval'] });
    using keyring = await openKeyring(store);
    const told: string[] = [];
    keyring.onRevoked((principals) => told.push(...principals));
    await revokeKey(store.keys, id, new Date());
    store.shared.tell('keys');
    await vi.waitFor(() => expect(told).toEqual([`key:${id}`]));
    expect(await keyring.check(key, '')).toEqual({ refused: 'the key was revoked' });
    store.state.reads = 0;
    vi.advanceTimersByTime(20_000);
    expect(store.state.reads).toBe(0);
  });

  it('reads again when a change comes during a read', async () => {
    await using store = await replicated();
    const { id } = await createKey(store.keys, grant());
    const going = Promise.withResolvers<void>();
    let slow = false;
    const keys = {
      ...store.keys,
      async list() {
        const listed = await store.keys.list();
        if (slow) await going.promise;
        return listed;
      },
    };
    using keyring = await openKeyring({ keys, shared: store.shared });
    const told: string[] = [];
    keyring.onRevoked((principals) => told.push(...principals));
    slow = true;
    const asked = keyring.check(unknown, '');
    await revokeKey(store.keys, id, new Date());
    store.shared.tell('keys');
    slow = false;
    going.resolve();
    await asked;
    await expect.poll(() => told, { timeout: 500 }).toEqual([`key:${id}`]);
  });

  it('reports an expired key without reading the store', async () => {
    let time = Date.parse('2026-11-15T00:00:00Z');
    await using store = await replicated();
    const { id } = await createKey(store.keys, grant({ expiresAt: '2026-11-16T00:00:00.000Z' }));
    using keyring = await openKeyring(store, () => time);
    const told: string[] = [];
    keyring.onRevoked((principals) => told.push(...principals));
    store.state.cutOff = 0;
    time += DAY;
    await expect.poll(() => told, { timeout: 3000 }).toEqual([`key:${id}`]);
  });

  it('trusts known keys for a minute while the store cannot be reached, and refuses to judge unknown ones', async () => {
    await using store = await replicated();
    const { id, key } = await createKey(store.keys, grant());
    using keyring = await openKeyring(store);
    const told: string[] = [];
    keyring.onRevoked((principals) => told.push(...principals));
    store.state.cutOff = 59_000;
    expect(await keyring.check(key, '')).toHaveProperty('principal');
    expect(await keyring.check(unknown, '')).toEqual(unavailable);
    const last = key.at(-1) === 'A' ? 'B' : 'A';
    store.state.cutOff = 61_000;
    expect(await keyring.check(key, '')).toEqual(unavailable);
    expect(await keyring.check(`${key.slice(0, -1)}${last}`, '')).toEqual({ refused: 'unknown key' });
    await expect.poll(() => told, { timeout: 3000 }).toEqual([`key:${id}`]);
    delete store.state.cutOff;
    expect(await keyring.check(key, '')).toHaveProperty('principal');
    expect(await keyring.check(unknown, '')).toEqual({ refused: 'unknown key' });
  });

  it('refuses to judge an unknown key when reading fails before anybody noticed that the store is gone', async () => {
    await using store = await replicated();
    using keyring = await openKeyring(store);
    const gone = { ...store.keys, list: () => Promise.reject(new AppError('unavailable', 'Gone.')) };
    using cut = await openKeyring({ keys: { ...gone, list: once(store.keys.list, gone.list) }, shared: store.shared });
    expect(await keyring.check(unknown, '')).toEqual({ refused: 'unknown key' });
    expect(await cut.check(unknown, '')).toEqual(unavailable);
  });
});

/** The first function for the first call, the second for all others. */
function once<T>(first: () => T, others: () => T): () => T {
  let called = false;
  return () => {
    if (called) return others();
    called = true;
    return first();
  };
}

describe('creating keys', () => {
  it('does not store the secret', async () => {
    await using store = await openSqlite(':memory:');
    const { key } = await createKey(store.keys, grant());
    expect(JSON.stringify(await store.keys.list())).not.toContain(key.slice(15));
  });

  it.each([
    [{ scopes: ['tools:everything'] }, 'tools:everything is not a scope'],
    [{ scopes: [] }, 'at least one scope'],
    [{ name: 'taken' }, 'A key named taken already exists'],
  ])('refuses %j', async (more, why) => {
    await using store = await openSqlite(':memory:');
    await createKey(store.keys, grant({ name: 'taken' }));
    await expect(createKey(store.keys, grant(more))).rejects.toThrow(why);
    expect(await store.keys.list()).toHaveLength(1);
  });
});

it('MCP_AUTH_TOKEN is a key with all permissions', async () => {
  const authenticator = environmentKey('hunter2hunter2');
  expect(await authenticator.check('hunter2hunter2', '')).toMatchObject({ principal: { id: 'env' } });
  expect(await authenticator.check('hunter2hunter3', '')).toBeUndefined();
});
