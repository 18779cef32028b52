import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { exportJWK, exportSPKI, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Verdict } from '../../../src/auth/authenticator.ts';
import { issuerKeys } from '../../../src/auth/issuer-keys.ts';
import { AppError } from '../../../src/kernel/errors.ts';
import { createJwtAuthenticator } from '../../../src/auth/jwt.ts';
import { modern, open, send, startGateway } from '../harness.ts';

const resource = 'https://sluice.example.com/mcp';
const now = () => Math.floor(Date.now() / 1000);

type Pair = Awaited<ReturnType<typeof generateKeyPair>>;
let first: Pair;
let second: Pair;

/** An identity provider that serves its metadata and keys. */
const idp: { server: Server; url: string; keys: JWK[]; asked: string[]; down: boolean } = {
  server: createServer((request, response) => {
    idp.asked.push(request.url ?? '');
    if (idp.down) return void response.writeHead(503).end();
    const found: Record<string, object> = {
      '/realm/.well-known/openid-configuration': { issuer: `${idp.url}/realm`, jwks_uri: `${idp.url}/keys` },
      '/.well-known/oauth-authorization-server': { issuer: idp.url, jwks_uri: `${idp.url}/keys` },
      '/.well-known/oauth-authorization-server/liar': { issuer: 'https://other.example', jwks_uri: `${idp.url}/keys` },
      '/.well-known/oauth-authorization-server/plain': {
        issuer: `${idp.url}/plain`,
        jwks_uri: 'http://keys.example.com/keys',
      },
      '/keys': { keys: idp.keys },
    };
    if (request.url?.endsWith('/moved'))
      return void response.writeHead(302, { location: `${idp.url}/.well-known/oauth-authorization-server` }).end();
    const document = found[request.url ?? ''];
    response
      .writeHead(document ? 200 : 404, { 'content-type': 'application/json' })
      .end(JSON.stringify(document ?? {}));
  }),
  url: '',
  keys: [],
  asked: [],
  down: false,
};

const jwk = async (pair: Pair, kid: string) => ({
  ...(await exportJWK(pair.publicKey)),
  kid,
  use: 'sig',
  alg: 'RS256',
});

beforeAll(async () => {
  await new Promise<void>((resolve) => idp.server.listen(0, '127.0.0.1', resolve));
  idp.url = `http://127.0.0.1:${(idp.server.address() as AddressInfo).port}`;
  [first, second] = await Promise.all([generateKeyPair('RS256', { extractable: true }), generateKeyPair('RS256')]);
});
afterAll(() => idp.server.close());
beforeEach(async () => {
  idp.keys = [await jwk(first, 'one')];
  idp.asked = [];
  idp.down = false;
});

interface Given {
  claims?: Record<string, unknown>;
  header?: Record<string, unknown>;
  key?: Pair;
}

function sign({ claims = {}, header = {}, key = first }: Given = {}): Promise<string> {
  const payload = {
    iss: idp.url,
    aud: resource,
    sub: 'ada',
    exp: now() + 600,
    scope: 'tools:read redis:write',
    ...claims,
  };
  return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'one', ...header }).sign(key.privateKey);
}

/** Built by hand: a library would refuse to sign it. */
const raw = (header: object, claims: object, signature = '') =>
  [...[header, claims].map((part) => Buffer.from(JSON.stringify(part)).toString('base64url')), signature].join('.');

const authenticator = (extra: object = {}) => createJwtAuthenticator({ issuers: () => [trusted], ...extra });
let trusted: Parameters<typeof createJwtAuthenticator>[0]['issuers'] extends () => readonly (infer T)[] ? T : never;
beforeEach(() => {
  trusted = { issuer: idp.url, keys: issuerKeys(idp.url) };
});

async function verdict(token: string, at = resource): Promise<Verdict | undefined> {
  return authenticator().check(token, at);
}

