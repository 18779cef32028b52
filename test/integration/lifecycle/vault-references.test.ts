import { createServer } from 'node:http';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { backendOf, call, eventsOf } from '../../support/plain-calls.ts';
import { odd, scratch } from '../../support/processes.ts';
import { serve } from '../../support/serve-process.ts';
import { type FakeVault, startFakeVault } from '../../support/vault.ts';
import { type Json, send, startGateway, type TestGateway, textOf } from '../harness.ts';

const WHO = 'first-Zq8vK2-who';
const TOKEN = 'first-Rt5yU1-token';
const NEW_WHO = 'second-Wm3xB9-who';

/** What a service with a token got. */
const heard: (string | undefined)[] = [];
const service = createServer((request, response) => {
  heard.push(request.headers.authorization);
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify({ status: 'success', data: { resultType: 'vector', result: [] } }));
});

let vault: FakeVault;
let serviceUrl: string;

beforeAll(async () => {
  service.listen(0, '127.0.0.1');
  await once(service, 'listening');
  serviceUrl = `http://127.0.0.1:${(service.address() as AddressInfo).port}`;
});
afterAll(() => void service.close());

beforeEach(async () => {
  vault = await startFakeVault();
  await vault.api('POST', 'sys/mounts/secret', { type: 'kv', options: { version: '2' } });
  await vault.api('POST', 'sys/mounts/old', { type: 'kv' });
  await put('app/server', { who: WHO, port: 5 });
  await put('app/service', { token: TOKEN });
  return async () => await vault[Symbol.asyncDispose]();
});

const put = (path: string, data: Json) => vault.api('POST', `secret/data/${path}`, { data });

const environment = (who: string) => ({
  command: process.execPath,
  args: [fileURLToPath(new URL('../../fixtures/environment-server.ts', import.meta.url))],
  env: { WHO: who },
});

const config = () => ({
  memory: false,
  graph: false,
  mcpServers: { told: environment('${vault:secret/app/server#who}'), other: odd() },
  modules: { prometheus: { url: serviceUrl, token: '${vault:secret/app/service#token}' } },
});

const start = (file: object = config(), env: Record<string, string> = {}): Promise<TestGateway> =>
  startGateway(file, { env: { VAULT_ADDR: vault.url, VAULT_TOKEN: vault.root, ...env }, refreshMs: 20 });

const rewrite = (gateway: TestGateway, file: object) =>
  writeFile(join(gateway.home, 'sluice.json'), JSON.stringify(file));

/** What the server got as WHO; undefined while it restarts. */
async function whoOf({ url }: TestGateway): Promise<string | undefined> {
  const result = await call(url, 'told__who').catch(() => undefined);
  if (!result || result.isError) return undefined;
  return (JSON.parse(textOf(result)) as { who: string }).who;
}

const pidOf = async ({ url }: TestGateway) =>
  (JSON.parse(textOf(await call(url, 'other__pids'))) as { pid: number }).pid;

const configHealth = ({ runtime }: TestGateway) => runtime.health().find(({ name }) => name === 'configuration');

const reloads = async ({ url }: TestGateway) =>
  (await eventsOf(url, 'gateway.config_reloaded')).map(({ data }) => data);

/** The events, the status and the state that everybody can see. */
async function seenOf(gateway: TestGateway): Promise<string> {
  const events = await gateway.stored({ limit: 1000 });
  const { text } = await send(new URL('/api/v1/status', gateway.url).href);
  return JSON.stringify(events) + text + JSON.stringify(gateway.runtime.health());
}

const SOON = { timeout: 10_000, interval: 30 };

test('a changed secret reaches the server that uses it, and nobody else restarts', async () => {
  await using gateway = await start();
  await using _watch = gateway.runtime.watch();
  expect(await whoOf(gateway)).toBe(WHO);
  const pid = await pidOf(gateway);

  await put('app/server', { who: NEW_WHO });
  await expect.poll(() => whoOf(gateway), SOON).toBe(NEW_WHO);
  expect(await pidOf(gateway)).toBe(pid);
  await expect
    .poll(() => reloads(gateway), SOON)
    .toEqual([{ added: [], changed: ['told'], removed: [], sections: ['mcpServers'] }]);
  await call(gateway.url, 'told__who', { [NEW_WHO]: WHO });
  const seen = await seenOf(gateway);
  for (const secret of [WHO, NEW_WHO, TOKEN, vault.root]) expect(seen).not.toContain(secret);
  expect(gateway.runtime.log).toBeUndefined();
});

