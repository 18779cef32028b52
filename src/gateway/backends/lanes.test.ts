import { describe, expect, it, vi } from 'vitest';
import { Lane } from './lane.ts';
import { createLanes } from './lanes.ts';
import type { BackendSettings } from '../settings.ts';
import type { Upstream } from '../../wire/upstream.ts';

function setUp(isolation: 'session' | 'principal', most: number) {
  const busy = new Set<Lane>();
  const inUse = new Set<string>();
  const ended: string[] = [];
  const lanes = createLanes({
    settings: { isolation, replicas: 1 } as BackendSettings,
    clientInfo: {},
    mostOwned: () => most,
    endIdle(session) {
      if (inUse.has(session)) return false;
      ended.push(session);
      lanes.sessionClosed(session);
      return true;
    },
    create() {
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