describe('a token is accepted', () => {
  it('if a trusted issuer signed it for us; it carries the user and the scopes', async () => {
    const claims = { email: 'ada@example.com', preferred_username: 'ada', azp: 'app' };
    expect(await verdict(await sign({ claims }))).toEqual({
      principal: {
        id: 'oauth:ada',
        expires: expect.any(Number) as number,
        name: 'ada',
        scopes: new Set(['tools:read', 'redis:write']),
        stepUp: true,
        attributes: { iss: idp.url, sub: 'ada', email: 'ada@example.com', preferred_username: 'ada', azp: 'app' },
      },
      expires: expect.any(Number) as number,
    });
  });

  it.each([
    [{ scope: undefined, scp: ['tools:read', 'admin'] }, ['tools:read', 'admin']],
    [{ scope: undefined, scp: 'tools:read' }, ['tools:read']],
    [{ scope: undefined }, []],
    [{ scope: '' }, []],
  ])('with scopes as %j', async (claims, scopes) => {
    const found = await verdict(await sign({ claims }));
    expect(found && 'principal' in found && found.principal.scopes).toEqual(new Set(scopes));
  });

  it('for one of several audiences, for another address of the same resource, and for a configured audience', async () => {
    expect(await verdict(await sign({ claims: { aud: ['x', resource] } }))).toHaveProperty('principal');
    expect(await verdict(await sign({ claims: { aud: 'https://sluice.example.com/' } }))).toHaveProperty('principal');
    trusted = { ...trusted, audiences: ['api://sluice'] };
    expect(await verdict(await sign({ claims: { aud: 'api://sluice' } }))).toHaveProperty('principal');
  });

  it('with mapped scopes only, if scopes are mapped', async () => {
    trusted = { ...trusted, scopes: { 'gateway.use': ['tools:read', 'tools:execute'], constructor: [] } };
    const found = await verdict(await sign({ claims: { scope: 'gateway.use admin toString' } }));
    expect(found && 'principal' in found && found.principal.scopes).toEqual(new Set(['tools:read', 'tools:execute']));
  });

  it('a few seconds after its expiry, because clocks differ', async () => {
    expect(await verdict(await sign({ claims: { exp: now() - 3 } }))).toHaveProperty('principal');
  });

  it('from an issuer with a path, and from one with a configured key URL', async () => {
    const realm = `${idp.url}/realm`;
    trusted = { issuer: realm, keys: issuerKeys(realm) };
    expect(await verdict(await sign({ claims: { iss: realm } }))).toHaveProperty('principal');
    trusted = { issuer: 'https://nowhere.example', keys: issuerKeys('https://nowhere.example', `${idp.url}/keys`) };
    expect(await verdict(await sign({ claims: { iss: 'https://nowhere.example' } }))).toHaveProperty('principal');
  });

  it('from each of several issuers; the user id then includes the issuer', async () => {
    const other = { issuer: `${idp.url}/realm`, keys: issuerKeys(`${idp.url}/realm`) };
    const both = createJwtAuthenticator({ issuers: () => [trusted, other] });
    const idFrom = async (iss: string) => {
      const found = await both.check(await sign({ claims: { iss } }), resource);
      return found && 'principal' in found && found.principal.id;
    };
    expect(await idFrom(idp.url)).toBe(`oauth:${idp.url}#ada`);
    // Two issuers on one host are different issuers, so their users differ too.
    expect(await idFrom(other.issuer)).toBe(`oauth:${idp.url}/realm#ada`);
  });

  it('with a user id that no other user, issuer or key can get', async () => {
    const other = { issuer: `${idp.url}/realm`, keys: issuerKeys(`${idp.url}/realm`) };
    const both = createJwtAuthenticator({ issuers: () => [trusted, other] });
    const subs = [
      'ada',
      '/realm#ada',
      'realm#ada',
      '#ada',
      `${idp.url}#ada`,
      `${other.issuer}#ada`,
      'realm:ada',
      `${new URL(idp.url).host}:ada`,
      'key:ada',
    ];
    const ids: unknown[] = [];
    for (const sub of subs) {
      for (const [by, iss] of [
        [authenticator(), idp.url],
        [both, idp.url],
        [both, other.issuer],
      ] as const) {
        const found = await by.check(await sign({ claims: { sub, iss } }), resource);
        ids.push(found && 'principal' in found && found.principal.id);
      }
    }
    expect(new Set(ids).size).toBe(3 * subs.length);
    expect(ids.every((id) => String(id).startsWith('oauth:'))).toBe(true);
  });

  it('and claims that are not strings are ignored', async () => {
    const claims = { email: 8, preferred_username: ['root'], name: { is: 'x' }, azp: '', client_id: true };
    const found = await verdict(await sign({ claims }));
    expect(found).toMatchObject({ principal: { id: 'oauth:ada', attributes: { iss: idp.url, sub: 'ada' } } });
    expect(found && 'principal' in found && Object.keys(found.principal.attributes ?? {})).toEqual(['iss', 'sub']);
  });

  it('a second time without verifying the signature again', async () => {
    const one = authenticator();
    const token = await sign();
    await one.check(token, resource);
    expect(one.check(token, resource)).not.toBeInstanceOf(Promise);
    expect(await one.check(token, `${resource}/ops`)).toEqual({
      refused: 'it is not meant for the URL it was sent to',
    });
  });

  it('until it expires, even from the cache', async () => {
    let time = Date.now();
    const one = authenticator({ now: () => time });
    const token = await sign({ claims: { exp: now() + 30 } });
    expect(await one.check(token, resource)).toHaveProperty('principal');
    time += 45_000;
    expect(await one.check(token, resource)).toEqual({ refused: 'it has expired' });
  });
});

