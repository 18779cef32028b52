import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createKey, revokeKey } from '../../../src/auth/keys.ts';
import { resetOwner } from '../../../src/auth/owner.ts';
import type { KeyGrant } from '../../../src/store/store.ts';
import { postSession, type ScriptedSession, signInWith } from '../../support/console-session.ts';
import { createDatabase, postgresIsMissing } from '../../support/postgres.ts';
import { startPrefixProxy } from '../../support/prefix-proxy.ts';
import { type LocalReference, startGateway, startReference, type TestGateway } from '../harness.ts';

const password = 'correct horse battery staple';

let backend: LocalReference;
let gateway: TestGateway;

beforeAll(async () => {
  backend = await startReference('http', 'both');
  gateway = await startGateway({
    auth: { mode: 'both', oauth: { builtin: { password } } },
    mcpServers: { ref: backend.entry, other: backend.entry },
  });
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await backend[Symbol.asyncDispose]();
});

let made = 0;
const newKey = (more: Partial<KeyGrant> = {}, at = gateway) =>
  createKey(at.runtime.store.keys, {
    name: `k${made++}`,
    scopes: ['tools:execute', 'health:check'],
    createdAt: new Date().toISOString(),
    createdBy: 'test',
    ...more,
  });

const invoke = (session: ScriptedSession, name: string, args: object = {}) =>
  session.ask('/api/v1/mcp/invoke', 'POST', { name, arguments: args });

interface Told {
  signedIn: boolean;
  principal?: string;
  scopes?: string[];
  ended?: string;
  csrf?: string;
  expires?: string;
  ways?: object;
}

/** Live events; `ended` resolves when the gateway ends the stream. */
async function openStream(session: ScriptedSession): Promise<{ ended: Promise<void> }> {
  const { body, status } = await session.bare('/api/v1/events', { headers: { accept: 'text/event-stream' } });
  expect(status).toBe(200);
  const read = async () => {
    // oxlint-disable-next-line no-empty -- only the end counts
    for await (const _ of body as ReadableStream<Uint8Array>) {
    }
  };
  return { ended: read().catch(() => {}) };
}

const told = async (response: Promise<Response>) => (await (await response).json()) as Told;

