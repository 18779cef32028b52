/** What the console and programs read over REST about services. */
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { isMissing } from '../../support/daemon.ts';
import { freePort } from '../../support/free-port.ts';
import { ownRedis, type OwnRedis, REDIS } from '../../support/own-redis.ts';
import { readsAs, readsOf } from '../../support/reads.ts';
import { type Json, startGateway, type TestGateway } from '../harness.ts';

const lean = { memory: false, graph: false, blueprints: false, projects: false };

async function named(reads: Pick<ReturnType<typeof readsOf>, 'read'>): Promise<Map<string, Json>> {
  const { modules } = await reads.read<{ modules: (Json & { name: string })[] }>('modules');
  return new Map(modules.map((one) => [one.name, one]));
}

test('says what each module needs that is not configured, without asking anybody', async () => {
  await using gateway = await startGateway(lean);
  const modules = await named(readsOf(gateway));
  expect(modules.get('redis')).toEqual({
    name: 'redis',
    type: 'redis',
    description: expect.any(String) as string,
    state: 'not configured',
    needs: { lines: 'modules:\n  redis: { url: "${REDIS_URL}" }', variables: ['REDIS_URL'] },
  });
  expect(modules.get('grafana')).toMatchObject({ state: 'not configured' });
  expect([...modules.values()].every(({ state }) => state === 'not configured')).toBe(true);
  expect(await readsOf(gateway).refusal('modules/redis/check', 'POST')).toMatchObject({ status: 404 });
  expect(await readsOf(gateway).refusal('modules/__proto__/check', 'POST')).toMatchObject({ status: 404 });
});

describe.skipIf(isMissing(REDIS))(`a Redis (skipped without ${REDIS})`, () => {
  let redis: OwnRedis;
  let gateway: TestGateway;
  beforeAll(async () => {
    redis = await ownRedis(['--requirepass', 'canary-of-redis']);
    const nowhere = await freePort();
    gateway = await startGateway({
      ...lean,
      auth: { mode: 'keys' },
      modules: {
        redis: { url: redis.url.replace('//', '//:canary-of-redis@') },
        cache: { type: 'redis', url: redis.url.replace('//', '//:wrong-canary@'), mode: 'read-write' },
        prometheus: { url: `http://127.0.0.1:${nowhere}` },
      },
    });
  });
  afterAll(async () => {
    await gateway?.[Symbol.asyncDispose]();
    await redis?.[Symbol.asyncDispose]();
  });

  test('is asked, and its answer stays until it fails', async () => {
    const owner = await readsAs(gateway, 'owner');
    const checked = await owner.read('modules/redis/check', 'POST');
    expect(checked).toMatchObject({
      name: 'redis',
      state: 'ready',
      mode: 'read-only',
      service: expect.stringMatching(/^Redis \d/) as string,
      checks: true,
      try: 'redis_get_server_info',
    });
    const refused = await owner.read('modules/cache/check', 'POST');
    expect(refused).toMatchObject({ type: 'redis', state: 'failing', problem: expect.any(String) as string });
    const away = await owner.read('modules/prometheus/check', 'POST');
    expect(away).toMatchObject({
      state: 'failing',
      problem: expect.stringContaining('nothing listens there') as string,
    });
    const modules = await named(owner);
    expect(modules.get('redis')).toEqual(checked);
    expect(modules.get('cache')).toMatchObject({ state: 'failing', mode: 'read-write' });
    // Another one of its kind is configured, so nothing says what it needs.
    expect([...modules.values()].filter(({ type }) => type === 'redis')).toHaveLength(2);
    expect(JSON.stringify([...modules.values(), refused])).not.toContain('canary');
  });

  test('each key knows of the services that it may use', async () => {
    const one = await readsAs(gateway, 'one', { scopes: ['redis:read'] });
    const modules = await named(one);
    expect([modules.has('redis'), modules.has('cache')]).toEqual([true, false]);
    expect(modules.get('prometheus')).toBeUndefined();
    expect(await one.refusal('modules/cache/check', 'POST')).toMatchObject({ status: 404 });
    await one.read('modules/redis/check', 'POST');

    const limited = await readsAs(gateway, 'limited', { tools: ['redis_get_key'] });
    expect((await named(limited)).get('redis')).toMatchObject({ tools: 1, checks: true });
    expect((await named(limited)).get('redis')).not.toHaveProperty('try');
    expect((await named(limited)).has('cache')).toBe(false);

    const looking = await readsAs(gateway, 'looking', { scopes: ['tools:read'] });
    expect((await named(looking)).get('redis')).toMatchObject({ checks: false });
    expect(await looking.refusal('modules/redis/check', 'POST')).toMatchObject({ status: 403 });
    expect(await readsOf(gateway).refusal('modules')).toMatchObject({ status: 401 });
  });

  test('many who ask at once are one question', async () => {
    const owner = await readsAs(gateway, 'many');
    const answers = await Promise.all(Array.from({ length: 30 }, () => owner.read('modules/redis/check', 'POST')));
    expect(new Set(answers.map(({ state }) => state))).toEqual(new Set(['ready']));
  });
});