describe('a token is refused', () => {
  const wrong: [string, () => Promise<string> | string, string][] = [
    [
      'for another audience',
      () => sign({ claims: { aud: 'https://other.example/mcp' } }),
      'it is not meant for the URL it was sent to',
    ],
    [
      'for a toolset, sent to the whole gateway',
      () => sign({ claims: { aud: `${resource}/ops` } }),
      'it is not meant for the URL it was sent to',
    ],
    [
      'for a host that begins like ours',
      () => sign({ claims: { aud: 'https://sluice.example.com.evil.example/mcp' } }),
      'it is not meant for the URL it was sent to',
    ],
    ['without an audience', () => sign({ claims: { aud: undefined } }), 'its aud is missing or wrong'],
    [
      'of another issuer',
      () => sign({ claims: { iss: 'https://evil.example' } }),
      'it was issued by another authorization server',
    ],
    ['that has expired', () => sign({ claims: { exp: now() - 60 } }), 'it has expired'],
    ['that never expires', () => sign({ claims: { exp: undefined } }), 'its exp is missing or wrong'],
    ['that is not valid yet', () => sign({ claims: { nbf: now() + 60 } }), 'it is not valid yet'],
    ['without a user', () => sign({ claims: { sub: undefined } }), 'its sub is missing or wrong'],
    ...[8, 0, '', null, true, ['ada'], { id: 'ada' }, '\ud800'].map((sub): [string, () => Promise<string>, string] => [
      `with the user ${JSON.stringify(sub)}`,
      () => sign({ claims: { sub } }),
      'its sub is missing or wrong',
    ]),
    ['signed by another key of the same name', () => sign({ key: second }), 'its signature is not valid'],
    [
      'signed by an unknown key',
      () => sign({ key: second, header: { kid: 'two' } }),
      'it is signed with an unknown key',
    ],
    [
      'with alg none',
      () => raw({ alg: 'none' }, { iss: idp.url, aud: resource, sub: 'ada', exp: now() + 60 }),
      'its signature is not valid',
    ],
    [
      'with alg none and a signature',
      async () =>
        raw({ alg: 'none', kid: 'one' }, { iss: idp.url, aud: resource, sub: 'ada', exp: now() + 60 }, 'AAAA'),
      'its signature is not valid',
    ],
    [
      'with HS256 and the public key as its secret',
      async () =>
        new SignJWT({ iss: idp.url, aud: resource, sub: 'ada', exp: now() + 60, scope: 'admin' })
          .setProtectedHeader({ alg: 'HS256', kid: 'one' })
          .sign(Buffer.from(await exportSPKI(first.publicKey))),
      'its signature is not valid',
    ],
    [
      'that was changed',
      async () =>
        (await sign()).replace(
          /\.[^.]+\./,
          `.${Buffer.from(JSON.stringify({ iss: idp.url, aud: resource, sub: 'eve', exp: now() + 60 })).toString('base64url')}.`,
        ),
      'its signature is not valid',
    ],
    ['that is not a JWT', () => 'eyJhbGciOiJSUzI1NiJ9.rubbish.rubbish', 'this is not a JWT'],
  ];
  it.each(wrong)('%s', async (_, make, refused) => {
    expect(await verdict(await make())).toEqual({ refused });
  });

  it('only if it is a JWT: anything else may be a key', async () => {
    for (const token of ['slk_abc', 'a.b', 'a.b.c', '']) expect(await verdict(token)).toBeUndefined();
  });

  it('when its issuer has revoked it', async () => {
    trusted = { ...trusted, revoked: async ({ sub }) => sub === 'ada' };
    expect(await verdict(await sign())).toEqual({ refused: 'it was revoked' });
    expect(await verdict(await sign({ claims: { sub: 'bob' } }))).toHaveProperty('principal');
  });

  it('when it was revoked during the check', async () => {
    let revoked = false;
    const asked = Promise.withResolvers<void>();
    const going = Promise.withResolvers<void>();
    trusted = {
      ...trusted,
      async revoked() {
        const found = revoked;
        asked.resolve();
        await going.promise;
        return found;
      },
    };
    const { check, forget } = authenticator();
    const token = await sign();
    const first = check(token, resource);
    await asked.promise;
    revoked = true;
    forget();
    going.resolve();
    await first;
    expect(await check(token, resource)).toEqual({ refused: 'it was revoked' });
  });
});

