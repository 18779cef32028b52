import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it, test } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import { freePort } from '../../support/free-port.ts';
import { type ModuleClient, moduleClient } from '../../support/module-client.ts';
import {
  type FakeVault,
  type Fault,
  isRealVault,
  type Sent,
  startFakeVault,
  startVault,
  type TestVault,
} from '../../support/vault.ts';
import { callTool, connectV2, type Json, startGateway, textOf } from '../harness.ts';

const id = Math.random().toString(36).slice(2, 8);
/** Engines of this suite: KV version 2 and 1. */
const KV = `kv-${id}`;
const OLD = `old-${id}`;

const VALUE = 'correct-horse-battery-staple';
const NESTED = 'nested-value-of-the-suite';

async function filled(vault: TestVault): Promise<void> {
  await vault.api('POST', `sys/mounts/${KV}`, { type: 'kv', description: 'For the shop', options: { version: '2' } });
  await vault.api('POST', `sys/mounts/${OLD}`, { type: 'kv', options: { version: '1' } });
  const put = (path: string, data: Json) => vault.api('POST', `${KV}/data/${path}`, { data });
  await put('app/db', { password: 'the-first-password' });
  await put('app/db', { password: VALUE, port: 5432, tls: true, extra: { inner: [NESTED], none: {} } });
  await put('app/stripe/live', { key: 'sk_live_0123456789' });
  await put('app/long', { pem: 'line of a certificate\n'.repeat(1000), user: 'ada' });
  await put('other/hidden', { key: 'nobody-may-see-this' });
  await put('app-2', { key: 'beside the folder' });
  await vault.api('POST', `${OLD}/app/mail`, { user: 'ada', password: 'an-old-password' });
}

let vault: TestVault;
let client: ModuleClient;
const stack = new AsyncDisposableStack();

beforeAll(async () => {
  vault = stack.use(await startVault());
  await filled(vault);
  client = stack.use(
    await moduleClient(
      {
        vault: {
          url: vault.url,
          token: vault.root,
          mode: 'read-write',
          paths: [`${KV}/app/*`, `${KV}/new/*`, `${OLD}/*`],
        },
      },
      { config: { events: { arguments: true } } },
    ),
  );
}, 30_000);
afterAll(async () => await stack.disposeAsync());

const read = <T = Json>(tool: string, params: Json = {}) => client.read<T>('vault', `vault_${tool}`, params);
const call = <T = Json>(tool: string, params: Json = {}) => client.call<T>('vault', `vault_${tool}`, params);
const refused = (tool: string, params: Json = {}) => client.refused('vault', `vault_${tool}`, params);
const confirmed = (tool: string, params: Json = {}) => client.confirmed('vault', `vault_${tool}`, params);
const stored = async (of = client) => JSON.stringify((await of.gateway.stored({ limit: 1000 })).events);