describe('a session from a key', () => {
  it('has a cookie that only this site and no script sends, and says who it is', async () => {
    const { id, key } = await newKey();
    const session = await signInWith(gateway.url, { key });
    expect(session.header).toMatch(/^sluice_\w+=[\w-]+; Max-Age=604800; HttpOnly; SameSite=Strict$/);
    expect(session.header).not.toContain(key.slice(15));
    const who = await told(session.ask('/api/v1/session'));
    expect(who).toMatchObject({ signedIn: true, principal: `key:${id}`, scopes: ['tools:execute', 'health:check'] });
    expect(Date.parse(who.expires ?? '')).toBeGreaterThan(Date.now());
    expect((await session.ask('/api/v1/status')).status).toBe(200);
  });

  it('is secure where the browser sees https', async () => {
    await using behind = await startGateway({
      server: { publicUrl: 'https://sluice.example.com' },
      auth: { mode: 'keys' },
    });
    const { key } = await newKey({}, behind);
    const response = await postSession(behind.url, { key }, { origin: 'https://sluice.example.com' });
    expect(response.headers.get('set-cookie')).toMatch(/; SameSite=Strict; Secure$/);
  });

  it('changes something only with its token', async () => {
    const { key } = await newKey();
    const [session, other] = [await signInWith(gateway.url, { key }), await signInWith(gateway.url, { key })];
    const body = JSON.stringify({ name: 'ref__echo', arguments: { text: 'hi' } });
    const asked = (headers: Record<string, string>) =>
      session.bare('/api/v1/mcp/invoke', {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body,
      });
    for (const headers of [{}, { 'x-sluice-csrf': '' }, { 'x-sluice-csrf': other.csrf }]) {
      const refused = await asked(headers as Record<string, string>);
      expect(refused.status).toBe(403);
      expect(await refused.text()).toContain('X-Sluice-Csrf');
    }
    const elsewhere = await asked({ 'x-sluice-csrf': session.csrf, 'sec-fetch-site': 'same-site' });
    expect(elsewhere.status).toBe(403);
    const fine = await asked({ 'x-sluice-csrf': session.csrf, 'sec-fetch-site': 'same-origin' });
    expect(fine.status).toBe(200);
    expect(await fine.text()).toContain('hi');
  });

  it('ends with its key at once, and says why', async () => {
    const { id, key } = await newKey({ scopes: ['admin'] });
    const session = await signInWith(gateway.url, { key });
    const admin = await signInWith(gateway.url, { password });
    expect((await admin.ask(`/api/v1/keys/${id}`, 'DELETE')).status).toBe(200);
    const refused = await session.ask('/api/v1/status');
    expect(refused.status).toBe(401);
    expect(await refused.text()).toContain('the key was revoked');
    const answer = await session.ask('/api/v1/session');
    expect(answer.headers.get('set-cookie')).toMatch(/^sluice_\w+=; Max-Age=0;/);
    expect(await told(Promise.resolve(answer))).toEqual({
      signedIn: false,
      open: false,
      ways: { key: true, token: true, password: true },
      ended: 'Your session has ended (the key was revoked). Sign in again.',
    });
  });

  it('ends when its key expires', async () => {
    const { key } = await newKey({ expiresAt: new Date(Date.now() + 1500).toISOString() });
    const session = await signInWith(gateway.url, { key });
    await expect.poll(async () => (await session.ask('/api/v1/status')).status, { timeout: 5000 }).toBe(401);
    expect((await told(session.ask('/api/v1/session'))).ended).toContain('the key has expired');
  });

  it('keeps the limits of its key', async () => {
    const { key } = await newKey({ tools: ['ref__*'], readOnly: true });
    const session = await signInWith(gateway.url, { key });
    const tools = await (await session.ask('/api/v1/mcp/tools')).text();
    expect(tools).toContain('ref__echo');
    expect(tools).not.toContain('other__echo');
    expect((await invoke(session, 'other__echo', { text: 'hi' })).status).not.toBe(200);
    expect((await session.ask('/api/v1/keys')).status).toBe(403);
  });

  it('is over wherever the cookie is, once one signs out', async () => {
    const { key } = await newKey();
    const session = await signInWith(gateway.url, { key });
    expect((await session.bare('/api/v1/session', { method: 'DELETE' })).status).toBe(403);
    const out = await session.ask('/api/v1/session', 'DELETE');
    expect(out.headers.get('set-cookie')).toMatch(/^sluice_\w+=; Max-Age=0;/);
    expect((await session.ask('/api/v1/status')).status).toBe(401);
    expect((await signInWith(gateway.url, { key })).csrf).not.toBe(session.csrf);
  });

  it('takes its open streams with it, and no others', async () => {
    const { key } = await newKey();
    const [session, other] = [await signInWith(gateway.url, { key }), await signInWith(gateway.url, { key })];
    const [mine, theirs] = [await openStream(session), await openStream(other)];
    await session.ask('/api/v1/session', 'DELETE');
    await mine.ended;
    expect(await Promise.race([theirs.ended.then(() => 'ended'), other.ask('/api/v1/status').then(() => 'open')])).toBe(
      'open',
    );
  });

  it('counts for the API and for nothing else', async () => {
    const { key } = await newKey();
    const session = await signInWith(gateway.url, { key });
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
    const headers = { 'content-type': 'application/json', 'x-sluice-csrf': session.csrf };
    for (const path of ['/mcp', '/message', '/api/v1/../../mcp'])
      expect((await session.bare(path, { method: 'POST', headers, body })).status, path).not.toBe(200);
    for (const path of ['/sse', '/metrics', '/mcp'])
      expect((await session.bare(path, { headers: { accept: 'text/event-stream' } })).status, path).not.toBe(200);
  });

  it('works below a path that only the proxy knows', async () => {
    await using proxy = await startPrefixProxy(gateway.url, '/tools/sluice');
    const { key } = await newKey();
    const session = await signInWith(proxy.url, { key });
    // Without a path, the cookie is for the folder of what set it, as the browser sees it.
    expect(session.header).not.toMatch(/path/i);
    expect((await session.ask('/api/v1/status')).status).toBe(200);
  });

  it('is kept in the store if the credential is too long for a cookie', async () => {
    const token = 'a'.repeat(4000);
    await using long = await startGateway({ auth: { mode: 'keys', token } });
    const session = await signInWith(long.url, { key: token });
    expect(session.header.length).toBeLessThan(1000);
    expect((await session.ask('/api/v1/keys')).status).toBe(200);
    await session.ask('/api/v1/session', 'DELETE');
    expect((await session.ask('/api/v1/keys')).status).toBe(401);
  });
});

