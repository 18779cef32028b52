import { describe, expect, test } from 'vitest';
import { postgresIsMissing } from '../support/postgres.ts';
import { type ProxyName, proxyIsMissing } from '../support/proxies.ts';
import { CLIENTS_OF_EACH_ERA, stopReplicas, unavoidable } from '../support/stopped-replicas.ts';

const STOPS = 6;

describe.skipIf(postgresIsMissing)('replicas that are stopped in turn', () => {
  test.each<[ProxyName, hangMs: number]>([
    ['haproxy', 30_000],
    ['nginx', 0],
  ])('behind %s lose no call, and sessions end once', async (name, hangMs) => {
    expect(proxyIsMissing(name)).toBeUndefined();
    const { calls, failed, slowestMs, hungMs } = await stopReplicas(name, STOPS, hangMs);
    console.log(JSON.stringify({ name, calls, failed, slowestMs, hungMs }));
    expect(unavoidable(failed)).toEqual(failed);
    const ended = Object.values(failed).reduce((sum, times) => sum + times, 0);
    expect(ended).toBeLessThanOrEqual(STOPS * CLIENTS_OF_EACH_ERA);
    // A request for a session of the replica that hangs waits at the other one, until that one takes it for dead.
    expect(hungMs).toBeLessThan(20_000);
  });
});
