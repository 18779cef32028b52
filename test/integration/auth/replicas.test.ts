import { randomBytes } from 'node:crypto';
import { connect, createServer, type Socket } from 'node:net';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createKey, revokeKey } from '../../../src/auth/keys.ts';
import type { KeyGrant } from '../../../src/store/store.ts';
import { type Protected, startProtected, visit } from '../../fixtures/authorization-server.ts';
import { approve, createBrowser } from '../../support/browser.ts';
import { freePort } from '../../support/free-port.ts';
import { authorizeUrl, pkce, register, token } from '../../support/oauth-requests.ts';
import { createDatabase, postgresIsMissing, type TestDatabase } from '../../support/postgres.ts';
import { type Json, modern, send, startGateway, startReference, type TestGateway } from '../harness.ts';
import { untilRunning } from '../login/harness.ts';

const password = 'correct horse battery staple';
const bearer = (text: unknown) => ({ authorization: `Bearer ${String(text)}` });
const wipe = { name: 'ref__slow', arguments: { ms: 1, steps: 1 } };

/** A way to the database that can be cut. */
async function startLine({ host, port }: TestDatabase) {
  const open = new Set<Socket>();
  let isCut = false;
  const server = createServer((near) => {
    if (isCut) return void near.destroy();
    const far = connect(port, host);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(from);
      from.pipe(to);
      from.on('error', () => to.destroy());
      from.once('close', () => open.delete(from));
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const cut = () => {
    isCut = true;
    for (const socket of open) socket.destroy();
  };
  return {
    port: (server.address() as { port: number }).port,
    cut,
    mend: () => void (isCut = false),
    async [Symbol.asyncDispose]() {
      cut();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

describe.skipIf(postgresIsMissing)('two replicas', () => {
  const stack = new AsyncDisposableStack();
  let line: Awaited<ReturnType<typeof startLine>>;
  let far: Protected;
  let here: TestGateway;
  let there: TestGateway;

  beforeAll(async () => {
    const database = stack.use(await createDatabase());
    line = stack.use(await startLine(database));
    far = stack.use(await startProtected());
    const reference = stack.use(await startReference('http', 'both'));
    const env = { SLUICE_SECRET_KEY: randomBytes(32).toString('hex') };
    const port = await freePort();
    const config = (store: string) => ({
      store,
      server: { publicUrl: `http://127.0.0.1:${port}` },
      auth: { mode: 'both', oauth: { builtin: { password } } },
      mcpServers: { ref: { ...reference.entry, confirm: ['slow'] }, far: { url: far.url } },
      limits: { tools: { ref__echo: '3/min' } },
    });
    here = stack.use(await startGateway(config(database.url), { port, env }));
    const cuttable = database.url.replace(`:${database.port}/`, `:${line.port}/`);
    there = stack.use(await startGateway(config(cuttable), { env }));
  }, 60_000);
  afterAll(() => stack.disposeAsync());

  let made = 0;
  const newKey = (more: Partial<KeyGrant> = {}) =>
    createKey(here.runtime.store.keys, {
      name: `k${made++}`,
      scopes: ['tools:execute', 'health:check'],
      createdAt: new Date().toISOString(),
      createdBy: 'test',
      ...more,
    });

  async function call(at: TestGateway, key: unknown, params: Json) {
    const request = modern('tools/call', params);
    const { status, headers, messages, text } = await send(at.mcp, {
      ...request,
      headers: { ...request.headers, ...bearer(key) },
    });
    const { result = {}, error } = (messages.at(-1) ?? {}) as { result?: Json; error?: { message: string } };
    const told = (result._meta as Json | undefined)?.['sluice/error'] as { code: string; confirm?: string } | undefined;
    return { status, headers, result, told, text: error?.message ?? text };
  }
  const echo = { name: 'ref__echo', arguments: { text: 'hi' } };

  test('a key that one creates works on the other; revoked, its streams end on both', async () => {
    const { id, key } = await newKey();
    const streams = await Promise.all(
      [here, there].map((at) =>
        fetch(`${at.url}/api/v1/events`, { headers: { ...bearer(key), accept: 'text/event-stream' } }),
      ),
    );
    expect(streams.map(({ status }) => status)).toEqual([200, 200]);
    await revokeKey(here.runtime.store.keys, id, new Date());
    const revoked = performance.now();
    for (const stream of streams) await expect(stream.text()).rejects.toThrow('terminated');
    expect(performance.now() - revoked).toBeLessThan(2000);
    for (const at of [here, there]) expect((await call(at, key, echo)).status).toBe(401);
  });

  test('a call that one asks about is confirmed on the other, once', async () => {
    const { key } = await newKey();
    const { told } = await call(here, key, wipe);
    expect(told).toMatchObject({ code: 'confirmation_required' });
    const confirmed = { ...wipe, arguments: { ...wipe.arguments, confirm: told?.confirm } };
    const both = await Promise.all([here, there].map((at) => call(at, key, confirmed)));
    expect(both.filter((one) => one.told?.code === 'confirmation_required')).toHaveLength(1);
    expect(both.filter((one) => one.told === undefined)).toHaveLength(1);
  });

  test('limits hold for both together', async () => {
    const { key } = await newKey({ rate: '5/min' });
    const answers: string[] = [];
    for (const at of [here, there, here, there, here, there]) {
      const { status, told } = await call(at, key, echo);
      answers.push(`${status} ${told?.code}`);
    }
    expect(answers.slice(0, 3)).toEqual(Array(3).fill('200 undefined'));
    expect(answers.slice(3, 5).every((answer) => answer.endsWith(' rate_limited'))).toBe(true);
    expect(answers[5]).toBe('429 undefined');
  });

  test('a token that one issues works on the other until its grant is revoked anywhere', async () => {
    const metadata = { redirect_uris: ['https://app.example/back'], token_endpoint_auth_method: 'none' };
    const client = String((await register(here.url, metadata)).body.client_id);
    const { verifier, challenge } = pkce();
    const asked = { client_id: client, redirect_uri: 'https://app.example/back', code_challenge: challenge };
    const back = await approve(createBrowser(here.url), authorizeUrl(here.url, asked), password);
    // The code is exchanged at the other replica.
    const { body } = await token(there.url, {
      grant_type: 'authorization_code',
      client_id: client,
      redirect_uri: 'https://app.example/back',
      code: back.searchParams.get('code') ?? '',
      code_verifier: verifier,
    });
    const { access_token: access, refresh_token: refresh } = body;
    for (const at of [here, there]) expect((await call(at, access, echo)).status).toBe(200);
    const stream = await fetch(there.sse, { headers: { ...bearer(access), accept: 'text/event-stream' } });
    expect(stream.status).toBe(200);
    await fetch(`${here.url}/oauth/revoke`, {
      method: 'POST',
      body: new URLSearchParams({ token: String(refresh), client_id: client }),
    });
    await stream.text();
    for (const at of [here, there]) expect((await call(at, access, echo)).status).toBe(401);
  });

  test('a login at a server is made through either, and connects the server on both', async () => {
    const { key } = await newKey({ scopes: ['admin'] });
    const { result } = await call(there, key, { name: 'gateway_status', arguments: { server: 'far' } });
    const [{ login }] = (result.structuredContent as { backends: [{ login: string }] }).backends;
    // The link names the public URL, which is the first replica.
    expect(login.startsWith(here.url)).toBe(true);
    const question = await fetch(login);
    expect(await question.text()).toContain('Sign in to far?');
    const form = await fetch(login.split('?')[0] ?? '', {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams({ ticket: new URL(login).searchParams.get('ticket') ?? '' }),
    });
    const cookie = form.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const back = await visit(form.headers.get('location') ?? '', { 'x-account': 'ada' }, (url) =>
      url.startsWith(here.url),
    );
    // A load balancer sends the browser to the other replica.
    const done = await fetch(back.url.replace(here.url, there.url), { headers: { cookie } });
    expect(await done.text()).toContain('Signed in to far');
    for (const at of [here, there]) await untilRunning(at);
  });

  test('without the store, known keys hold, and unknown ones cannot be judged', async () => {
    const { key: known } = await newKey();
    expect((await call(there, known, echo)).status).toBe(200);
    line.cut();
    const { key: unknown } = await newKey();
    expect((await call(there, known, echo)).status).toBe(200);
    const lost = await call(there, unknown, echo);
    expect(lost).toMatchObject({ status: 503 });
    expect(lost.headers['retry-after']).toBe('5');
    expect(lost.text).toContain('Service unavailable: Sluice cannot reach its store');
    expect(lost.text).not.toContain('127.0.0.1');
    line.mend();
    await expect.poll(async () => (await call(there, unknown, echo)).status, { timeout: 15_000 }).toBe(200);
  }, 30_000);
});