describe('signing in', () => {
  it.each([
    ['an unknown key', `slc_0123456789_${'a'.repeat(43)}`],
    ['half a key', 'slc_012345'],
    ['something else', 'x'],
  ])('with %s is refused', async (_, key) => {
    const response = await postSession(gateway.url, { key });
    expect(response.status).toBe(401);
    expect(response.headers.get('set-cookie')).toBeNull();
  });

  it('with a revoked key is refused', async () => {
    const { id, key } = await newKey();
    await revokeKey(gateway.runtime.store.keys, id, new Date());
    await expect.poll(async () => (await postSession(gateway.url, { key })).status).toBe(401);
  });

  it('from another page is refused, though the key is right', async () => {
    const { key } = await newKey();
    for (const site of ['cross-site', 'same-site'])
      expect((await postSession(gateway.url, { key }, { 'sec-fetch-site': site })).status).toBe(403);
    expect((await postSession(gateway.url, { key }, { origin: 'https://evil.example' })).status).toBe(403);
  });

  it('with a wrong key is a failed attempt, which is recorded and slowed down', async () => {
    await using own = await startGateway({ auth: { mode: 'keys' } });
    const tries = await Promise.all(
      Array.from({ length: 45 }, (_, n) =>
        postSession(own.url, { key: `slc_0123456789_${String(n).padEnd(43, 'a')}` }),
      ),
    );
    const statuses = tries.map(({ status }) => status);
    expect(statuses.filter((status) => status === 401).length).toBeGreaterThan(10);
    expect(statuses).toContain(429);
    expect(tries.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^\d+$/);
    const [first] = (await own.stored({ type: 'auth.refused' })).events;
    expect(first?.data).toMatchObject({ reason: 'unknown key' });
  });

  it('with a body that is no password says what to send', async () => {
    const post = (body: string, type = 'application/json') =>
      fetch(`${gateway.url}/api/v1/session`, { method: 'POST', headers: { 'content-type': type }, body });
    expect((await post('{}')).status).toBe(400);
    expect((await post('{"password":7}')).status).toBe(400);
    expect((await post('[]')).status).toBe(400);
    expect((await post('{"password":"x"}', 'text/plain')).status).toBe(415);
    expect((await post(`{"password":"${'x'.repeat(200_000)}"}`)).status).toBe(413);
  });

  it('is not needed where authentication is off', async () => {
    await using open = await startGateway({});
    const answer = await fetch(`${open.url}/api/v1/session`);
    expect(await answer.json()).toMatchObject({ signedIn: true, open: true, principal: 'local', scopes: 'all' });
    expect((await fetch(`${open.url}/api/v1/session`, { method: 'POST' })).status).toBe(409);
  });
});

it('a page of another port administers nothing, though nobody has to sign in', async () => {
  await using open = await startGateway({});
  const asked = (path: string, site: string, body?: object) =>
    fetch(`${open.url}${path}`, {
      headers: { 'content-type': 'application/json', 'sec-fetch-site': site },
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
    });
  for (const site of ['same-site', 'cross-site']) {
    expect((await asked('/api/v1/keys', site, { name: 'later', scopes: ['admin'] })).status).toBe(403);
    for (const path of ['/api/v1/keys', '/api/v1/configuration']) expect((await asked(path, site)).status).toBe(403);
  }
  expect(await (await asked('/api/v1/keys', 'same-origin')).json()).toMatchObject({ keys: [] });
  const answer = await asked('/api/v1/session', 'same-origin');
  expect(answer.headers.get('x-content-type-options')).toBe('nosniff');
});