describe('discovery', () => {
  it('lists three tools, and what is inside', async () => {
    expect(await client.listed()).toEqual(['vault_list', 'vault_call', 'vault_read']);
    const lines = await client.list('vault');
    for (const name of ['list_secrets', 'read_secret', 'reveal_secret', 'write_secret', 'destroy_versions'])
      expect(lines).toContain(`vault_${name}`);
    expect(await client.list('vault', { query: 'where is the password of the database' })).toContain('find_secrets');
    expect(await refused('reveal_secrets')).toContain('vault_reveal_secret');
  });

  it('lists engines', async () => {
    const { mounts } = await read<{ mounts: Json[] }>('list_mounts');
    expect(mounts).toEqual([
      { path: `${KV}/`, type: 'kv', kv_version: 2, description: 'For the shop' },
      { path: `${OLD}/`, type: 'kv', kv_version: 1 },
    ]);
  });

  it('lists what is allowed in folders', async () => {
    expect(await read('list_secrets', { path: KV })).toEqual({ path: KV, total: 1, items: ['app/'] });
    expect(await read('list_secrets', { path: `${KV}/app/` })).toMatchObject({ items: ['db', 'long', 'stripe/'] });
    expect(await read('list_secrets', { path: `${KV}/data/app` })).toMatchObject({ path: `${KV}/app`, total: 3 });
    expect(await read('list_secrets', { path: `${OLD}/app` })).toMatchObject({ items: ['mail'] });
    expect(await read('list_secrets', { path: `${KV}/app/db` })).toMatchObject({
      total: 0,
      note: expect.stringContaining('vault_read_secret') as string,
    });
    expect(await refused('list_secrets', { path: `${KV}/other` })).toContain('modules.vault.paths');
    expect(await refused('list_secrets', { path: `${KV}/data/other` })).toContain('modules.vault.paths');
  });

  it('finds secrets by name', async () => {
    expect(await read('find_secrets', { query: 'STRIPE' })).toMatchObject({ secrets: [`${KV}/app/stripe/live`] });
    expect(await read('find_secrets', { query: '*/app/*' })).toMatchObject({
      total: 4,
      secrets: [`${KV}/app/db`, `${KV}/app/long`, `${KV}/app/stripe/live`, `${OLD}/app/mail`],
    });
    expect(await read('find_secrets', { query: 'hidden' })).toMatchObject({ total: 0, secrets: [] });
    expect(await read('find_secrets', { query: 'a', path: `${KV}/app/stripe` })).toMatchObject({ total: 1 });
    expect(await refused('find_secrets', { query: 'a', path: `${KV}/other` })).toContain('modules.vault.paths');
  });

  it('pages through long lists', async () => {
    for (let n = 0; n < 120; n++)
      await vault.api('POST', `${OLD}/many/${'a-long-name-'.repeat(5)}${String(n).padStart(3, '0')}`, { n });
    const seen = new Set<string>();
    let cursor: string | undefined;
    for (let pages = 0; pages < 20; pages++) {
      const page = await read<{ total: number; items: string[]; cursor?: string }>('list_secrets', {
        path: `${OLD}/many`,
        ...(cursor !== undefined && { cursor }),
      });
      expect(page.total).toBe(120);
      for (const name of page.items) seen.add(name);
      ({ cursor } = page);
      if (cursor === undefined) break;
    }
    expect(seen.size).toBe(120);
  });

  it('says what the token is, and never the token', async () => {
    const info = await read('get_token_info');
    expect(info).toMatchObject({
      policies: ['root'],
      expires: 'never',
      warning: expect.stringContaining('root') as string,
    });
    expect(JSON.stringify(info)).not.toContain(vault.root);
    expect(JSON.stringify(info)).not.toContain('accessor');
    expect(await read('check_access', { path: `${KV}/app/db` })).toMatchObject({
      access: expect.arrayContaining([{ path: `${KV}/data/app/db`, for: 'values', capabilities: ['root'] }]) as unknown,
    });
    expect(await read('get_status')).toMatchObject({ state: 'ready', explanation: 'It works.' });
  });
});

describe('reading', () => {
  it('shows keys and types, and no values', async () => {
    const secret = await read('read_secret', { path: `${KV}/app/db` });
    expect(secret).toMatchObject({
      path: `${KV}/app/db`,
      version: 2,
      keys: [
        { key: 'password', type: 'string' },
        { key: 'port', type: 'number' },
        { key: 'tls', type: 'boolean' },
        { key: 'extra.inner', type: 'array' },
        { key: 'extra.none', type: 'object' },
      ].sort((a, b) => ORDER.indexOf(a.key) - ORDER.indexOf(b.key)),
    });
    for (const value of [VALUE, NESTED, '5432']) expect(JSON.stringify(secret)).not.toContain(value);
    expect(await read('read_secret', { path: `${KV}/data/app/db`, version: 1 })).toMatchObject({
      version: 1,
      keys: [{ key: 'password', type: 'string' }],
    });
    expect(await read('read_secret', { path: `${OLD}/app/mail` })).toMatchObject({
      keys: expect.arrayContaining([{ key: 'user', type: 'string' }]) as unknown,
    });
  });

  it('says nothing about engines out of reach, not even of which type they are', async () => {
    for (const tool of ['vault_list_secrets', 'vault_find_secrets']) {
      const said = await client.refused('vault', tool, {
        path: 'cubbyhole/x',
        ...(tool.includes('find') && { query: 'a' }),
      });
      expect(said).toContain('out of reach: modules.vault.paths');
    }
  });

  it('refuses what is not there, not allowed, or no path', async () => {
    expect(await refused('read_secret', { path: `${KV}/app/none` })).toContain('There is no secret');
    expect(await refused('read_secret', { path: `${KV}/app/db`, version: 9 })).toContain('no such version');
    expect(await refused('read_secret', { path: `${OLD}/app/mail`, version: 1 })).toContain('keeps no versions');
    expect(await refused('read_secret', { path: KV })).toContain('modules.vault.paths');
    for (const path of [`${KV}/other/hidden`, `${KV}/data/other/hidden`, `${KV}/app-2`, 'cubbyhole/x', 'sys/mounts'])
      for (const tool of ['read_secret', 'reveal_secret', 'list_versions', 'check_access'])
        expect(await refused(tool, { path }), `${tool} ${path}`).toContain('modules.vault.paths');
    for (const path of [`${KV}/app/../other/hidden`, `${KV}/app//db`, `${KV}/app/./db`])
      expect(await refused('read_secret', { path })).toContain('is not a path');
    expect(await refused('read_secret', { path: `${KV}/app/%2e%2e/other/hidden` })).toContain('There is no secret');
    expect(await refused('read_secret', {})).toContain('path');
  });
});