describe('a token whose grant is in the store', () => {
  const down = new AppError('unavailable', 'The store cannot be reached.');
  const cannot = { unavailable: expect.stringContaining('cannot reach its store') as string };

  it('holds while the store cannot be reached, if it is known, but not for ever', async () => {
    let time = Date.now();
    let isDown = false;
    let isCutOff = false;
    trusted = { ...trusted, revoked: async () => (isDown ? Promise.reject(down) : false) };
    const { check } = authenticator({ now: () => time, isCutOff: () => isCutOff });
    const [known, unknown] = [await sign(), await sign({ claims: { jti: 'another' } })];
    expect(await check(known, resource)).toHaveProperty('principal');
    isDown = true;
    time += 61_000;
    expect(await check(known, resource)).toHaveProperty('principal');
    expect(await check(unknown, resource)).toEqual(cannot);
    isCutOff = true;
    expect(await check(known, resource)).toEqual(cannot);
    isDown = false;
    isCutOff = false;
    expect(await check(known, resource)).toHaveProperty('principal');
  });

  it('of another issuer does not depend on the store', async () => {
    const { check } = authenticator({ isCutOff: () => true });
    expect(await check(await sign(), resource)).toHaveProperty('principal');
  });

  it('is not held once it was refused', async () => {
    let revoked: () => Promise<boolean> = async () => false;
    trusted = { ...trusted, revoked: () => revoked() };
    const { check, recheck } = authenticator();
    const token = await sign();
    await check(token, resource);
    revoked = async () => true;
    expect(await recheck()).toEqual(new Set(['oauth:ada']));
    revoked = () => Promise.reject(down);
    expect(await check(token, resource)).toEqual(cannot);
  });

  it('counts as revoked for its principal only when the principal has no other', async () => {
    const gone = new Set<unknown>();
    trusted = { ...trusted, revoked: async ({ grant }) => gone.has(grant) };
    const { check, recheck } = authenticator();
    const [first, second] = [await sign({ claims: { grant: 'one' } }), await sign({ claims: { grant: 'two' } })];
    for (const token of [first, second]) expect(await check(token, resource)).toHaveProperty('principal');
    gone.add('one');
    expect(await recheck()).toEqual(new Set());
    expect(await check(first, resource)).toEqual({ refused: 'it was revoked' });
    expect(await check(second, resource)).toHaveProperty('principal');
    gone.add('two');
    expect(await recheck()).toEqual(new Set(['oauth:ada']));
    expect(await recheck()).toEqual(new Set());
  });
});