test('a changed secret reaches the module that uses it', async () => {
  await using gateway = await start();
  await using _watch = gateway.runtime.watch();
  const ask = async () => {
    await call(gateway.url, 'prometheus_call', { tool: 'prometheus_query', params: { query: 'up' } });
    return heard.at(-1);
  };
  expect(await ask()).toBe(`Bearer ${TOKEN}`);
  await put('app/service', { token: 'second-Rt5yU1-token' });
  await expect.poll(ask, SOON).toBe('Bearer second-Rt5yU1-token');
});

test('each path is read once a round, with one request', async () => {
  await using gateway = await start({ ...config(), toolsets: { t: { include: ['${vault:secret/app/server#port}'] } } });
  const reads = () =>
    vault.sent.filter(({ method, path }) => method === 'GET' && path === 'secret/data/app/server').length;
  expect(reads()).toBe(1);
  await using _watch = gateway.runtime.watch();
  await expect.poll(reads, SOON).toBeGreaterThan(4);
  expect(vault.sent.filter(({ path }) => path.startsWith('sys/internal'))).toHaveLength(2);
});

describe('while Vault is away', () => {
  test('an unrelated change is applied, and the health says once what is missing', async () => {
    await using gateway = await start();
    await using _watch = gateway.runtime.watch();
    vault.seal(true);
    await expect.poll(() => configHealth(gateway)?.state, SOON).toBe('degraded');
    expect(configHealth(gateway)?.lastError?.message).toMatch(
      /the values from before are used: vault at 127\.0\.0\.1:\d+ is sealed/,
    );
    await rewrite(gateway, { ...config(), toolsets: { more: { include: ['x'] } } });
    await expect.poll(() => reloads(gateway), SOON).toMatchObject([{ changed: [], sections: ['toolsets'] }]);
    expect(await whoOf(gateway)).toBe(WHO);
    vault.seal(false);
    await expect.poll(() => configHealth(gateway)?.state, SOON).toBe('ready');
    expect(await eventsOf(gateway.url, 'gateway.config_rejected')).toEqual([]);
  });

  test('a token that was revoked changes nothing either', async () => {
    const token = await vault.token({ 'secret/data/*': ['read'] });
    await using gateway = await start(config(), { VAULT_TOKEN: token });
    await using _watch = gateway.runtime.watch();
    await vault.api('POST', 'auth/token/revoke', { token });
    await expect.poll(() => configHealth(gateway)?.lastError?.message, SOON).toContain('Correct VAULT_TOKEN');
    expect(await whoOf(gateway)).toBe(WHO);
  });
});

test('a secret that comes later completes a file that was rejected', async () => {
  await using gateway = await start();
  await using _watch = gateway.runtime.watch();
  const more = environment('${vault:secret/app/later#who}');
  await rewrite(gateway, { ...config(), mcpServers: { ...config().mcpServers, later: more } });
  const rejected = async () =>
    (await eventsOf(gateway.url, 'gateway.config_rejected')).map(({ data }) => data.problems);
  await expect
    .poll(rejected, SOON)
    .toEqual([[expect.stringMatching(/later.*there is no secret secret\/app\/later in vault at .*vault kv put/)]]);
  await put('app/later', { who: 'somebody-at-last' });
  await expect.poll(async () => (await backendOf(gateway.url, 'later'))?.state, SOON).toBe('RUNNING');
  expect(await rejected()).toHaveLength(1);
});