/** Vault sorts the keys of a secret; the fake keeps their order. */
const ORDER = isRealVault
  ? ['extra.inner', 'extra.none', 'password', 'port', 'tls']
  : ['password', 'port', 'tls', 'extra.inner', 'extra.none'];

describe('revealing', () => {
  it('shows values, in parts if they are long', async () => {
    expect(await call('reveal_secret', { path: `${KV}/app/db` })).toEqual({
      path: `${KV}/app/db`,
      version: 2,
      values: { password: VALUE, port: 5432, tls: true, extra: { inner: [NESTED], none: {} } },
    });
    expect(await call('reveal_secret', { path: `${KV}/app/db`, version: 1 })).toMatchObject({
      values: { password: 'the-first-password' },
    });
    expect(await call('reveal_secret', { path: `${KV}/app/db`, keys: ['tls'] })).toMatchObject({
      values: { tls: true },
    });
    expect(await call('reveal_secret', { path: `${OLD}/app/mail`, keys: ['user'] })).toMatchObject({
      values: { user: 'ada' },
    });
    let text = '';
    let offset: number | undefined;
    do {
      const part = await call<{ values: { pem: string }; next_offset?: number }>('reveal_secret', {
        path: `${KV}/app/long`,
        keys: ['pem'],
        ...(offset !== undefined && { offset }),
      });
      text += part.values.pem;
      offset = part.next_offset;
    } while (offset !== undefined);
    expect(text).toBe('line of a certificate\n'.repeat(1000));
    expect(await refused('reveal_secret', { path: `${KV}/app/db`, keys: ['constructor'] })).toContain('has no key');
    expect(await refused('reveal_secret', { path: `${KV}/app/db`, offset: 5 })).toContain('name its key');
  });

  it('is not among the tools that only read', async () => {
    const direct = await connectV2(client.gateway, { era: 'modern' });
    await using _ = direct;
    const through = await callTool(direct, 'vault_read', {
      tool: 'vault_reveal_secret',
      params: { path: `${KV}/app/db` },
    });
    expect(through.isError).toBe(true);
    expect(textOf(through)).toContain('vault_call');
    expect(textOf(through)).not.toContain(VALUE);
  });

  it('leaves no value in events, whatever the value is called in them later', async () => {
    await call('reveal_secret', { path: `${KV}/app/db` });
    // Somebody passes what was revealed on, as an argument that is recorded.
    await refused('read_secret', { path: `${KV}/app/${VALUE}` });
    await refused('find_secrets', { query: NESTED, cursor: 'bad' });
    const events = await stored();
    expect(events).toContain('vault_reveal_secret');
    expect(events).toContain('tool.call_arguments');
    expect(events).toContain('[redacted]');
    for (const value of [VALUE, NESTED, 'the-first-password', 'nobody-may-see-this', vault.root])
      expect(events).not.toContain(value);
  });
});

