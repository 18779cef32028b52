import { describe, expect, it } from 'vitest';
import { discover } from './discovery.ts';

/** A fake web: URLs and their documents. */
function web(documents: Record<string, object | number>) {
  const asked: string[] = [];
  return {
    asked,
    fetch: async (url: string) => {
      asked.push(url);
      const found = documents[url] ?? 404;
      return typeof found === 'number' ? new Response('', { status: found }) : Response.json(found);
    },
  };
}

const far = new URL('https://far.example/team/mcp');
const resource = 'https://far.example/team/mcp';
const server = (issuer: string, more: object = {}) => ({
  issuer,
  authorization_endpoint: `${issuer}/authorize`,
  token_endpoint: `${issuer}/token`,
  ...more,
});
const about = (more: object = {}) => ({ resource, authorization_servers: ['https://as.example'], ...more });
const prm = 'https://far.example/.well-known/oauth-protected-resource';

describe('where to sign in', () => {
  it('is where the challenge says, and no other URL is requested', async () => {
    const place = 'https://far.example/elsewhere.json';
    const { fetch, asked } = web({
      [place]: about({ scopes_supported: ['a'] }),
      'https://as.example/.well-known/oauth-authorization-server': server('https://as.example'),
    });
    const found = await discover({ url: far, challenge: { resourceMetadata: place }, fetch });
    expect(found).toMatchObject({ resource, scopes: ['a'], server: { issuer: 'https://as.example' } });
    expect(asked).toHaveLength(2);
  });

  it('is looked up under the path of the server, then at its root', async () => {
    const { fetch, asked } = web({
      [prm]: about({ resource: 'https://far.example' }),
      'https://as.example/.well-known/oauth-authorization-server': server('https://as.example'),
    });
    expect((await discover({ url: far, challenge: {}, fetch })).resource).toBe('https://far.example');
    expect(asked.slice(0, 2)).toEqual([`${prm}/team/mcp`, prm]);
  });

  it.each([
    'https://as.example/.well-known/oauth-authorization-server/tenant',
    'https://as.example/.well-known/openid-configuration/tenant',
    'https://as.example/tenant/.well-known/openid-configuration',
  ])('may be described at %s', async (place) => {
    const issuer = 'https://as.example/tenant';
    const { fetch } = web({
      [`${prm}/team/mcp`]: about({ authorization_servers: [issuer] }),
      [place]: server(issuer),
    });
    expect((await discover({ url: far, challenge: {}, fetch })).server.issuer).toBe(issuer);
  });

  it('is the origin of a server from before 2025-06-18, with default endpoints if it has no metadata', async () => {
    const described = web({
      'https://far.example/.well-known/oauth-authorization-server': server('https://far.example/'),
    });
    expect((await discover({ url: far, challenge: {}, fetch: described.fetch })).guessed).toBeUndefined();
    expect(await discover({ url: far, challenge: {}, fetch: web({}).fetch })).toEqual({
      guessed: true,
      server: {
        issuer: 'https://far.example',
        authorization_endpoint: 'https://far.example/authorize',
        token_endpoint: 'https://far.example/token',
        registration_endpoint: 'https://far.example/register',
      },
    });
  });

  it('is the one the owner chose among several', async () => {
    const issuers = ['https://one.example', 'https://two.example'];
    const { fetch } = web({
      [`${prm}/team/mcp`]: about({ authorization_servers: issuers }),
      'https://two.example/.well-known/oauth-authorization-server': server('https://two.example'),
    });
    const found = await discover({ url: far, challenge: {}, fetch, issuer: 'https://two.example' });
    expect(found.server.issuer).toBe('https://two.example');
    const other = discover({ url: far, challenge: {}, fetch, issuer: 'https://three.example' });
    await expect(other).rejects.toThrow('"oauth.issuer" allows only https://three.example');
  });
});

describe('does not sign in', () => {
  const as = 'https://as.example/.well-known/oauth-authorization-server';
  it.each([
    [
      'for another server',
      about({ resource: 'https://evil.example/mcp' }),
      server('https://as.example'),
      'which is another server',
    ],
    [
      'for another path',
      about({ resource: 'https://far.example/tea' }),
      server('https://as.example'),
      'which is another server',
    ],
    ['with metadata of another issuer', about(), server('https://evil.example'), 'says it is https://evil.example'],
    ['without PKCE', about(), server('https://as.example', { code_challenge_methods_supported: ['plain'] }), 'PKCE'],
    [
      'over plain http',
      about(),
      server('https://as.example', { token_endpoint: 'http://as.example/t' }),
      'does not use https for its token endpoint',
    ],
    [
      'with a very long resource, which the message shortens',
      about({ resource: `https://evil.example/${'x'.repeat(100_000)}` }),
      server('https://as.example'),
      /^.{1,500}$/,
    ],
    [
      'with a very long issuer, which the message shortens',
      about(),
      server(`https://evil.example/${'x'.repeat(100_000)}`),
      /^.{1,500}$/,
    ],
    ['without metadata', about(), 404, 'has no metadata'],
    ['while the server fails', about(), 503, 'HTTP 503'],
  ])('%s', async (_, description, document, message) => {
    const { fetch } = web({ [`${prm}/team/mcp`]: description, [as]: document });
    await expect(discover({ url: far, challenge: {}, fetch })).rejects.toThrow(message);
  });
});
