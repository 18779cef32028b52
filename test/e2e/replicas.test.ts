import { describe, expect, test } from 'vitest';
import { haproxyIsMissing } from '../support/haproxy.ts';
import { killReplicas } from '../support/killed-replicas.ts';
import { postgresIsMissing } from '../support/postgres.ts';

const missing = postgresIsMissing ?? haproxyIsMissing;

describe.skipIf(missing !== undefined)(`three replicas behind haproxy${missing ? ` (${missing})` : ''}`, () => {
  test('2,000 calls while they are killed in turn: none is lost, nor its event, nor its delivery', async () => {
    const { kills, calls, backMs, repeated, failures, ...lost } = await killReplicas(2000);
    console.log(JSON.stringify({ kills, calls, repeated, back: backMs.map(Math.round), failures: [...failures] }));
    expect(lost).toEqual({ lost: [], withoutEvent: [], undelivered: [], altered: [] });
    expect(calls).toBeGreaterThanOrEqual(2000);
    expect(kills).toBe(6);
  }, 180_000);
});
