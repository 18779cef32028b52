import { describe, expect, it, vi } from 'vitest';
import { AppError } from '../../kernel/errors.ts';
import { Lane } from './lane.ts';
import { createLanes } from './lanes.ts';
import type { BackendSettings } from '../settings.ts';
import type { Upstream } from '../../wire/upstream.ts';

function setUp(isolation: 'shared' | 'session' | 'principal', most: number, urls?: string[], replicas = 1) {
  const busy = new Set<Lane>();
  const inUse = new Set<string>();
  const ended: string[] = [];
  const lanes = createLanes({
    settings: { isolation, replicas, transport: { kind: 'http', url: 'a', urls, headers: {} } } as BackendSettings,
    clientInfo: {},
    mostOwned: () => most,
    endIdle(session) {
      if (inUse.has(session)) return false;
      ended.push(session);
      lanes.sessionClosed(session);
      return true;
    },
    create({ url }) {
      const upstream = {
        get inFlight() {
          return busy.has(lane) ? 1 : 0;
        },
        close: async () => {},
      } as unknown as Upstream;
      const lane: Lane = new Lane({
        connect: async () => upstream,
        check: async () => {},
        onState() {},
        healthMs: 1_000_000,
      });
      lane.url = url;
      return lane;
    },
  });
  const lease = async (principal: string, session?: string) => {
    const { lane, release } = lanes.lease({
      principal: { id: principal, scopes: 'all' },
      client: { era: 'legacy', version: '2025-11-25', capabilities: {}, ...(session !== undefined && { session }) },
    });
    await lane.start();
    return { lane, release };
  };
  return { lanes, busy, inUse, ended, lease, owned: () => lanes.all().length - 1 };
}

describe('private connections', () => {
  it('end with their session, the longest idle first', async () => {
    const { lanes, lease, ended, owned } = setUp('session', 3);
    for (const session of ['a', 'b', 'c']) await lease('ada', session);
    const again = lanes.ofSession('a');
    const before = Date.now();
    await vi.waitUntil(() => Date.now() > before, { interval: 1 });
    expect((await lease('ada', 'a')).lane).toBe(again);
    await lease('ada', 'd');
    expect(ended).toHaveLength(1);
    expect(ended[0]).not.toBe('a');
    expect(owned()).toBe(3);
    for (let n = 0; n < 50; n++) await lease('ada', `more ${n}`);
    expect(owned()).toBe(3);
    await lanes.stop();
  });

  it('do not end while in use: another one is refused, with when to try again', async () => {
    const { lanes, lease, inUse, ended, owned } = setUp('session', 2);
    for (const session of ['a', 'b']) {
      await lease('ada', session);
      inUse.add(session);
    }
    await expect(lease('ada', 'c')).rejects.toMatchObject({
      code: 'rate_limited',
      retryable: true,
      data: { retryAfter: 5 },
      message: expect.stringContaining('limits.connections') as string,
    });
    expect(ended).toEqual([]);
    // The limit of one caller does not affect another.
    await lease('bob', 'd');
    expect(owned()).toBe(3);
    inUse.clear();
    await lease('ada', 'c');
    expect(owned()).toBe(3);
    await lanes.stop();
  });

  it('count also if they are lent for one call', async () => {
    const { lanes, lease, owned } = setUp('session', 2);
    const lent = [await lease('ada'), await lease('ada')];
    await expect(lease('ada')).rejects.toMatchObject({ code: 'rate_limited' });
    lent[0]?.release();
    expect((await lease('ada')).lane).toBe(lent[0]?.lane);
    expect(owned()).toBe(2);
    await lanes.stop();
  });

  it('have a limit for all callers together', async () => {
    const { lanes, lease, busy, owned } = setUp('principal', 2);
    for (let n = 0; n < 30; n++) await lease(`user ${n}`);
    expect(owned()).toBe(10);
    for (const lane of lanes.all()) busy.add(lane);
    await expect(lease('another')).rejects.toMatchObject({ code: 'rate_limited' });
    await lanes.stop();
  });

  it('refuse a client whose info is too long', async () => {
    const { lanes } = setUp('session', 2);
    const capabilities = { experimental: { text: 'x'.repeat(100_000) } };
    const client = { era: 'modern' as const, version: '2026-07-28', capabilities };
    expect(() => lanes.lease({ principal: { id: 'ada', scopes: 'all' }, client })).toThrow('too long');
  });
});

describe('several URLs', () => {
  const caller = {
    principal: { id: 'ada', scopes: 'all' as const },
    client: { era: 'modern' as const, version: '2026-07-28', capabilities: {} },
  };
  const failed = (lane: Lane, error: AppError) => {
    if (lane.state.state === 'running') lane.lost(lane.state.upstream, error);
  };

  it('have as many lanes each as there are replicas, and take turns', async () => {
    const { lanes } = setUp('shared', 1, ['a', 'b'], 2);
    expect(lanes.shared.map(({ url }) => url)).toEqual(['a', 'b', 'a', 'b']);
    await lanes.start();
    const chosen = Array.from({ length: 4 }, () => lanes.lease(caller).lane);
    expect(chosen).toEqual(lanes.shared);
    await lanes.stop();
  });

  it('are tried once each for one call', async () => {
    const { lanes } = setUp('shared', 1, ['a', 'b', 'c']);
    await lanes.start();
    const tried: Lane[] = [lanes.lease(caller).lane];
    for (let other = lanes.leaseOther(caller, tried, true); other; other = lanes.leaseOther(caller, tried, true))
      tried.push(other.lane);
    expect(tried).toHaveLength(3);
    expect(new Set(tried.map(({ url }) => url))).toEqual(new Set(['a', 'b', 'c']));
    await lanes.stop();
  });

  it('are all down but one: a call that did not run is tried there again', async () => {
    const { lanes } = setUp('shared', 1, ['a', 'b']);
    await lanes.start();
    const [a, b] = lanes.shared as [Lane, Lane];
    failed(b, new AppError('unavailable', 'gone'));
    expect(lanes.leaseOther(caller, [a], true)?.lane).toBe(a);
    expect(lanes.leaseOther(caller, [a], false)?.lane).toBe(b);
    expect(lanes.leaseOther(caller, [a, a], true)?.lane).toBe(b);
    await lanes.stop();
  });

  it('with one URL a call is tried on one other replica, or again if it did not run', async () => {
    const two = setUp('shared', 1, undefined, 2);
    await two.lanes.start();
    const [first, second] = two.lanes.shared as [Lane, Lane];
    expect(two.lanes.lease(caller).lane).toBe(first);
    expect(two.lanes.lease(caller).lane).toBe(first);
    expect(two.lanes.leaseOther(caller, [first], false)?.lane).toBe(second);
    expect(two.lanes.leaseOther(caller, [first, second], true)).toBeUndefined();
    await two.lanes.stop();
    const one = setUp('shared', 1);
    const [only] = one.lanes.shared as [Lane];
    expect(one.lanes.leaseOther(caller, [only], false)).toBeUndefined();
    expect(one.lanes.leaseOther(caller, [only], true)?.lane).toBe(only);
  });
});
