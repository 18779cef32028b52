import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtempDisposable, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { createProgress } from '../../../src/blueprints/progress.ts';
import { openRedisProgress } from '../../../src/blueprints/redis-progress.ts';
import { startStepServer } from '../../fixtures/step-server.ts';
import { type BlueprintCalls, blueprintCalls } from '../../support/blueprints.ts';
import { type Behind, behind, type OwnRedis, ownRedis, REDIS } from '../../support/own-redis.ts';
import { type Json, startGateway } from '../harness.ts';

const HOUR_MS = 3_600_000;
const WAIT = { timeout: 15_000 };

let redis: OwnRedis;
let look: Behind;
beforeEach(async () => {
  redis = await ownRedis();
  look = await behind(redis.url);
});
afterEach(async () => {
  await look[Symbol.asyncDispose]();
  await redis[Symbol.asyncDispose]();
});

async function written(run: string): Promise<Json | undefined> {
  const text = await look.send('GET', `sluice:blueprint:${run}`);
  return typeof text === 'string' ? (JSON.parse(text) as Json) : undefined;
}

const definition = `name: progress
inputs: { token: { type: string, secret: true } }
steps:
  - { id: a, tool: steps__put, arguments: { name: a, value: "\${inputs.token}" } }
  - { id: go, approval: "Go on with \${inputs.token}?" }
  - { id: b, tool: steps__put, arguments: { name: b } }
`;

const deploy = async ({ call }: BlueprintCalls) => {
  await call('blueprint_save', { text: definition });
  const { run } = await call<{ run: string }>('blueprint_deploy', {
    name: 'progress',
    inputs: { token: 'very-secret-text' },
  });
  return run;
};

