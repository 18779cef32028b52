import { createHmac, generateKeyPairSync } from 'node:crypto';
import {
  attack,
  type AttackClass,
  reach,
  reachedOrAnswered,
  restCall,
  type Scene,
  type Wire,
  withTokens,
} from '../attack.ts';
import { handmade } from '../identity-provider.ts';

const now = () => Math.floor(Date.now() / 1000);
const scope = 'tools:read tools:execute';
const carry = (token: string, tag: string): Wire => ({
  headers: [['Authorization', `Bearer ${token}`]],
  body: reach(tag),
});
const rightClaims = (scene: Scene, more: object = {}) => ({
  iss: scene.around.idp.url,
  aud: `${scene.url}/mcp`,
  sub: 'mallory',
  exp: now() + 600,
  scope,
  ...more,
});

type Forge = (scene: Scene) => string | Promise<string>;

/** Claims that the identity provider signed, but the gateway must not accept. */
const claims: [string, (scene: Scene) => Record<string, unknown>][] = [
  ['another issuer', () => ({ iss: 'https://evil.example' })],
  ['an issuer with a slash more', ({ around }) => ({ iss: `${around.idp.url}/` })],
  ['an issuer in capitals', ({ around }) => ({ iss: around.idp.url.toUpperCase() })],
  ['an issuer that is a list', ({ around }) => ({ iss: [around.idp.url] })],
  ['no issuer', () => ({ iss: undefined })],
  ['the gateway as issuer', ({ url }) => ({ iss: url })],
  ['another audience', () => ({ aud: 'https://evil.example/mcp' })],
  ['no audience', () => ({ aud: undefined })],
  ['an empty audience', () => ({ aud: '' })],
  ['a list of no audiences', () => ({ aud: [] })],
  ['an audience that is a wildcard', () => ({ aud: '*' })],
  ['an audience that is a number', () => ({ aud: 1 })],
  ['an audience that begins like it', ({ url }) => ({ aud: `${url}/mcpx` })],
  ['an audience that ends like it', ({ url }) => ({ aud: `https://evil.example/?${url}/mcp` })],
  ['the audience of a toolset', ({ url }) => ({ aud: `${url}/mcp/ops` })],
  ['the audience of another gateway', ({ url }) => ({ aud: `http://127.0.0.1:${Number(new URL(url).port) + 1}/mcp` })],
  ['the audience with a user', ({ url }) => ({ aud: `${url}@evil.example/mcp` })],
  ['expired', () => ({ exp: now() - 3600 })],
  ['no expiry', () => ({ exp: undefined })],
  ['an expiry that is a text', () => ({ exp: String(now() + 600) })],
  ['an expiry that is a list', () => ({ exp: [now() + 600] })],
  ['an expiry that is null', () => ({ exp: null })],
  ['an expiry of 0', () => ({ exp: 0 })],
  ['an expiry before its time', () => ({ exp: -1 })],
  ['not valid yet', () => ({ nbf: now() + 3600 })],
  ['a beginning that is a text', () => ({ nbf: 'now' })],
  ['a sub that is a number', () => ({ sub: 8 })],
  ['a sub that is empty', () => ({ sub: '' })],
  ['a sub that is an object', () => ({ sub: { id: 'ada' } })],
  ['a sub that is a list', () => ({ sub: ['ada'] })],
  ['a sub that is true', () => ({ sub: true })],
  ['a sub that is null', () => ({ sub: null })],
  ['no sub', () => ({ sub: undefined })],
  ['scopes that are an object', () => ({ scope: { 'tools:execute': true } })],
  ['scopes in capitals', () => ({ scope: 'TOOLS:EXECUTE ADMIN' })],
  ['a scope that is a wildcard', () => ({ scope: '*' })],
  ['scopes with commas', () => ({ scope: 'tools:read,tools:execute' })],
  ['scopes as roles', () => ({ scope: '', roles: ['admin'], permissions: ['tools:execute'], groups: ['admin'] })],
  ['no scopes', () => ({ scope: undefined })],
  ['the scope of a source that is not there', () => ({ scope: '*:execute open*:execute :execute' })],
];

const signed = claims.map(([name, change]) =>
  attack(`a token with ${name}`, withTokens, async (scene, tag) =>
    carry(await scene.token({ claims: { sub: 'mallory', scope, ...change(scene) } }), tag),
  ),
);

const rest = claims
  .filter(([name]) => /another issuer|another audience|toolset|expired|number|empty/.test(name))
  .map(([name, change]) =>
    attack(`a token with ${name}, by REST`, withTokens, async (scene, tag) => ({
      ...restCall('open__slow', { ms: 0, tag }),
      headers: [
        ['Authorization', `Bearer ${await scene.token({ claims: { sub: 'mallory', scope, ...change(scene) } })}`],
      ],
    })),
  );

/** The attacker's keys, which the token itself offers. */
const own = generateKeyPairSync('rsa', { modulusLength: 2048 });
const ownJwk = { ...own.publicKey.export({ format: 'jwk' }), kid: 'attack-1', alg: 'RS256' };

