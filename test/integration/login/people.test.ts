import { describe, expect, it, vi } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import { startProtected, visit } from '../../fixtures/authorization-server.ts';
import { callTool, connectV2, type Json, startGateway, type TestGateway, textOf } from '../harness.ts';
import { farStatus, linkIn, untilRunning } from './harness.ts';

async function keyFor(gateway: TestGateway, name: string, scopes = ['tools:read', 'tools:execute', 'health:check']) {
  const grant = { name, scopes, createdAt: new Date().toISOString(), createdBy: 'test' };
  const { key } = await createKey(gateway.runtime.store.keys, grant);
  return { authorization: `Bearer ${key}` };
}

const echo = { text: 'hi' };

/** Confirms on the page that asks "is that you?", then signs in. */
async function goOn(link: string, account: string): Promise<{ status: number; text: string }> {
  const ticket = new URL(link).searchParams.get('ticket') ?? '';
  const asked = await fetch(link);
  expect(await asked.text()).toContain('Continue only if that is you');
  // With a stricter policy a browser would send `Origin: null` with the form.
  expect(asked.headers.get('referrer-policy')).toBe('same-origin');
  const pressed = await fetch(link, {
    method: 'POST',
    redirect: 'manual',
    headers: { 'content-type': 'application/x-www-form-urlencoded', origin: new URL(link).origin },
    body: new URLSearchParams({ ticket }),
  });
  const cookie = pressed.headers.getSetCookie()[0]?.split(';')[0] ?? '';
  const back = `${new URL(link).origin}/login/callback`;
  const last = await visit(pressed.headers.get('location') ?? '', { 'x-account': account }, (url) =>
    url.startsWith(back),
  );
  const page = await fetch(last.url, { headers: { cookie } });
  return { status: page.status, text: await page.text() };
}

describe('with one login per user', () => {
  it('two users act with their own accounts, and a user without a login gets a link', async () => {
    await using far = await startProtected();
    await using gateway = await startGateway({
      auth: { mode: 'keys' },
      mcpServers: { far: { url: far.url, isolation: 'principal' } },
    });
    const [ana, ben, eve] = [await keyFor(gateway, 'ana'), await keyFor(gateway, 'ben'), await keyFor(gateway, 'eve')];
    // Before the first login its tools are unknown, so the link is in the status.
    const { login = '' } = await farStatus(gateway, ana);
    expect((await goOn(login, 'ana@far')).text).toContain('Signed in to far');
    await untilRunning(gateway);
    await using asAna = await connectV2(gateway, { headers: ana });
    expect(textOf(await callTool(asAna, 'far__echo', echo))).toContain('hi');

    await using asBen = await connectV2(gateway, { headers: ben });
    const refused = await callTool(asBen, 'far__echo', echo);
    expect(refused.isError).toBe(true);
    expect((await goOn(linkIn(textOf(refused)), 'ben@far')).text).toContain('Signed in to far');
    far.calls.length = 0;
    expect(textOf(await callTool(asBen, 'far__echo', echo))).toContain('hi');
    expect(new Set(far.calls.map(({ account }) => account))).toEqual(new Set(['ben@far']));
    far.calls.length = 0;
    expect(textOf(await callTool(asAna, 'far__echo', echo))).toContain('hi');
    expect(new Set(far.calls.map(({ account }) => account))).toEqual(new Set(['ana@far']));

    await using asEve = await connectV2(gateway, { headers: eve });
    far.calls.length = 0;
    expect((await callTool(asEve, 'far__echo', echo)).isError).toBe(true);
    expect(far.calls).toEqual([]);
  });
});