describe.skipIf(!existsSync(REDIS))('progress in Redis', () => {
  test('is the status of a run without its secrets, for a while', async () => {
    await using server = await startStepServer();
    await using gateway = await startGateway({
      mcpServers: { steps: server.entry },
      modules: { redis: { url: redis.url } },
      blueprints: { progressTtl: '1h' },
    });
    await using calls = await blueprintCalls(gateway);
    const run = await deploy(calls);
    await expect
      .poll(() => written(run), WAIT)
      .toMatchObject({ run, state: 'waiting', progress: { done: 1, total: 3 } });
    expect(JSON.stringify(await written(run))).not.toContain('very-secret-text');
    const ttl = Number(await look.send('PTTL', `sluice:blueprint:${run}`));
    expect(ttl).toBeGreaterThan(HOUR_MS - 60_000);
    expect(ttl).toBeLessThanOrEqual(HOUR_MS);
    await calls.call('blueprint_approve', { run, approve: true });
    await expect.poll(() => written(run), WAIT).toMatchObject({ state: 'succeeded', progress: { done: 3, total: 3 } });
  });

  test('a Redis that is away delays no run, is reported, and gets what it missed', async () => {
    await using server = await startStepServer();
    await using gateway = await startGateway({
      mcpServers: { steps: server.entry },
      modules: { redis: { url: redis.url } },
    });
    await using calls = await blueprintCalls(gateway);
    const first = await deploy(calls);
    await expect.poll(() => written(first), WAIT).toMatchObject({ state: 'waiting' });
    const { port } = redis;
    await look[Symbol.asyncDispose]();
    await redis[Symbol.asyncDispose]();
    const second = await deploy(calls);
    await calls.call('blueprint_approve', { run: second, approve: true });
    expect(await calls.call('blueprint_status', { run: second, wait_seconds: 20 })).toMatchObject({
      state: 'succeeded',
    });
    const health = () => gateway.runtime.apis.gateway.status().parts.find(({ kind }) => kind === 'blueprints');
    await expect
      .poll(health, WAIT)
      .toMatchObject({ state: 'degraded', lastError: { message: expect.stringContaining('127.0.0.1') } });
    redis = await ownRedis([], port);
    look = await behind(redis.url);
    await expect.poll(() => written(second), WAIT).toMatchObject({ state: 'succeeded' });
    await expect.poll(health, WAIT).toBeUndefined();
  });

  test('a run that changes all the time is written a few times a second, and at last as it is', async () => {
    let changes = 0;
    let reads = 0;
    const view = async () => {
      reads++;
      return { changes };
    };
    await using progress = openRedisProgress({ url: redis.url, ttlMs: () => HOUR_MS, view });
    const began = Date.now();
    await expect
      .poll(
        () => {
          changes++;
          progress.changed('busy');
          return Date.now() - began;
        },
        { interval: 1, timeout: 5000 },
      )
      .toBeGreaterThan(1000);
    await expect.poll(() => written('busy'), WAIT).toEqual({ changes });
    expect(changes).toBeGreaterThan(50);
    expect(reads).toBeLessThanOrEqual(Math.ceil((Date.now() - began) / 200) + 1);
  });

  test('what was changed last is written before it closes', async () => {
    let state = 'running';
    const progress = openRedisProgress({ url: redis.url, ttlMs: () => HOUR_MS, view: async () => ({ state }) });
    progress.changed('r');
    await expect.poll(() => written('r'), WAIT).toEqual({ state });
    state = 'succeeded';
    progress.changed('r');
    await progress[Symbol.asyncDispose]();
    expect(await written('r')).toEqual({ state: 'succeeded' });
  });

  test('a Redis with TLS and a password is used, and one that refuses is named without its password', async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'sluice-tls-'));
    const at = (file: string) => join(folder.path, file);
    const subject = ['-subj', '/CN=127.0.0.1', '-addext', 'subjectAltName=IP:127.0.0.1'];
    const made = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
    execFileSync('openssl', [...made, ...subject, '-keyout', at('key.pem'), '-out', at('cert.pem')], { stdio: 'pipe' });
    const files = [
      '--tls-cert-file',
      at('cert.pem'),
      '--tls-key-file',
      at('key.pem'),
      '--tls-ca-cert-file',
      at('cert.pem'),
    ];
    const options = ['--port', '0', '--requirepass', 'right-word', ...files, '--tls-auth-clients', 'no', '--tls-port'];
    await using secure = await ownRedis(options);
    const ca = await readFile(at('cert.pem'), 'utf8');
    const tls = { ca, rejectUnauthorized: true };
    const seen: string[] = [];
    const progressAt = (password: string) =>
      openRedisProgress({
        url: `rediss://:${password}@127.0.0.1:${secure.port}`,
        tls,
        ttlMs: () => HOUR_MS,
        async view(run) {
          seen.push(run);
          return { run };
        },
      });
    await using right = progressAt('right-word');
    right.changed('r');
    await expect.poll(() => seen, WAIT).toEqual(['r']);
    expect(right.trouble()).toBeUndefined();
    await using wrong = progressAt('wrong-word');
    wrong.changed('r');
    await expect.poll(() => wrong.trouble(), WAIT).toContain('WRONGPASS');
    expect(wrong.trouble()).not.toContain('wrong-word');
  });

  test('the Redis of all replicas comes first, then that of a module; the file may change', async () => {
    await using other = await ownRedis();
    await using there = await behind(other.url);
    let shared: string | undefined = redis.url;
    let modules: object[] = [{ type: 'postgres' }, { type: 'redis', name: 'redis', settings: { url: other.url } }];
    const progress = createProgress({
      store: { redis: () => shared },
      modules: { instances: () => modules as never },
      ttlMs: () => HOUR_MS,
      view: async (run) => ({ run }),
    });
    const keys = async (at: Behind) => at.send('KEYS', '*');
    progress.changed('one');
    await expect.poll(() => keys(look), WAIT).toEqual(['sluice:blueprint:one']);
    shared = undefined;
    progress.changed('two');
    await expect.poll(() => keys(there), WAIT).toEqual(['sluice:blueprint:two']);
    modules = [];
    progress.changed('three');
    await progress[Symbol.asyncDispose]();
    expect([await keys(look), await keys(there)]).toEqual([['sluice:blueprint:one'], ['sluice:blueprint:two']]);
  });
});