const forged: [string, Forge][] = [
  ['no algorithm', (scene) => handmade({ alg: 'none' }, rightClaims(scene))],
  ['no algorithm, in capitals', (scene) => handmade({ alg: 'NONE', typ: 'JWT' }, rightClaims(scene))],
  ['no algorithm and a signature', (scene) => handmade({ alg: 'none' }, rightClaims(scene), 'AAAA')],
  ['no header to speak of', (scene) => handmade({}, rightClaims(scene), 'AAAA')],
  [
    'an empty signature',
    async (scene) => `${(await scene.token({ claims: { scope } })).split('.').slice(0, 2).join('.')}.`,
  ],
  [
    'the public key as a shared secret',
    (scene) => {
      const bare = handmade({ alg: 'HS256', kid: 'attack-1' }, rightClaims(scene)).slice(0, -1);
      return `${bare}.${createHmac('sha256', scene.around.idp.publicKey).update(bare).digest('base64url')}`;
    },
  ],
  [
    'the public key as a shared secret, without its line feed',
    (scene) => {
      const bare = handmade({ alg: 'HS256' }, rightClaims(scene)).slice(0, -1);
      return `${bare}.${createHmac('sha256', scene.around.idp.publicKey.trim()).update(bare).digest('base64url')}`;
    },
  ],
  [
    'an empty shared secret',
    (scene) => {
      const bare = handmade({ alg: 'HS256', kid: '../../../dev/null' }, rightClaims(scene)).slice(0, -1);
      return `${bare}.${createHmac('sha256', '').update(bare).digest('base64url')}`;
    },
  ],
  ['the key of somebody else', (scene) => scene.token({ claims: { sub: 'mallory', scope }, foreign: true })],
  [
    'the key of somebody else under another id',
    (scene) => scene.token({ claims: { sub: 'mallory', scope }, foreign: true, header: { kid: 'other' } }),
  ],
  [
    'a key in its header',
    (scene) => scene.token({ claims: { sub: 'mallory', scope }, foreign: true, header: { jwk: ownJwk } }),
  ],
  [
    'keys at an address in its header',
    (scene) =>
      scene.token({
        claims: { sub: 'mallory', scope },
        foreign: true,
        header: { jku: `http://127.0.0.1:${scene.around.trap.port}/jku` },
      }),
  ],
  [
    'a certificate at an address in its header',
    (scene) =>
      scene.token({
        claims: { sub: 'mallory', scope },
        foreign: true,
        header: { x5u: `http://127.0.0.1:${scene.around.trap.port}/x5u` },
      }),
  ],
  [
    'a key id that is a path',
    (scene) =>
      scene.token({ claims: { sub: 'mallory', scope }, foreign: true, header: { kid: '../../keys/attack-1' } }),
  ],
  [
    'a key id that is SQL',
    (scene) =>
      scene.token({ claims: { sub: 'mallory', scope }, foreign: true, header: { kid: "x' UNION SELECT 'key" } }),
  ],
  [
    'a key id that is __proto__',
    (scene) => scene.token({ claims: { sub: 'mallory', scope }, foreign: true, header: { kid: '__proto__' } }),
  ],
  [
    'other claims behind its signature',
    async (scene) => {
      const [head, , signature] = (await scene.token({ claims: { scope: 'tools:read' } })).split('.');
      return `${head}.${handmade({}, rightClaims(scene)).split('.')[1]}.${signature}`;
    },
  ],
  [
    'claims that are no JSON',
    async (scene) => {
      const [head, , signature] = (await scene.token({ claims: { scope } })).split('.');
      return `${head}.${Buffer.from('not json').toString('base64url')}.${signature}`;
    },
  ],
  ['four parts', async (scene) => `${await scene.token({ claims: { scope } })}.x`],
  ['two parts', async (scene) => (await scene.token({ claims: { scope } })).split('.').slice(0, 2).join('.')],
  ['the form of an encrypted one', () => 'eyJhbGciOiJkaXIiLCJlbmMiOiJBMTI4R0NNIn0..AAAA.AAAA.AAAA'],
  ['a token of another gateway', (scene) => scene.around.idp.sign('http://127.0.0.1:1/mcp', { claims: { scope } })],
];

const forgeries = forged.map(([name, forge]) =>
  attack(
    `a token with ${name}`,
    withTokens,
    async (scene, tag) => carry(await forge(scene), tag),
    async (reply, scene, tag) => {
      const { hits } = scene.around.trap;
      if (hits.includes('/jku') || hits.includes('/x5u')) return 'the gateway fetched keys that the token named';
      return reachedOrAnswered(reply, scene, tag);
    },
  ),
);

export const tokenClass: AttackClass = {
  name: 'tokens',
  title: 'JWTs and tokens of toolsets',
  attacks: [...signed, ...rest, ...forgeries],
  controls: [
    attack('a token as it should be', withTokens, async (scene, tag) =>
      carry(await scene.token({ claims: { sub: 'honest', scope } }), tag),
    ),
    attack('a token as it should be, by REST', withTokens, async (scene, tag) => ({
      ...restCall('open__slow', { ms: 0, tag }),
      headers: [['Authorization', `Bearer ${await scene.token({ claims: { sub: 'honest', scope } })}`]],
    })),
  ],
};
