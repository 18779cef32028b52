import { describe, expect, test } from 'vitest';
import { AppError } from '../../../src/kernel/errors.ts';
import { localOwner } from '../../../src/kernel/principal.ts';
import type { LoginTarget } from '../../../src/login/login-target.ts';
import type { Logins } from '../../../src/login/logins.ts';
import { openLogins } from '../../../src/login/open.ts';
import { openSqlite } from '../../../src/store/sqlite/open.ts';
import { type ProtectedOptions, startProtected, visit } from '../../fixtures/authorization-server.ts';
import { fakeReplicas } from '../../support/fake-replicas.ts';

const BASE = 'http://127.0.0.1:1';
const ada = { id: 'key:ada', name: 'Ada', scopes: new Set(['tools:execute']) };
const ticketIn = (link: string | undefined) => new URL(link ?? '').searchParams.get('ticket') ?? '';

/** Two replicas with one store, and a server that needs a login. */
async function startTwo(options: ProtectedOptions = {}) {
  await using stack = new AsyncDisposableStack();
  const far = stack.use(await startProtected(options));
  const store = stack.use(await openSqlite(':memory:'));
  const replicas = fakeReplicas();
  const state = { down: false };
  const failing = () => {
    if (state.down) throw new AppError('unavailable', 'The store cannot be reached.');
  };
  const logins: typeof store.logins = {
    ...store.logins,
    async find(...given) {
      failing();
      return store.logins.find(...given);
    },
    async put(...given) {
      failing();
      await store.logins.put(...given);
      replicas.tell('logins');
    },
  };
  const open = async () =>
    stack.use(
      await openLogins({
        store: { ...store, logins, shared: replicas.replica() },
        events: { record() {} },
        url: () => BASE,
      }),
    );
  const [here, there] = [await open(), await open()];
  const target: LoginTarget = { name: 'far', url: far.url, perPrincipal: true, allowInternal: true };
  // Only this replica was told what the server wants.
  const challenge = (error: string, scope: string) =>
    `Bearer error="${error}", scope="${scope}", resource_metadata="${new URL(far.url).origin}/.well-known/oauth-protected-resource/mcp"`;
  here.account(target, ada).heard(challenge('invalid_token', 'mcp:basic'));
  const owned = stack.move();

  /** Opens the link on one replica and comes back to another. */
  async function signIn(link: string | undefined, opened: Logins, returned: Logins): Promise<string> {
    const { url, browser } = await opened.follow(ticketIn(link));
    const back = await visit(url, { 'x-account': 'ada' }, (next) => next.startsWith(BASE));
    const { issuer } = await returned.finish(new URL(back.url).searchParams, browser);
    return issuer;
  }
  return {
    far,
    state,
    replicas,
    here,
    there,
    target,
    challenge,
    signIn,
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

describe('signing in with replicas', () => {
  test('a link works on any replica, once, and the browser may come back to another one', async () => {
    await using two = await startTwo();
    const { far, here, there, target } = two;
    const link = here.link(target, ada);
    for (const replica of [there, here])
      expect(await replica.invited(ticketIn(link))).toEqual({ server: 'far', principal: ada, isOwner: false });
    expect(await two.signIn(link, there, here)).toBe(new URL(far.issuer).host);
    for (const replica of [here, there]) {
      expect(await replica.invited(ticketIn(link))).toBeUndefined();
      await expect(replica.follow(ticketIn(link))).rejects.toThrow('already used');
      const { authorization } = await replica.credentials(target, ada).headers();
      expect(authorization).toBe(`Bearer ${far.tokens[0]}`);
    }
  });

  test('only the browser that began it may finish it', async () => {
    await using two = await startTwo();
    const { url } = await two.there.follow(ticketIn(two.here.link(two.target, localOwner)));
    const back = await visit(url, { 'x-account': 'ada' }, (next) => next.startsWith(BASE));
    await expect(two.here.finish(new URL(back.url).searchParams, 'another')).rejects.toThrow('another browser');
  });

  test('every replica hears of a new login, whether or not it waited for one', async () => {
    await using two = await startTwo();
    const { here, there, target } = two;
    const told: string[] = [];
    there.onSignIn(({ name }, { id }) => told.push(`${id} at ${name}`));
    await there.credentials(target, ada).headers();
    await two.signIn(here.link(target, ada), here, here);
    await expect.poll(() => told, { interval: 10 }).toEqual(['key:ada at far']);
  });

  test('what one replica learned from the server is asked for by another', async () => {
    await using two = await startTwo({ scopes: { all: 'mcp:basic', calls: 'mcp:write' } });
    const { here, there, target } = two;
    await two.signIn(here.link(target, ada), here, here);
    const sent = await here.credentials(target, ada).headers();
    const more = two.challenge('insufficient_scope', 'mcp:write');
    expect(await here.credentials(target, ada).refused(403, more, sent)).toBeInstanceOf(AppError);
    const { url } = await there.follow(ticketIn(here.link(target, ada)));
    expect(new URL(url).searchParams.get('scope')?.split(' ')).toContain('mcp:write');
  });
});

describe('a login that is about to expire', () => {
  test('is renewed by one replica, because the refresh token works once', async () => {
    await using two = await startTwo();
    const { far, here, there, target } = two;
    await two.signIn(here.link(target, ada), here, here);
    const headers = () => Promise.all([here, there].map(async (replica) => replica.credentials(target, ada).headers()));
    const [before] = await headers();
    await Promise.all([here, there].map((replica) => replica.account(target, ada).renew()));
    const [mine, yours] = await headers();
    expect(mine).toEqual(yours);
    expect(mine).not.toEqual(before);
    expect(far.requests.filter((request) => request === 'POST /token')).toHaveLength(2);
    const { status } = await fetch(far.url, { method: 'GET', headers: mine ?? {} });
    expect(status).not.toBe(401);
  });

  test('stays in use while the store cannot be reached, and is not renewed', async () => {
    await using two = await startTwo();
    const { far, here, target } = two;
    await two.signIn(here.link(target, ada), here, here);
    two.state.down = true;
    two.replicas.cutOff = 0;
    two.replicas.tell('logins');
    expect(await here.credentials(target, ada).headers()).toEqual({ authorization: `Bearer ${far.tokens[0]}` });
    const account = here.account(target, ada);
    await expect(account.renew()).rejects.toThrow('cannot be renewed while the store cannot be reached');
    expect(far.refreshes()).toBe(0);
  });

  test('is stored later if the store went away while it was renewed', async () => {
    await using two = await startTwo();
    const { far, here, there, target, state, replicas } = two;
    await two.signIn(here.link(target, ada), here, here);
    const account = here.account(target, ada);
    const renewing = account.renew();
    await expect.poll(() => far.refreshes(), { interval: 1 }).toBe(1);
    state.down = true;
    await renewing.catch(() => {});
    const { authorization } = await here.credentials(target, ada).headers();
    state.down = false;
    replicas.tell('logins');
    await here.credentials(target, ada).headers();
    expect(await there.credentials(target, ada).headers()).toEqual({ authorization });
    expect(far.tokens).toContain(authorization?.slice('Bearer '.length));
  });
});
