import { describe, expect, test } from 'vitest';
import { killReplicas } from '../support/killed-replicas.ts';
import { postgresIsMissing } from '../support/postgres.ts';
import { proxyIsMissing } from '../support/proxies.ts';
import { CLIENTS_OF_EACH_ERA, stopReplicas, unavoidable } from '../support/stopped-replicas.ts';

const missing = postgresIsMissing ?? proxyIsMissing('haproxy');

describe.skipIf(missing !== undefined)(`three replicas behind haproxy${missing ? ` (${missing})` : ''}`, () => {
  test('2,000 calls while they are killed in turn: none is lost, nor its event, nor its delivery', async () => {
    const { kills, calls, backMs, repeated, failures, ...lost } = await killReplicas(2000);
    console.log(JSON.stringify({ kills, calls, repeated, back: backMs.map(Math.round), failures: [...failures] }));
    expect(lost).toEqual({ lost: [], withoutEvent: [], undelivered: [], altered: [] });
    expect(calls).toBeGreaterThanOrEqual(2000);
    expect(kills).toBe(6);
  }, 180_000);
});

describe.skipIf(postgresIsMissing)('a replica that is stopped', () => {
  for (const name of ['haproxy', 'nginx'] as const)
    test.skipIf(proxyIsMissing(name)).concurrent(
      `behind ${name} as documented costs no call, and its sessions one error each`,
      async () => {
        const { calls, failed, slowestMs } = await stopReplicas(name, 1);
        console.log(JSON.stringify({ name, calls, slowestMs, failed }));
        expect(unavoidable(failed)).toEqual(failed);
        expect(Object.values(failed).reduce((sum, times) => sum + times, 0)).toBeLessThanOrEqual(CLIENTS_OF_EACH_ERA);
      },
      120_000,
    );
});