describe('keys', () => {
  it('are fetched again for an unknown key id, but not for every unknown key id', async () => {
    const one = authenticator();
    expect(await one.check(await sign(), resource)).toHaveProperty('principal');
    const before = idp.asked.length;
    for (let i = 0; i < 5; i++) {
      const made = await sign({ key: second, header: { kid: `unknown-${i}` } });
      expect(await one.check(made, resource)).toEqual({ refused: 'it is signed with an unknown key' });
    }
    expect(idp.asked.length - before).toBeLessThanOrEqual(1);
  });

  it('are found after a rotation', async () => {
    let cool = Date.now();
    const clock = Date.now;
    Date.now = () => cool;
    try {
      const one = authenticator();
      expect(await one.check(await sign(), resource)).toHaveProperty('principal');
      idp.keys = [await jwk(second, 'two')];
      cool += 31_000;
      expect(await one.check(await sign({ key: second, header: { kid: 'two' } }), resource)).toHaveProperty(
        'principal',
      );
    } finally {
      Date.now = clock;
    }
  });

  it('that cannot be fetched make the check unavailable, and are fetched again later', async () => {
    idp.down = true;
    const one = authenticator();
    await expect(one.check(await sign(), resource)).rejects.toMatchObject({ code: 'unavailable' });
    idp.down = false;
    expect(await one.check(await sign(), resource)).toHaveProperty('principal');
  });

  it.each([
    ['/plain', /not https/],
    ['/moved', /Cannot find the keys/],
  ])('are not fetched over plain HTTP or after a redirect: %s', async (path, words) => {
    const issuer = `${idp.url}${path}`;
    await expect(issuerKeys(issuer)()).rejects.toThrow(words);
    expect(idp.asked).not.toContain('/.well-known/oauth-authorization-server');
  });

  it('are not used if the metadata name another issuer', async () => {
    const liar = `${idp.url}/liar`;
    trusted = { issuer: liar, keys: issuerKeys(liar) };
    await expect(verdict(await sign({ claims: { iss: liar } }))).rejects.toThrow(/belongs to the issuer/);
    expect(idp.asked).not.toContain('/keys');
  });
});

describe('a gateway that trusts an identity provider', () => {
  it('says where to get a token, accepts a valid one, and refuses a token without the audience or scopes', async () => {
    await using gateway = await startGateway({ auth: { mode: 'oauth', oauth: { issuer: idp.url } } });
    const list = modern('tools/list');
    const bare = await send(gateway.mcp, { ...list });
    expect(bare.status).toBe(401);
    expect(bare.headers['www-authenticate']).toBe(
      `Bearer resource_metadata="${gateway.url}/.well-known/oauth-protected-resource/mcp", scope="tools:read tools:execute"`,
    );
    const { messages } = await send(`${gateway.url}/.well-known/oauth-protected-resource/mcp`);
    expect(messages).toMatchObject([{ resource: gateway.mcp, authorization_servers: [idp.url] }]);
    expect((await send(`${gateway.url}/.well-known/oauth-authorization-server`)).status).toBe(404);

    const ask = (token: string) =>
      send(gateway.mcp, { ...list, headers: { ...list.headers, authorization: `Bearer ${token}` } });
    const good = await ask(await sign({ claims: { aud: gateway.mcp } }));
    expect(good.status).toBe(200);
    const bad = await ask(await sign({ claims: { aud: 'https://other.example' } }));
    expect(bad.status).toBe(401);
    expect(bad.headers['www-authenticate']).toContain('error="invalid_token"');
    const none = await ask(await sign({ claims: { aud: gateway.mcp, scope: undefined } }));
    expect(none.status === 403 || JSON.stringify(none.messages).includes('"tools":[]')).toBe(true);
  });

  it('closes streams when their token expires', async () => {
    await using gateway = await startGateway({ auth: { mode: 'oauth', oauth: { issuer: idp.url } } });
    // With ten seconds of leeway it is accepted for about four more.
    const claims = { exp: now() - 6, scope: 'tools:read health:check' };
    const stream = async (url: string, given: Parameters<typeof open>[1] = {}) => {
      const authorization = `Bearer ${await sign({ claims: { ...claims, aud: [url, gateway.url, gateway.mcp] } })}`;
      return open(url, { ...given, headers: { accept: 'text/event-stream', ...given.headers, authorization } });
    };
    const listen = modern('subscriptions/listen', { notifications: { toolsListChanged: true } });
    const streams = await Promise.all([
      stream(gateway.sse),
      stream(gateway.mcp, listen),
      stream(`${gateway.url}/api/v1/events`),
    ]);
    expect(streams.map(({ status }) => status)).toEqual([200, 200, 200]);
    await Promise.all(streams.map(({ ended }) => ended));
    expect(Date.now()).toBeGreaterThanOrEqual((claims.exp + 10) * 1000);
  });

  it('answers 503 while the keys cannot be fetched, and recovers afterwards', async () => {
    idp.down = true;
    await using gateway = await startGateway({ auth: { mode: 'both', oauth: { issuer: idp.url } } });
    const list = modern('tools/list');
    const authorization = `Bearer ${await sign({ claims: { aud: gateway.mcp } })}`;
    const ask = () => send(gateway.mcp, { ...list, headers: { ...list.headers, authorization } });
    expect((await ask()).status).toBe(503);
    idp.down = false;
    expect((await ask()).status).toBe(200);
  });
});
