import { afterAll, beforeAll, expect, test } from 'vitest';
import { startVault, type TestVault } from '../../../test/support/vault.ts';
import { openVault, type VaultApi } from './api.ts';
import { partsOf, placeOf, readSecret } from './kv.ts';
import { vaultSettings } from './settings.ts';

/** Engines of this suite: KV version 2 and 1. */
const id = Math.random().toString(36).slice(2, 8);
const KV = `kv-${id}`;
const OLD = `team-${id}/kv`;

let server: TestVault;
let vault: VaultApi;
const signal = AbortSignal.timeout(30_000);

beforeAll(async () => {
  server = await startVault();
  await server.api('POST', `sys/mounts/${KV}`, { type: 'kv', options: { version: '2' } });
  await server.api('POST', `sys/mounts/${OLD}`, { type: 'kv', options: { version: '1' } });
  await server.api('POST', `${KV}/data/app/db`, { data: { password: 'one' } });
  await server.api('POST', `${KV}/data/app/db`, { data: { password: 'two', port: 5432 } });
  await server.api('POST', `${OLD}/app`, { user: 'ada' });
  vault = openVault(vaultSettings.parse({ url: server.url, token: server.root }), {
    at: 'vault at here',
    revealed: () => {},
  });
});
afterAll(async () => {
  await vault[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const read = async (path: string, version?: number) =>
  await readSecret(vault, await placeOf(vault, path, signal), { version, signal });

test.each([`${KV}/app/db`, `${KV}/data/app/db`, `/${KV}/app/db/`])('%s', async (path) => {
  expect(await placeOf(vault, path, signal)).toMatchObject({ name: 'app/db', path: `${KV}/app/db` });
  expect(await read(path)).toMatchObject({ data: { password: 'two', port: 5432 }, version: 2 });
  expect(await read(path, 1)).toMatchObject({ data: { password: 'one' }, version: 1 });
});

test('an engine of version 1, below a folder', async () => {
  expect(await read(`${OLD}/app`)).toEqual({ data: { user: 'ada' } });
  await expect(read(`${OLD}/app`, 1)).rejects.toThrow('keeps no versions');
});

test.each([
  [`${KV}/none`, `There is no secret ${KV}/none`],
  [KV, 'is a secrets engine, not a secret'],
  ['cubbyhole/x', 'of the type cubbyhole'],
  ['nothing/here', 'vault_list_mounts'],
])('%s: %s', async (path, said) => {
  await expect(read(path)).rejects.toThrow(said);
});

test.each(['', '/', 'a//b', 'a/../b', 'a/./b', 'a/\u0000'])('%o is no path', (path) => {
  expect(() => partsOf(path)).toThrow('is not a path');
});