describe('writing', () => {
  const path = `${KV}/new/mail`;
  const WRITTEN = ['written-value-one', 'written-value-two', 'written-in-a-list'];

  it('creates, and does not overwrite unseen', async () => {
    expect(await call('write_secret', { path, secret: { pin: WRITTEN[0], hosts: [WRITTEN[2]] } })).toEqual({
      path,
      version: 1,
      keys: ['pin', 'hosts'],
    });
    expect(await refused('write_secret', { path, secret: { pin: 'overwritten-value' } })).toMatch(/already.*as cas/);
    expect(await refused('write_secret', { path, secret: { pin: 'overwritten-value' }, cas: 5 })).toMatch(
      /another version.*nothing was written/,
    );
    expect(await call('write_secret', { path, secret: { pin: WRITTEN[1] }, cas: 1 })).toMatchObject({ version: 2 });
    expect(await vault.api('GET', `${KV}/data/new/mail`)).toMatchObject({ data: { pin: WRITTEN[1] } });
  });

  it('merges, and generates values that nobody sees', async () => {
    expect(await refused('write_secret', { path: `${KV}/new/none`, secret: { a: 'b' }, merge: true })).toContain(
      'to merge into',
    );
    const made = await call('write_secret', { path, secret: { user: 'ada' }, generate: { token: 40 }, merge: true });
    expect(made).toEqual({ path, version: 3, keys: ['user', 'token'] });
    const { data } = (await vault.api('GET', `${KV}/data/new/mail`)) as { data: Record<string, string> };
    expect(data).toMatchObject({ pin: WRITTEN[1], user: 'ada', token: expect.stringMatching(/^\w{40}$/) as string });
    expect(await call('write_secret', { path, secret: { user: null }, merge: true, cas: 3 })).toMatchObject({
      version: 4,
    });
    expect(await read('read_secret', { path })).toMatchObject({ keys: [{ key: 'pin' }, { key: 'token' }] });
    expect(await stored()).not.toContain(data.token);
  });

  it('refuses bad input, and changes nothing', async () => {
    expect(await refused('write_secret', { path })).toContain('Nothing to write');
    expect(await refused('write_secret', { path, secret: { a: 'x' }, generate: { a: 20 } })).toContain(
      'in one of them',
    );
    expect(await refused('write_secret', { path, secret: 'text' })).toContain('secret');
    expect(await refused('write_secret', { path, secret: { a: 'x' }, overwrite: true })).toContain('keeps versions');
    for (const name of ['data', 'values', 'path'])
      expect(await refused('write_secret', { path, [name]: { a: 'misnamed-value' } })).toContain(name);
    expect(await refused('write_secret', { path, generate: { a: 'misnamed-value' } })).toContain('generate');
    expect(await refused('write_secret', { path: `${KV}/other/hidden`, secret: { a: 'x' } })).toContain(
      'modules.vault.paths',
    );
    expect(await read('list_versions', { path })).toMatchObject({ current_version: 4 });
  });

  it('writes to KV version 1', async () => {
    const old = `${OLD}/new`;
    expect(await call('write_secret', { path: old, secret: { a: '1' } })).toEqual({ path: old, keys: ['a'] });
    expect(await refused('write_secret', { path: old, secret: { a: '2' } })).toContain('overwrite: true');
    expect(await refused('write_secret', { path: old, secret: { a: '2' }, cas: 1 })).toContain('Leave cas out');
    await call('write_secret', { path: old, secret: { b: '2' }, merge: true });
    expect(await vault.api('GET', old)).toEqual({ a: '1', b: '2' });
    await call('write_secret', { path: old, secret: { c: '3' }, overwrite: true });
    expect(await vault.api('GET', old)).toEqual({ c: '3' });
  });

  it('leaves no written value in events', async () => {
    const events = await stored();
    expect(events).toContain('vault_write_secret');
    for (const value of [...WRITTEN, 'overwritten-value', 'misnamed-value']) expect(events).not.toContain(value);
  });
});

describe('versions', () => {
  const path = `${KV}/new/versions`;

  it('are listed, deleted, brought back and destroyed', async () => {
    for (const cas of [0, 1, 2]) await call('write_secret', { path, secret: { n: `value ${cas}` }, cas });
    expect(await read('list_versions', { path })).toMatchObject({
      current_version: 3,
      versions: [
        { version: 3, state: 'current' },
        { version: 2, state: 'kept' },
        { version: 1, state: 'kept' },
      ],
    });
    const { question, result } = await confirmed('delete_secret', { path });
    expect(question).toContain(`version 3 of the secret ${path}`);
    expect(result).toEqual({ path, versions: [3] });
    expect(await refused('reveal_secret', { path })).toMatch(/was deleted.*vault_undelete_secret/);
    expect(await call('undelete_secret', { path })).toEqual({ path, versions: [3] });
    expect(await read('read_secret', { path })).toMatchObject({ version: 3 });
    const destroyed = await confirmed('destroy_versions', { path, versions: [1, 2] });
    expect(destroyed.question).toContain('for good');
    expect(await refused('undelete_secret', { path, versions: [2] })).toContain('cannot come back');
    expect(await refused('reveal_secret', { path, version: 1 })).toContain('destroyed for good');
    expect(await refused('delete_secret', { path, versions: [7] })).toContain('no version 7');
    expect(await refused('destroy_versions', { path })).toContain('either versions');
    const all = await confirmed('destroy_versions', { path, all: true });
    expect(all.result).toMatchObject({ all: true, versions: [3, 2, 1] });
    expect(await refused('read_secret', { path })).toContain('There is no secret');
  });

  it('of KV version 1 do not exist: deleting is for good', async () => {
    const old = `${OLD}/gone`;
    await call('write_secret', { path: old, secret: { a: '1' } });
    const { question, result } = await confirmed('delete_secret', { path: old });
    expect(question).toContain('keeps no versions');
    expect(result).toEqual({ path: old, for_good: true });
    expect(await refused('delete_secret', { path: old })).toContain('There is no secret');
    expect(await refused('destroy_versions', { path: old, all: true })).toContain('keeps no versions');
  });

  it('have metadata', async () => {
    await call('write_secret', { path, secret: { a: '1' } });
    const set = (more: Json) => call('set_metadata', { path, ...more });
    expect(await set({ custom_metadata: { owner: 'ada', team: 'shop' }, max_versions: 5 })).toMatchObject({
      max_versions: 5,
      custom_metadata: { owner: 'ada', team: 'shop' },
    });
    expect(await set({ custom_metadata: { owner: null, tier: '1' }, cas_required: true })).toMatchObject({
      max_versions: 5,
      cas_required: true,
      custom_metadata: { team: 'shop', tier: '1' },
    });
    expect(await read('read_secret', { path })).toMatchObject({ custom_metadata: { team: 'shop', tier: '1' } });
    expect(await refused('set_metadata', { path })).toContain('Nothing to change');
    expect(await refused('set_metadata', { path, delete_version_after: 'soon' })).toContain('720h');
    expect(await refused('set_metadata', { path: `${KV}/new/none`, max_versions: 1 })).toContain('There is no secret');
    expect(await refused('write_secret', { path, secret: { b: '1' }, merge: true })).toContain('Pass cas');
    expect(await call('write_secret', { path, secret: { b: '1' }, merge: true, cas: 1 })).toMatchObject({ version: 2 });
  });
});

