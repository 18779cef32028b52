import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import type { KeyGrant } from '../../../src/store/store.ts';
import { approve, createBrowser } from '../../support/browser.ts';
import { authorizeUrl, pkce, register, token } from '../../support/oauth-requests.ts';
import { modern, send, startGateway, type TestGateway } from '../harness.ts';

const password = 'correct horse battery staple';

let gateway: TestGateway;
let admin: string;

beforeAll(async () => {
  gateway = await startGateway({ auth: { mode: 'both', oauth: { builtin: { password } } } });
  admin = (await newKey({ name: 'admin', scopes: ['admin'] })).key;
});
afterAll(() => gateway[Symbol.asyncDispose]());

let made = 0;
const newKey = (more: Partial<KeyGrant> = {}) =>
  createKey(gateway.runtime.store.keys, {
    name: `k${made++}`,
    scopes: ['tools:execute'],
    createdAt: new Date().toISOString(),
    createdBy: 'test',
    ...more,
  });

interface Answer {
  status: number;
  body: {
    id?: string;
    key?: string;
    keys?: Record<string, unknown>[];
    clients?: (Record<string, unknown> & { id: string })[];
    error?: { message: string };
  };
}

async function ask(path: string, method = 'GET', given?: unknown, key: string = admin): Promise<Answer> {
  const response = await fetch(`${gateway.url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, ...(given !== undefined && { 'content-type': 'application/json' }) },
    ...(given !== undefined && { body: JSON.stringify(given) }),
  });
  expect(response.headers.get('cache-control') ?? 'no-store').toBe('no-store');
  return { status: response.status, body: (await response.json()) as Answer['body'] };
}

const create = (given: object, key?: string) => ask('/api/v1/keys', 'POST', given, key);
const listed = async (id: unknown) =>
  (await ask('/api/v1/keys')).body.keys?.find((one) => one.id === id) as Record<string, unknown>;
const statusFor = async (key: string) => (await ask('/api/v1/mcp/tools', 'GET', undefined, key)).status;

describe('keys', () => {
  it('are made, shown once, used and revoked', async () => {
    const { status, body } = await create({
      name: ' ci ',
      scopes: ['tools:read', 'tools:execute'],
      tools: ['ref__*'],
      readOnly: true,
      confirm: 'writes',
      rate: '100/min',
      expires: '90d',
    });
    expect(status).toBe(200);
    const { id, key = '' } = body;
    expect(key).toMatch(/^slc_/);
    const limits = { tools: ['ref__*'], readOnly: true, confirm: 'writes', rate: '100/min' };
    const before = await listed(id);
    expect(before).toMatchObject({ name: 'ci', scopes: ['tools:read', 'tools:execute'], state: 'works', ...limits });
    expect(before).not.toHaveProperty('usedAt');
    expect(before).not.toHaveProperty('hash');
    expect(JSON.stringify(await ask('/api/v1/keys'))).not.toContain(key.slice(15));

    expect(await statusFor(key)).toBe(200);
    expect(Date.parse(String((await listed(id)).usedAt))).toBeGreaterThan(Date.now() - 60_000);

    expect((await ask(`/api/v1/keys/${id}`, 'DELETE')).status).toBe(200);
    expect(await statusFor(key)).toBe(401);
    expect(await listed(id)).toMatchObject({ state: 'revoked', revokedAt: expect.any(String) as string });
    expect((await ask(`/api/v1/keys/${id}`, 'DELETE')).status).toBe(409);
    const { events } = await gateway.stored({ type: 'key.*' });
    expect(events.map(({ event_type, data }) => [event_type, data.key, data.principal])).toEqual([
      ['key.revoked', id, expect.stringMatching(/^key:/)],
      ['key.created', id, expect.stringMatching(/^key:/)],
    ]);
  });

  it.each([
    [{}, /name: is missing/],
    [{ name: '' }, /name is missing/],
    [{ name: 'a\nb' }, /one line/],
    [{ name: 'x'.repeat(101) }, /at most 100/],
    [{ name: 'x', scopes: [] }, /at least one scope/],
    [{ name: 'x', scopes: ['everything'] }, /not a scope/],
    [{ name: 'x', scopes: 'admin' }, /scopes/],
    [{ name: 'x', tools: [] }, /no tool/],
    [{ name: 'x', expires: 'soon' }, /90d/],
    [{ name: 'x', expires: '2020-01-01' }, /past/],
    [{ name: 'x', rate: 'fast' }, /100\/min/],
    [{ name: 'x', confirm: 'always' }, /confirm/],
    [{ name: 'x', admin: true }, /unknown key "admin"/],
    [{ name: 'x', tools: Array.from({ length: 101 }, () => 'a') }, /tools/],
  ])('%j is not made', async (given, why) => {
    const { status, body } = await create(given);
    expect(status).toBe(400);
    expect(body.error?.message).toMatch(why);
  });

  it('have names of their own', async () => {
    expect((await create({ name: 'twice' })).status).toBe(200);
    expect((await create({ name: 'twice' })).status).toBe(409);
  });

  it('are nobody’s business without the scope admin', async () => {
    const { id, key } = await newKey({ scopes: ['tools:execute', 'health:check'] });
    for (const [path, method, given] of [
      ['/api/v1/keys', 'GET'],
      ['/api/v1/keys', 'POST', { name: 'mine' }],
      [`/api/v1/keys/${id}`, 'DELETE'],
      ['/api/v1/clients', 'GET'],
      ['/api/v1/clients/x', 'DELETE'],
    ] as const) {
      expect((await ask(path, method, given, key)).status, `${method} ${path}`).toBe(403);
      expect((await ask(path, method, given, 'nobody')).status, `${method} ${path}`).toBe(401);
    }
  });

  it('of a limited admin have its limits', async () => {
    const soon = new Date(Date.now() + 3_600_000).toISOString();
    const limits = { tools: ['ref__*'], confirm: 'writes', rate: '10/min' } as const;
    const { key } = await newKey({ scopes: ['admin'], ...limits, expiresAt: soon });
    const fine = { name: `sub${made++}`, ...limits, expires: '10m' };
    for (const [change, why] of [
      [{ tools: undefined }, /limited to ref__/],
      [{ tools: ['ref__*', 'other__*'] }, /other__/],
      [{ confirm: 'never' }, /confirm/],
      [{ rate: undefined }, /rate/],
      [{ rate: '1000/min' }, /rate/],
      [{ expires: undefined }, /expires/],
      [{ expires: '2h' }, /expires/],
    ] as const) {
      const { status, body } = await create({ ...fine, ...change }, key);
      expect(status).toBe(403);
      expect(body.error?.message).toMatch(why);
    }
    expect((await create(fine, key)).status).toBe(200);
  });

  it('are not changed by a read-only admin', async () => {
    const { id, key } = await newKey({ scopes: ['admin'], readOnly: true });
    expect((await ask('/api/v1/keys', 'GET', undefined, key)).status).toBe(200);
    expect((await create({ name: 'x' }, key)).status).toBe(403);
    expect((await ask(`/api/v1/keys/${id}`, 'DELETE', undefined, key)).status).toBe(403);
  });

  it('can revoke themselves, and get an answer', async () => {
    const { id, key } = await newKey({ scopes: ['admin'] });
    expect((await ask(`/api/v1/keys/${id}`, 'DELETE', undefined, key)).status).toBe(200);
    await expect.poll(() => statusFor(key)).toBe(401);
  });

  it('remember their last use over a restart', async () => {
    await using directory = await mkdtempDisposable(join(tmpdir(), 'sluice-keys-'));
    const config = { auth: { mode: 'keys', token: 'a token of 16 characters and more'.replaceAll(' ', '-') } };
    const keysOf = async (at: TestGateway) => {
      const response = await fetch(`${at.url}/api/v1/keys`, {
        headers: { authorization: `Bearer ${config.auth.token}` },
      });
      return ((await response.json()) as { keys: { name: string; usedAt?: string }[] }).keys;
    };
    const started = Date.now();
    {
      await using first = await startGateway(config, { home: directory.path });
      const grant = { scopes: ['tools:execute'], createdAt: new Date().toISOString(), createdBy: 'test' };
      const { key } = await createKey(first.runtime.store.keys, { name: 'used', ...grant });
      await createKey(first.runtime.store.keys, { name: 'unused', ...grant });
      await send(first.mcp, {
        ...modern('tools/list'),
        headers: { ...modern('tools/list').headers, 'x-api-key': key },
      });
    }
    await using second = await startGateway(config, { home: directory.path });
    const [unused, used] = await keysOf(second);
    expect(unused).not.toHaveProperty('usedAt');
    expect(Date.parse(used?.usedAt ?? '')).toBeGreaterThanOrEqual(started);
  });

  it.each(['nobody', '__proto__', '..%2f', '%00', 'x'.repeat(1000)])('%s is no key', async (id) => {
    expect((await ask(`/api/v1/keys/${id}`, 'DELETE')).status).toBe(404);
  });
});

describe('clients of the built-in authorization server', () => {
  const callback = 'https://app.example/callback';

  async function connectApp(name: string) {
    const metadata = { client_name: name, redirect_uris: [callback], token_endpoint_auth_method: 'none' };
    const client = String((await register(gateway.url, metadata)).body.client_id);
    const { verifier, challenge } = pkce();
    const url = authorizeUrl(gateway.url, { client_id: client, redirect_uri: callback, code_challenge: challenge });
    const back = await approve(createBrowser(gateway.url), url, password);
    const { body } = await token(gateway.url, {
      grant_type: 'authorization_code',
      client_id: client,
      redirect_uri: callback,
      code: back.searchParams.get('code') ?? '',
      code_verifier: verifier,
    });
    return { client, access: String(body.access_token), refresh: String(body.refresh_token) };
  }

  const list = (access: string) => {
    const request = modern('tools/list');
    return send(gateway.mcp, { ...request, headers: { ...request.headers, authorization: `Bearer ${access}` } });
  };

  it('are listed with what they may do, and lose it at once', async () => {
    const hostile = '<script>alert(1)</script>';
    const [app, other] = [await connectApp(hostile), await connectApp('Other')];
    await register(gateway.url, { client_name: 'Never', redirect_uris: [callback] });
    expect((await list(app.access)).status).toBe(200);
    const { body } = await ask('/api/v1/clients');
    expect(body).toMatchObject({ builtin: true, withoutAccess: 1 });
    const found = body.clients?.find(({ name }) => name === hostile);
    expect(found).toMatchObject({
      redirects: ['app.example'],
      since: expect.any(String) as string,
      usedAt: expect.any(String) as string,
      grants: [{ scopes: ['tools:read', 'tools:execute'], expires: expect.any(String) as string }],
    });
    for (const secret of [app.client, app.access, app.refresh]) expect(JSON.stringify(body)).not.toContain(secret);

    expect((await ask(`/api/v1/clients/${found?.id}`, 'DELETE')).status).toBe(200);
    expect((await list(app.access)).status).toBe(401);
    const again = { grant_type: 'refresh_token', client_id: app.client, refresh_token: app.refresh };
    expect((await token(gateway.url, again)).body.error).toBe('invalid_grant');
    expect((await list(other.access)).status).toBe(200);
    expect((await ask('/api/v1/clients')).body.clients?.map(({ name }) => name)).toEqual(['Other']);
    expect((await ask(`/api/v1/clients/${found?.id}`, 'DELETE')).status).toBe(404);
    const [event] = (await gateway.stored({ type: 'client.revoked' })).events;
    expect(event?.data).toMatchObject({ name: hostile, client: found?.id });
  });
});