it.each<[string, Record<string, string>]>([
  ['another port', { 'sec-fetch-site': 'same-site', origin: 'http://127.0.0.1:9' }],
  ['another port, in an older browser', { origin: 'http://127.0.0.1:9' }],
  ['another name of this machine', { 'sec-fetch-site': 'cross-site', origin: 'http://localhost:9' }],
])('a page of %s decides nothing that waits, though nobody has to sign in', async (_, headers) => {
  await using open = await startGateway({});
  const post = async (path: string, body: object, more: Record<string, string> = {}) =>
    (
      await fetch(`${open.url}/api/v1/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...more },
        body: JSON.stringify(body),
      })
    ).status;
  await post('blueprints', { text: 'name: asking\nsteps: [{ id: go, approval: Go? }]' });
  await post('blueprints/asking/deploy', { run_id: 'mine', wait_seconds: 20 });
  const waiting = async () =>
    ((await (await fetch(`${open.url}/api/v1/waiting`)).json()) as { items: { part: string; id: string }[] }).items;
  const [item] = await waiting();
  expect(item).toMatchObject({ part: 'blueprints' });
  const answers = ['blueprints', 'confirmations', 'gateway'].map((part) =>
    post(`waiting/${part}/${encodeURIComponent(item?.id ?? '')}`, { approve: true }, headers),
  );
  expect(await Promise.all(answers)).toEqual([403, 404, 404]);
  expect(await post('blueprint-runs/mine/approve', {}, headers)).toBe(403);
  expect(await waiting()).toEqual([item]);
  expect(await post(`waiting/blueprints/${encodeURIComponent(item?.id ?? '')}`, { approve: true })).toBe(200);
});

describe('a session of the owner', () => {
  it('is an admin, until the password changes', async () => {
    await using own = await startGateway({ auth: { mode: 'oauth', oauth: { builtin: true } } });
    const first = await resetOwner(own.runtime.store.settings);
    const session = await signInWith(own.url, { password: first });
    expect(await told(session.ask('/api/v1/session'))).toMatchObject({ principal: 'oauth:owner', scopes: ['admin'] });
    expect((await session.ask('/api/v1/keys')).status).toBe(200);
    const stream = await openStream(session);
    const second = await resetOwner(own.runtime.store.settings);
    await stream.ended;
    expect((await session.ask('/api/v1/keys')).status).toBe(401);
    expect((await told(session.ask('/api/v1/session'))).ended).toContain('the password was changed');
    expect((await postSession(own.url, { password: first })).status).toBe(401);
    expect((await signInWith(own.url, { password: second })).cookie).not.toBe('');
  });

  it('has the memories of the owner', async () => {
    const session = await signInWith(gateway.url, { password });
    await invoke(session, 'memory_store', { text: 'The owner likes tea.' });
    const { namespaces } = (await (await session.ask('/api/v1/memory-namespaces')).json()) as { namespaces: object[] };
    expect(namespaces).toMatchObject([{ name: 'default', memories: 1 }]);
  });

  it('begins although the browser still has a session of a revoked key', async () => {
    const { id, key } = await newKey();
    const { cookie } = await signInWith(gateway.url, { key });
    await revokeKey(gateway.runtime.store.keys, id, new Date());
    expect((await postSession(gateway.url, { password }, { cookie })).status).toBe(200);
  });

  it('does not begin with a wrong password, and too many are refused', async () => {
    await using own = await startGateway({ auth: { mode: 'oauth', oauth: { builtin: { password } } } });
    const tries = await Promise.all(Array.from({ length: 45 }, () => postSession(own.url, { password: 'wrong' })));
    const statuses = new Set(tries.map(({ status }) => status));
    expect(statuses).toEqual(new Set([401, 429]));
    expect(tries.find(({ status }) => status === 429)?.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

it('writes no secret into the log, an event or an address', async () => {
  const { key } = await newKey({ scopes: ['admin'] });
  const session = await signInWith(gateway.url, { key });
  const made = (await (await session.ask('/api/v1/keys', 'POST', { name: 'quiet' })).json()) as { key: string };
  const events = JSON.stringify(await gateway.stored({}));
  for (const secret of [key, made.key, session.csrf, session.cookie.split('=')[1] as string, password])
    expect(events).not.toContain(secret);
});

describe.skipIf(postgresIsMissing)('on two replicas', () => {
  it('a session holds on both, and ends on both', async () => {
    await using database = await createDatabase();
    const env = { SLUICE_SECRET_KEY: randomBytes(32).toString('hex') };
    const config = { store: database.url, auth: { mode: 'keys' } };
    await using here = await startGateway(config, { env });
    await using there = await startGateway(config, { env });
    const { id, key } = await newKey({}, here);
    const session = await signInWith(here.url, { key });
    const elsewhere = (path: string) => fetch(`${there.url}${path}`, { headers: { cookie: session.cookie } });
    expect(await told(elsewhere('/api/v1/session'))).toMatchObject({ principal: `key:${id}`, csrf: session.csrf });
    const second = await signInWith(there.url, { key });
    await session.ask('/api/v1/session', 'DELETE');
    expect((await elsewhere('/api/v1/status')).status).toBe(401);
    expect((await second.ask('/api/v1/status')).status).toBe(200);
    await revokeKey(here.runtime.store.keys, id, new Date());
    await expect.poll(async () => (await second.ask('/api/v1/status')).status).toBe(401);
  });
});