describe('the start says what to do', () => {
  const told = (reference: string) => ({ ...config(), mcpServers: { told: environment(reference) } });

  test.each([
    [
      '${vault:secret/app/nope#who}',
      /there is no secret secret\/app\/nope in vault at .*`vault kv put secret\/app\/nope/,
    ],
    ['${vault:secret/app/server#wh}', /secret\/app\/server in Vault has no key wh\. Its keys are port, who\./],
    ['${vault:secret/app/server}', /names no key\. Its keys are port, who\. Write \$\{vault:secret\/app\/server#KEY\}/],
    ['${vault:nope/app#who}', /nope\/app/],
    ['${vault:cubbyhole/app#who}', /KV engines only/],
    ['${vault:secret/../app#who}', /is not a path/],
  ])('about %s', async (reference, said) => {
    await expect(start(told(reference))).rejects.toThrow(said);
  });

  test('about a value that is not a text', async () => {
    await put('app/server', { who: { deep: 'x' } });
    await expect(start()).rejects.toThrow('the key who of secret/app/server in Vault is not a text');
  });

  test('about a policy that forbids it', async () => {
    const token = await vault.token({ 'secret/data/app/service': ['read'] });
    await expect(start(config(), { VAULT_TOKEN: token })).rejects.toThrow(
      /told\.env\.WHO.*does not let this token read secret\/data\/app\/server\. Add it to the token's policy/,
    );
  });

  test.each([
    ['a wrong token', { VAULT_TOKEN: 'wrong-token-value' }, /refuses the token.*Correct VAULT_TOKEN/],
    ['no token', { VAULT_TOKEN: '' }, /VAULT_TOKEN/],
    ['no Vault', { VAULT_TOKEN: '', VAULT_ADDR: '' }, /no Vault is configured\. Set VAULT_ADDR and VAULT_TOKEN/],
    ['a wrong address', { VAULT_ADDR: 'vault:8200' }, /VAULT_ADDR is not an http or https URL/],
    [
      'a Vault that does not run',
      { VAULT_ADDR: 'http://127.0.0.1:9' },
      /vault at 127\.0\.0\.1:9 is not running.*VAULT_ADDR/,
    ],
  ])('about %s, once', async (_, env, said) => {
    const error = await start(config(), env).then(
      () => undefined,
      (thrown: unknown) => thrown as Error,
    );
    expect(error?.message).toMatch(said);
    expect(error?.message).toMatch(/has a problem:/);
    expect(error?.message).not.toMatch(/wrong-token-value|vault_[a-z]+_/);
  });

  test('about a Vault that is sealed', async () => {
    vault.seal(true);
    await expect(start()).rejects.toThrow(/is sealed.*vault operator unseal/);
  });
});

test('KV version 1, numbers and defaults', async () => {
  await vault.api('POST', 'old/app', { who: 7 });
  await using gateway = await start({
    ...config(),
    mcpServers: { told: environment('${vault:old/app#who}-${vault:old/nope#x:-default}') },
  });
  expect(await whoOf(gateway)).toBe('7-default');
});

describe('with modules.vault', () => {
  test('the section says where Vault is; its paths limit tools only', async () => {
    const section = { url: vault.url, token: '${OWN_TOKEN}', paths: ['other/*'], refresh: '5s' };
    const file = { ...config(), modules: { vault: section } };
    await using gateway = await start(file, {
      VAULT_ADDR: 'http://127.0.0.1:9',
      VAULT_TOKEN: '',
      OWN_TOKEN: vault.root,
    });
    expect(await whoOf(gateway)).toBe(WHO);
  });

  test('an AppRole logs in once for all reads', async () => {
    await vault.api('POST', 'sys/auth/approle', { type: 'approle' });
    await vault.api('PUT', 'sys/policies/acl/app', {
      policy: JSON.stringify({ path: { 'secret/data/app/*': { capabilities: ['read'] } } }),
    });
    await vault.api('POST', 'auth/approle/role/sluice', { token_policies: ['app'], token_ttl: '3600' });
    const { role_id: roleId } = await vault.api('GET', 'auth/approle/role/sluice/role-id');
    const { secret_id: secretId } = await vault.api('POST', 'auth/approle/role/sluice/secret-id', {});
    const file = {
      ...config(),
      modules: { ...config().modules, vault: { url: vault.url, appRole: { roleId, secretId } } },
    };
    await using gateway = await start(file, { VAULT_ADDR: '', VAULT_TOKEN: '' });
    await using _watch = gateway.runtime.watch();
    await put('app/server', { who: NEW_WHO });
    await expect.poll(() => whoOf(gateway), SOON).toBe(NEW_WHO);
    expect(vault.sent.filter(({ path }) => path === 'auth/approle/login')).toHaveLength(1);
  });

  test('nothing in it can come from Vault', async () => {
    const vaultSection = { url: vault.url, token: '${vault:secret/app/server#who}' };
    await expect(start({ ...config(), modules: { vault: vaultSection } })).rejects.toThrow(
      /modules\.vault\.token.*modules\.vault says how to read it/,
    );
  });

  test('a refresh of less than five seconds is refused', async () => {
    const file = { ...config(), modules: { vault: { url: vault.url, refresh: '1s' } } };
    await expect(start(file)).rejects.toThrow(/modules\.vault\.refresh.*is too short\. Write 5s or more/);
  });
});

test('the shipped command reads references, and prints no value', async () => {
  await using files = await scratch();
  const env = { VAULT_ADDR: vault.url, VAULT_TOKEN: vault.root };
  await using gateway = await serve(files.directory, { ...config(), logLevel: 'debug' }, { env });
  await gateway.ready();
  const who = async () => textOf(await call(gateway.url, 'told__who'));
  expect(await who()).toContain(WHO);
  await put('app/server', { who: NEW_WHO });
  // A changed file is read with the secrets of this moment.
  await gateway.configure({ ...config(), logLevel: 'debug', toolsets: { more: { include: ['x'] } } });
  await expect.poll(() => gateway.output(), SOON).toContain('Reloaded the configuration. Changed: told.');
  await expect.poll(() => who().catch(() => ''), SOON).toContain(NEW_WHO);
  for (const secret of [WHO, NEW_WHO, TOKEN, vault.root]) expect(gateway.output()).not.toContain(secret);
});
