import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { common } from '../../../src/modules/settings.ts';
import { vaultSettings } from '../../../src/modules/vault/settings.ts';
import { vaultTextsAt } from '../../../src/modules/vault/texts.ts';
import { freePort } from '../../support/free-port.ts';
import { blueprintCalls } from '../../support/blueprints.ts';
import { startVault, type TestVault } from '../../support/vault.ts';
import { startGateway } from '../harness.ts';

const KV = `kv-${randomUUID()}`;
const OLD = `old-${randomUUID()}`;
const section = z.object({ ...common, ...vaultSettings.shape });
const stack = new AsyncDisposableStack();
let vault: TestVault;

beforeAll(async () => {
  vault = stack.use(await startVault());
  await vault.api('POST', `sys/mounts/${KV}`, { type: 'kv', options: { version: '2' } });
  await vault.api('POST', `sys/mounts/${OLD}`, { type: 'kv', options: { version: '1' } });
  const put = (path: string, data: object) => vault.api('POST', `${KV}/data/${path}`, { data });
  await put('bp', { first: 'name: first', count: 3 });
  await put('bp/second', { definition: 'name: second' });
  await put('bp/team/third', { definition: 'name: third', fourth: 'name: fourth' });
  await put('bp/gone', { definition: 'name: gone' });
  await vault.api('DELETE', `${KV}/data/bp/gone`);
  await put('other', { definition: 'name: other' });
  await vault.api('POST', `${OLD}/bp/old`, { definition: 'name: old' });
});
afterAll(() => stack.disposeAsync());

const textsAt = (path: string, token = vault.root) =>
  stack.use(
    vaultTextsAt({ name: 'vault', settings: section.parse({ url: vault.url, token, paths: ['nothing/*'] }) }, path),
  );

test('reads all texts at and below a path', async () => {
  expect(Object.fromEntries(await textsAt(`${KV}/bp`).read())).toEqual({
    [`${KV}/bp#first`]: 'name: first',
    [`${KV}/bp/second`]: 'name: second',
    [`${KV}/bp/team/third`]: 'name: third',
    [`${KV}/bp/team/third#fourth`]: 'name: fourth',
  });
});

test('reads KV version 1, from its mount on', async () => {
  expect([...(await textsAt(OLD).read())]).toEqual([[`${OLD}/bp/old`, 'name: old']]);
});

test('sees what changes, on one connection', async () => {
  const texts = textsAt(`${KV}/changing`);
  await expect(texts.read()).rejects.toThrow(`There is nothing at ${KV}/changing in vault.`);
  await vault.api('POST', `${KV}/data/changing/a`, { data: { definition: 'name: a' } });
  expect([...(await texts.read()).values()]).toEqual(['name: a']);
});

test('needs rights for what is below the path only', async () => {
  const token = await vault.token({ [`${KV}/metadata/bp/*`]: ['list'], [`${KV}/data/bp/*`]: ['read'] });
  const below = await textsAt(`${KV}/bp`, token).read();
  expect(below.get(`${KV}/bp/second`)).toBe('name: second');
  expect(below.has(`${KV}/bp#first`)).toBe(false);
  const none = await vault.token({ [`${KV}/data/elsewhere/*`]: ['read'] });
  await expect(textsAt(`${KV}/bp`, none).read()).rejects.toMatchObject({ code: 'forbidden' });
});

test('says when Vault does not answer', async () => {
  const port = await freePort();
  const settings = section.parse({ url: `http://127.0.0.1:${port}`, token: 'x' });
  await using texts = vaultTextsAt({ name: 'vault', settings }, `${KV}/bp`);
  await expect(texts.read()).rejects.toThrow(`vault at 127.0.0.1:${port}`);
});

test('a gateway with blueprints.vault deploys what is there', async () => {
  const text = 'name: from-vault\nsteps: [{ id: look, tool: gateway_status }]';
  await vault.api('POST', `${KV}/data/mine/one`, { data: { definition: text } });
  await using gateway = await startGateway({
    modules: { vault: { url: vault.url, token: vault.root } },
    blueprints: { vault: `${KV}/mine` },
  });
  await using calls = await blueprintCalls(gateway);
  expect(await calls.call('blueprint_show', { name: 'from-vault' })).toMatchObject({ origin: 'vault', text });
  expect(await calls.call('blueprint_deploy', { name: 'from-vault' })).toMatchObject({ state: 'succeeded' });
});