describe('policies', () => {
  it('of a token are explained', async () => {
    const token = await vault.token({
      [`${KV}/data/app/db`]: ['read'],
      [`${KV}/subkeys/app/*`]: ['read'],
      [`${KV}/metadata/app/*`]: ['list', 'read'],
      [`${KV}/data/new/*`]: ['create', 'update', 'read'],
    });
    await using limited = await moduleClient({
      vault: { url: vault.url, token, mode: 'read-write', paths: [`${KV}/*`, `${OLD}/*`] },
    });
    const said = (tool: string, params: Json) => limited.refused('vault', tool, params);
    expect(await limited.read('vault', 'list_mounts')).toMatchObject({ mounts: [{ path: `${KV}/` }] });
    expect(await limited.read('vault', 'get_token_info')).toMatchObject({ renewable: true });
    expect(await said('list_secrets', { path: KV })).toMatch(
      /policy: path "kv-.*\/metadata\/" \{ capabilities = \["list"\]/,
    );
    expect(await limited.read('vault', 'find_secrets', { query: 'db', path: `${KV}/app` })).toMatchObject({ total: 1 });
    expect(await limited.read('vault', 'find_secrets', { query: 'db' })).toMatchObject({
      total: 0,
      note: expect.stringContaining('may not list 1') as string,
    });
    expect(await said('reveal_secret', { path: `${KV}/app/long` })).toMatch(
      /read kv-.*\/data\/app\/long.*vault_check_access/,
    );
    // Only the names of its keys may be read: Vault leaves the values out.
    expect(await limited.read('vault', 'read_secret', { path: `${KV}/app/long` })).toMatchObject({
      keys: expect.arrayContaining([{ key: 'pem', type: 'not readable' }]) as unknown,
    });
    expect(await said('read_secret', { path: `${OLD}/app/mail` })).toContain('may use no secrets engine');
    expect(await said('read_secret', { path: `${KV}/other/hidden` })).toContain('capabilities');
    const access = await limited.read('vault', 'check_access', { path: `${KV}/app/db` });
    expect(access).toMatchObject({
      access: expect.arrayContaining([
        { path: `${KV}/data/app/db`, for: 'values', capabilities: ['read'] },
        { path: `${KV}/destroy/app/db`, for: 'destroying versions', capabilities: ['deny'] },
      ]) as unknown,
    });
    // Without the right to patch, Sluice merges.
    const path = `${KV}/new/merged`;
    await limited.call('vault', 'write_secret', { path, secret: { a: '1', b: '2' } });
    expect(
      await limited.call('vault', 'write_secret', { path, secret: { b: null, c: '3' }, merge: true }),
    ).toMatchObject({
      version: 2,
    });
    expect(await vault.api('GET', `${KV}/data/new/merged`)).toMatchObject({ data: { a: '1', c: '3' } });
    expect(await said('set_metadata', { path, max_versions: 3 })).toContain('capabilities');
  });
});

describe('keys of Sluice', () => {
  it('need vault:reveal literally', async () => {
    await using guarded = await moduleClientWithKeys();
    const { calls, events } = guarded;
    const reveal = { tool: 'vault_reveal_secret', params: { path: `${KV}/app/db` } };
    const without = await calls(['tools:execute'], reveal);
    expect(without.isError).toBe(true);
    expect(textOf(without)).toContain('vault:reveal');
    expect(textOf(without)).not.toContain(VALUE);
    const all = await calls(['vault:read', 'vault:write', 'vault:execute'], reveal);
    expect(textOf(all)).toContain('No tool vault_reveal_secret');
    const masked = await calls(['tools:execute'], { tool: 'vault_read_secret', params: { path: `${KV}/app/db` } });
    expect(masked.isError).toBeFalsy();
    const granted = await calls(['vault:reveal'], reveal);
    expect(granted.structuredContent).toMatchObject({ values: { password: VALUE } });
    // The second of its kind needs the same scope.
    const second = { tool: 'vault-two_reveal_secret', params: { path: `${KV}/app/db` } };
    expect(textOf(await calls(['tools:execute', 'vault-two:execute'], second, 'vault-two'))).toContain('vault:reveal');
    expect((await calls(['vault:reveal'], second, 'vault-two')).structuredContent).toHaveProperty('values');
    const recorded = await events();
    expect(recorded).toContain('vault_reveal_secret');
    for (const value of [VALUE, NESTED, vault.root]) expect(recorded).not.toContain(value);
  });
});

/** A gateway with keys, whose modules are read-only. */
async function moduleClientWithKeys() {
  const section = { url: vault.url, token: vault.root, paths: [`${KV}/app/*`] };
  const gateway = await startGateway({
    auth: { mode: 'keys' },
    memory: false,
    graph: false,
    events: { arguments: true },
    modules: { vault: section, 'vault-two': { type: 'vault', ...section } },
  });
  let made = 0;
  return {
    async calls(scopes: string[], args: Json, source = 'vault') {
      const grant = { name: `key-${made++}`, createdAt: new Date().toISOString(), createdBy: 'test', scopes };
      const { key } = await createKey(gateway.runtime.store.keys, grant);
      await using one = await connectV2(gateway, { era: 'modern', headers: { 'x-api-key': key } });
      return await callTool(one, `${source}_call`, args);
    },
    events: async () => JSON.stringify((await gateway.stored({ limit: 1000 })).events),
    [Symbol.asyncDispose]: () => gateway[Symbol.asyncDispose](),
  };
}

test('read-only mode offers no changes, and revealing', async () => {
  await using reading = await moduleClient({ vault: { url: vault.url, token: vault.root } });
  const lines = await reading.list('vault');
  expect(lines).not.toContain('vault_write_secret');
  expect(lines).not.toContain('vault_delete_secret');
  expect(lines).toContain('vault_reveal_secret');
  expect(await reading.listed()).toContain('vault_read');
  expect(await reading.refused('vault', 'vault_write_secret', { path: 'x', secret: {} })).toContain('read-write');
  expect(await reading.call('vault', 'reveal_secret', { path: `${KV}/app-2` })).toMatchObject({ version: 1 });
});

describe('the section', () => {
  test.each([
    [{}, 'does not say how to log in'],
    [{ token: 'a', appRole: { roleId: 'b', secretId: 'c' } }, 'several ways to log in to Vault: token, appRole'],
    [{ token: 'a', mode: 'read-write' }, 'nothing says what may be changed'],
    [{ tokenFile: 'relative/token' }, 'is not an absolute path'],
    [{ token: 'a', url: 'vault.example.com' }, 'is not an http or https URL'],
    [{ token: 'a', password: 'x' }, 'password'],
  ])('%o: %s', async (section, said) => {
    await expect(moduleClient({ vault: section })).rejects.toThrow(said);
  });

  test('comes from the environment', async () => {
    const env = { VAULT_ADDR: vault.url, VAULT_TOKEN: vault.root };
    await using client = await moduleClient({ vault: {} }, { env });
    expect(await client.read('vault', 'get_status')).toMatchObject({ state: 'ready' });
    expect(await client.read('vault', 'get_token_info')).toMatchObject({ policies: ['root'] });
  });
});

describe('logging in', () => {
  test('with AppRole', async () => {
    const mount = `approle-${id}`;
    await vault.api('POST', `sys/auth/${mount}`, { type: 'approle' });
    await vault.api('PUT', `sys/policies/acl/app-${id}`, {
      policy: JSON.stringify({ path: { [`${KV}/data/app/*`]: { capabilities: ['read'] } } }),
    });
    await vault.api('POST', `auth/${mount}/role/sluice`, { token_policies: [`app-${id}`], token_ttl: '3600s' });
    const { role_id: roleId } = await vault.api('GET', `auth/${mount}/role/sluice/role-id`);
    const { secret_id: secretId } = await vault.api('POST', `auth/${mount}/role/sluice/secret-id`);
    const section = { url: vault.url, appRole: { roleId, secretId, mount } };
    await using logged = await moduleClient({ vault: section });
    const look = () => logged.read<{ version: number }>('vault', 'read_secret', { path: `${KV}/app/db` });
    expect(await look()).toMatchObject({ version: 2 });
    expect(await logged.read('vault', 'get_token_info')).toMatchObject({ policies: ['default', `app-${id}`].sort() });
    await using wrong = await moduleClient({
      vault: { ...section, appRole: { roleId, secretId: 'not-the-secret-id', mount } },
    });
    const said = await wrong.refused('vault', 'vault_list_mounts');
    expect(said).toMatch(/refuses the login.*modules\.vault\.appRole/);
    expect(said).not.toContain('not-the-secret-id');
    expect(await stored(wrong)).not.toContain('not-the-secret-id');
  });

  test('with a file that changes', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'sluice-vault-'));
    try {
      const tokenFile = join(folder, 'token');
      const fresh = () => vault.token({ [`${KV}/data/app/*`]: ['read'] });
      const first = await fresh();
      await writeFile(tokenFile, `${first}\n`);
      await using filed = await moduleClient({ vault: { url: vault.url, tokenFile } });
      const look = () => filed.read('vault', 'read_secret', { path: `${KV}/app/db` });
      expect(await look()).toMatchObject({ version: 2 });
      await vault.api('POST', 'auth/token/revoke', { token: first });
      const said = await filed.refused('vault', 'vault_read_secret', { path: `${KV}/app/db` });
      expect(said).toMatch(/refuses the token.*modules\.vault\.tokenFile/);
      await writeFile(tokenFile, await fresh());
      expect(await look()).toMatchObject({ version: 2 });
      await writeFile(tokenFile, '');
      expect(await stored(filed)).not.toContain(first);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test('with a wrong token', async () => {
    await using wrong = await moduleClient({ vault: { url: vault.url, token: 'hvs.not-a-token-of-it' } });
    const said = await wrong.refused('vault', 'vault_read_secret', { path: `${KV}/app/db` });
    expect(said).toMatch(/^vault at \S+ refuses the token.*modules\.vault\.token/);
    expect(said).not.toContain('not-a-token-of-it');
    expect(wrong.health('vault')).toMatchObject({ state: 'failing' });
    expect(await wrong.read('vault', 'get_status')).toMatchObject({ state: 'ready' });
  });
});

/** For answers that do not depend on the request. */
const NOTHING: Sent = { method: '', path: '', token: undefined, body: undefined };

describe.skipIf(isRealVault)('what can go wrong', () => {
  const faulty = new AsyncDisposableStack();
  let fake: FakeVault;
  let guarded: ModuleClient;

  beforeAll(async () => {
    fake = faulty.use(await startFakeVault({ namespace: 'admin/shop' }));
    await filled(fake);
    guarded = faulty.use(
      await moduleClient({
        vault: {
          url: fake.url,
          token: await fake.token({ [`${KV}/*`]: ['create', 'update', 'read', 'list', 'patch', 'delete'] }),
          namespace: 'admin/shop',
          mode: 'read-write',
          paths: [`${KV}/*`],
          timeout: '2s',
        },
      }),
    );
  });
  afterAll(async () => await faulty.disposeAsync());
  afterEach(() => {
    fake.fail(undefined);
    fake.seal(false);
  });

  const path = `${KV}/app/db`;
  const look = () => guarded.read('vault', 'read_secret', { path });
  const refusal = () => guarded.refused('vault', 'vault_read_secret', { path });
  const answering =
    (status: number, body: string, headers: Record<string, string> = {}): Fault =>
    (_, response) => {
      response.writeHead(status, headers).end(body);
      return true;
    };

  test('a sealed Vault', async () => {
    expect(await look()).toMatchObject({ version: 2 });
    fake.seal(true);
    expect(await refusal()).toMatch(/is sealed.*vault operator unseal/);
    expect(guarded.health('vault')).toMatchObject({ state: 'failing' });
    expect(await guarded.read('vault', 'get_status')).toMatchObject({
      state: 'sealed',
      unseal_progress: '0 of 3 keys given, of 5',
    });
    fake.seal(false);
    expect(await look()).toMatchObject({ version: 2 });
    expect(guarded.health('vault')).toMatchObject({ state: 'ready' });
  });

  test('too many requests: it waits, and goes on', async () => {
    let limited = 0;
    fake.fail(({ path: asked }, response) => {
      if (!asked.includes('/data/') || limited > 0) return false;
      limited += 1;
      return answering(429, '{"errors":["request path: rate limit quota exceeded"]}', { 'retry-after': '0' })(
        NOTHING,
        response,
      );
    });
    expect(await look()).toMatchObject({ version: 2 });
    expect(limited).toBe(1);
    fake.fail(answering(429, '{"errors":["rate limit quota exceeded"]}', { 'retry-after': '3600' }));
    expect(await refusal()).toMatch(/limits requests.*Try again in 3600 s/);
  });

  test.each([
    [
      'a redirect of a standby',
      307,
      '',
      { location: 'https://active:8200/v1/x' },
      /redirects to active:8200.*modules\.vault\.url/,
    ],
    ['a page', 200, '<html>Log in</html>', {}, /something else than its API/],
    ['a page that says no', 404, '<html>nginx</html>', {}, /does not answer as Vault does/],
    ['an internal error', 500, '{"errors":["internal error"]}', {}, /HTTP 500: internal error/],
    ['a gateway without Vault', 502, '<html>Bad gateway</html>', {}, /HTTP 502/],
    ['a standby without an active node', 503, '{"errors":["no active node"]}', {}, /standby without an active node/],
  ] as const)('%s', async (_, status, body, headers, said) => {
    fake.fail(answering(status, body, headers));
    expect(await refusal()).toMatch(said);
  });

  test('50 MB, and no end of waiting', async () => {
    fake.fail(({ path: asked }, response) => {
      if (!asked.includes('/data/')) return false;
      response.writeHead(200, { 'content-type': 'application/json' });
      response.end(`{"data":{"data":{"x":"${'x'.repeat(50 * 1024 * 1024)}"`);
      return true;
    });
    expect(await refusal()).toContain('answered with more than');
    fake.fail(() => true);
    expect(await refusal()).toMatch(/took longer than 2 s.*modules\.vault\.timeout/);
    fake.fail((_, response) => {
      response.destroy();
      return true;
    });
    expect(await refusal()).toContain('closed the connection');
  });

  test('a write whose answer is lost is not repeated', async () => {
    const before = fake.sent.length;
    fake.fail(({ method }, response) => {
      if (method !== 'POST') return false;
      response.destroy();
      return true;
    });
    const secret = { pin: 'a-lost-value-of-a-write' };
    const said = await guarded.refused('vault', 'vault_write_secret', { path: `${KV}/lost`, secret });
    expect(said).toContain('may or may not have taken effect');
    expect(said).not.toContain(secret.pin);
    expect(fake.sent.slice(before).filter(({ method }) => method === 'POST')).toHaveLength(1);
    expect(await stored(guarded)).not.toContain(secret.pin);
  });

  test('a proxy that keeps internal paths back', async () => {
    fake.fail(({ path: asked }, response) =>
      asked.startsWith('sys/internal/') ? answering(404, '{"errors":[]}')(NOTHING, response) : false,
    );
    // This token may not list all engines either.
    expect(await refusal()).toContain('sys/mounts');
    await using rooted = await moduleClient({ vault: { url: fake.url, token: fake.root, namespace: 'admin/shop' } });
    expect(await rooted.read('vault', 'read_secret', { path })).toMatchObject({ version: 2 });
    expect(await rooted.refused('vault', 'vault_read_secret', { path: 'none/x' })).toContain(
      'no secrets engine at none/x',
    );
  });

  test('a namespace that is missing or another one', async () => {
    await using outside = await moduleClient({ vault: { url: fake.url, token: fake.root } });
    expect(await outside.refused('vault', 'vault_list_mounts')).toContain('refuses the token');
  });

  test('tokens that expire are replaced by a login, once for all who wait', async () => {
    await fake.api('POST', 'sys/auth/team/approle', { type: 'approle' });
    await fake.api('POST', 'sys/auth/k8s', { type: 'kubernetes' });
    const policy = JSON.stringify({ path: { [`${KV}/data/app/*`]: { capabilities: ['read'] } } });
    await fake.api('PUT', 'sys/policies/acl/app', { policy });
    await fake.api('POST', 'auth/k8s/role/sluice', {
      token_policies: ['app'],
      token_ttl: '3600s',
      bound_service_account_names: ['token-of-the-service-account'],
    });
    const folder = await mkdtemp(join(tmpdir(), 'sluice-vault-'));
    try {
      const tokenFile = join(folder, 'token');
      await writeFile(tokenFile, 'token-of-the-service-account\n');
      await using logged = await moduleClient({
        vault: { url: fake.url, namespace: 'admin/shop', kubernetes: { role: 'sluice', mount: 'k8s', tokenFile } },
      });
      const logins = () => fake.sent.filter(({ path: asked }) => asked === 'auth/k8s/login').length;
      const get = () => logged.read('vault', 'read_secret', { path });
      await Promise.all([get(), get(), get()]);
      expect(logins()).toBe(1);
      fake.advance(4000);
      await Promise.all([get(), get(), get()]);
      expect(logins()).toBe(2);
      const issued = fake.sent.flatMap(({ token }) => (token === undefined || token === fake.root ? [] : [token]));
      const events = await stored(logged);
      for (const token of [...issued, 'token-of-the-service-account']) expect(events).not.toContain(token);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});

test('a Vault that is away, and comes back', async () => {
  const port = await freePort();
  await using away = await moduleClient({ vault: { url: `http://127.0.0.1:${port}`, token: 'none' } });
  expect(await away.refused('vault', 'vault_list_mounts')).toMatch(
    /^vault at 127\.0\.0\.1:\d+ is not running.*modules\.vault/,
  );
  await using fake = await startFakeVault({ port });
  await filled(fake);
  expect(await away.read('vault', 'get_status')).toMatchObject({ state: 'ready' });
});