describe('a login link', () => {
  it('for a shared login is shown to administrators only', async () => {
    await using far = await startProtected();
    await using gateway = await startGateway({ auth: { mode: 'keys' }, mcpServers: { far: { url: far.url } } });
    const [user, admin] = [await keyFor(gateway, 'user'), await keyFor(gateway, 'admin', ['admin'])];
    expect((await farStatus(gateway, user)).login).toBeUndefined();
    const { login = '' } = await farStatus(gateway, admin);
    expect((await goOn(login, 'shared')).text).toContain('Signed in to far');
    await untilRunning(gateway);
    await far.revoke();
    await using asUser = await connectV2(gateway, { headers: user });
    const text = textOf(await callTool(asUser, 'far__echo', echo));
    expect(text).toContain('The owner of the gateway has to sign in with `sluice login far`.');
    expect(text).not.toContain('ticket=');
  });

  it('works once', async () => {
    await using far = await startProtected();
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    const { login = '' } = await farStatus(gateway);
    const first = await fetch(login, { redirect: 'manual' });
    expect(first.status).toBe(303);
    expect(first.headers.get('location')).toMatch(far.issuer);
    expect(first.headers.get('referrer-policy')).toBe('no-referrer');
    const second = await fetch(login, { redirect: 'manual' });
    expect(second.status).toBe(404);
    expect((await fetch(`${gateway.url}/login/far`)).status).toBe(404);
    expect((await fetch(`${gateway.url}/login/far?ticket=guess`)).status).toBe(404);
  });

  it('can be finished only by the browser that opened it, once, with the right state', async () => {
    await using far = await startProtected();
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    const { login = '' } = await farStatus(gateway);
    const begun = await fetch(login, { redirect: 'manual' });
    const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
    const isBack = (url: string) => url.startsWith(`${gateway.url}/login/callback`);
    const { url: back } = await visit(begun.headers.get('location') ?? '', { 'x-account': 'ana' }, isBack);
    const forged = new URL(back);
    forged.searchParams.set('state', 'another');
    expect((await fetch(forged, { headers: { cookie } })).status).toBe(404);
    // A request from another browser ends the attempt without a login.
    expect((await fetch(back)).status).toBe(404);
    expect((await fetch(back, { headers: { cookie } })).status).toBe(404);
    expect(far.tokens).toEqual([]);
    expect((await farStatus(gateway)).state).toBe('FAILED');
  });

  it('refuses a callback without the issuer or with another one', async () => {
    await using far = await startProtected();
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    for (const iss of [undefined, 'https://evil.example.com', `${far.issuer}/`]) {
      const { login = '' } = await farStatus(gateway);
      const begun = await fetch(login, { redirect: 'manual' });
      const cookie = begun.headers.getSetCookie()[0]?.split(';')[0] ?? '';
      const isBack = (url: string) => url.startsWith(`${gateway.url}/login/callback`);
      const back = new URL((await visit(begun.headers.get('location') ?? '', { 'x-account': 'ana' }, isBack)).url);
      expect(back.searchParams.get('iss')).toBe(far.issuer);
      if (iss === undefined) back.searchParams.delete('iss');
      else back.searchParams.set('iss', iss);
      const page = await fetch(back, { headers: { cookie } });
      expect(page.ok, String(iss)).toBe(false);
      expect(await page.text()).toContain('Not signed in');
    }
    expect(far.tokens).toEqual([]);
    await vi.waitFor(async () => {
      const { events } = await gateway.stored({ type: 'login.failed' });
      expect(events).toHaveLength(3);
    }, 10_000);
  });
});

describe('a client that can open pages', () => {
  it.each(['legacy', 'modern'] as const)('is asked to sign in, and then the call continues (%s)', async (era) => {
    await using far = await startProtected();
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    const { login = '' } = await farStatus(gateway);
    await far.visit(login, 'ana');
    await untilRunning(gateway);
    await far.revoke();
    const asked: Json[] = [];
    await using client = await connectV2(gateway, {
      era,
      answer: async (_, params = {}) => {
        asked.push(params);
        void far.visit(String(params.url), 'ben');
        return { action: 'accept' };
      },
    });
    expect(textOf(await callTool(client, 'far__echo', echo))).toContain('hi');
    expect(asked).toHaveLength(1);
    expect(asked[0]).toMatchObject({ mode: 'url', message: 'far needs a login. Open the page to sign in.' });
    expect(far.calls.at(-1)?.account).toBe('ben');
  });

  it('whose user declines gets the error that says how', async () => {
    await using far = await startProtected();
    await using gateway = await startGateway({ mcpServers: { far: { url: far.url } } });
    await far.visit((await farStatus(gateway)).login ?? '', 'ana');
    await untilRunning(gateway);
    await far.revoke();
    await using client = await connectV2(gateway, { answer: () => ({ action: 'decline' }) });
    const refused = await callTool(client, 'far__echo', echo);
    expect(textOf(refused)).toContain('sluice login far');
  });
});
