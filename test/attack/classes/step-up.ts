import {
  as,
  attack,
  type AttackClass,
  call,
  either,
  type Oracle,
  reach,
  reachedOrAnswered,
  restCall,
  rpc,
  type Scene,
  type Wire,
  withTokens,
} from '../attack.ts';
import { consent, formToken, newCode, newTokens, scopesGranted } from '../sign-in.ts';

const asCaller = async (scene: Scene, wire: Wire): Promise<Wire> => {
  const token = await scene.token({ claims: { sub: 'caller', scope: 'tools:read tools:execute' } });
  return { ...wire, headers: [['Authorization', `Bearer ${token}`]] };
};

/** The client is told to come back with more scopes, though only a server said so. */
const provoked: Oracle = ({ status, headers }) => {
  const challenge = headers.get('www-authenticate');
  if (challenge !== undefined) return `the client is asked for: ${challenge}`;
  return status === 401 || status === 403 ? `the client is refused: ${status}` : undefined;
};

const challenges: [string, object][] = [
  ['forbidden for admin', { 'sluice/error': { code: 'forbidden', scope: 'admin' } }],
  [
    'forbidden for a scope with quotes',
    { 'sluice/error': { code: 'forbidden', scope: 'admin", resource_metadata="https://evil.example' } },
  ],
  [
    'forbidden for a scope with a line feed',
    { 'sluice/error': { code: 'forbidden', scope: 'admin\r\nX-Injected: 1' } },
  ],
  [
    'forbidden for many',
    { 'sluice/error': { code: 'forbidden', scope: 'tools:read tools:execute health:check admin' } },
  ],
  ['unauthenticated', { 'sluice/error': { code: 'unauthenticated', scope: 'admin' } }],
  [
    'www-authenticate, as other gateways do',
    { 'mcp/www_authenticate': ['Bearer error="insufficient_scope", scope="admin"'] },
  ],
];

const byServers = challenges.flatMap(([name, meta]) => [
  attack(
    `a server says ${name}`,
    withTokens,
    (scene) => asCaller(scene, { body: call('vault__claim', { meta }) }),
    provoked,
  ),
  attack(
    `a server says ${name}, by call_tool`,
    withTokens,
    (scene) =>
      asCaller(scene, {
        path: '/mcp?expose=search',
        body: call('call_tool', { name: 'vault__claim', arguments: { meta } }),
      }),
    provoked,
  ),
  attack(
    `a server says ${name}, by REST`,
    withTokens,
    (scene) => asCaller(scene, restCall('vault__claim', { meta })),
    provoked,
  ),
]);

/** A caller's text must not end up in the challenge. */
const challengeText: Oracle = ({ headers }, { url }) => {
  const challenge = headers.get('www-authenticate') ?? '';
  // Between quotes it is part of our own address; outside of them it would count as our word.
  const outside = challenge.replaceAll(/"[^"]*"/g, '""');
  const leads = /resource_metadata="([^"]*)"/.exec(challenge)?.[1] ?? url;
  return outside.includes('evil') || !leads.startsWith(url) || headers.has('x-injected')
    ? `the challenge carries it: ${challenge}`
    : undefined;
};
const reflected = [
  '/mcp/x",resource_metadata="https:%2f%2fevil.example',
  '/mcp/evil.example%0d%0aX-Injected:%201',
  '/mcp?scope=admin%0d%0aX-Injected:1',
].map((path) =>
  attack(`a path in the challenge: ${path}`, withTokens, (_, tag) => ({ path, body: reach(tag) }), challengeText),
);

/** A token that lacks a scope gets nothing but the challenge. */
const lacking: [string, string, Wire][] = [
  ['a call', 'tools:read', { body: call('open__slow', { ms: 0, tag: 'x' }) }],
  ['a call by REST', 'tools:read', restCall('open__slow', { ms: 0 })],
  ['a call of a tool of ours', 'tools:read', { body: call('gateway_status') }],
  [
    'an addition',
    'tools:read tools:execute',
    { body: call('gateway_add_server', { name: 'x', server: { url: 'https://example.com/mcp' } }) },
  ],
  [
    'an addition with the scope of the gateway',
    'gateway:write gateway:execute gateway:read',
    { body: call('gateway_add_server', { name: 'x', server: { url: 'https://example.com/mcp' } }) },
  ],
  [
    'a call with the scope of another server',
    'vault:execute vault:read',
    { body: call('open__slow', { ms: 0, tag: 'x' }) },
  ],
  ['a resource', 'health:check', { body: rpc('resources/read', { uri: 'test://static-text' }) }],
  [
    'a call with a scope that begins like it',
    'open:executed open:exec',
    { body: call('open__slow', { ms: 0, tag: 'x' }) },
  ],
];
const insufficient = lacking.map(([name, scope, wire]) =>
  attack(
    `${name} with ${scope}`,
    withTokens,
    async (scene) => {
      const token = await scene.token({ claims: { sub: 'lacking', scope } });
      return { ...wire, headers: [['Authorization', `Bearer ${token}`]] };
    },
    (reply, scene, tag) => reachedOrAnswered(reply, scene, tag),
  ),
);

/** More than was requested, or than the owner allowed. */
const more =
  (than: readonly string[]): Oracle =>
  ({ body }) => {
    const extra = scopesGranted(body).filter(
      (scope) => !than.includes(scope) && scope !== 'openid' && scope !== 'offline_access',
    );
    return extra.length > 0 ? `the token allows ${extra.join(', ')}` : undefined;
  };

const form = (fields: Record<string, string>): Wire => ({
  path: '/oauth/token',
  headers: [['Content-Type', 'application/x-www-form-urlencoded']],
  body: new URLSearchParams(fields).toString(),
});

const granted = ['tools:read'];
const escalations = [
  ...[
    'admin',
    'tools:read admin',
    'tools:read tools:execute',
    'admin admin',
    'ADMIN',
    'tools:read\nadmin',
    'tools:read%20admin',
  ].map((scope) =>
    attack(
      `an exchange of a code for ${JSON.stringify(scope)}`,
      withTokens,
      async (scene) => form({ ...(await newCode(scene, { scope: 'tools:read' })), scope }),
      more(granted),
    ),
  ),
  ...['admin', 'tools:read admin', 'tools:execute', 'health:check'].map((scope) =>
    attack(
      `a renewal for ${scope}`,
      withTokens,
      async (scene) => {
        const { refresh, client } = await newTokens(scene, { scope: 'tools:read' });
        return form({ grant_type: 'refresh_token', client_id: client, refresh_token: refresh, scope });
      },
      more(granted),
    ),
  ),
  ...['admin', 'tools:execute'].map((scope) =>
    attack(
      `a form of consent that ticks ${scope}, which was not asked for`,
      withTokens,
      async (scene) => {
        const exchange = await newCode(scene, { scope: 'tools:read' }, ['tools:read', scope]);
        return form(exchange);
      },
      more(granted),
    ),
  ),
  attack(
    'admin that was asked for and not ticked',
    withTokens,
    async (scene) => form(await newCode(scene, { scope: 'tools:read admin' }, ['tools:read'])),
    more(granted),
  ),
  attack(
    'an exchange for another toolset',
    withTokens,
    async (scene) =>
      form({
        ...(await newCode(scene, { scope: 'tools:read', resource: `${scene.url}/mcp/ops` })),
        resource: `${scene.url}/mcp`,
      }),
    ({ body }, { url }) => {
      const { access_token: access = '' } = (body.startsWith('{') ? JSON.parse(body) : {}) as { access_token?: string };
      const claims = Buffer.from(access.split('.')[1] ?? '', 'base64url').toString();
      return claims.includes(`"${url}/mcp"`) ? `the token is for the whole gateway: ${claims}` : undefined;
    },
  ),
  attack(
    'admin is ticked beforehand',
    withTokens,
    async (scene) => {
      const { page, cookie } = await consent(scene, { scope: 'tools:read admin' });
      return {
        method: 'GET',
        path: new URL(page.url).pathname,
        headers: [
          ['Cookie', cookie],
          ['Accept', 'text/html'],
        ],
      };
    },
    ({ body }) => (/value="admin" checked/.test(body) ? 'it is' : undefined),
  ),
  attack(
    'a registration that asks for admin',
    withTokens,
    async (scene) => {
      const { page, cookie } = await consent(scene);
      const fields = new URLSearchParams({ token: formToken(page), do: 'allow', scope: 'admin' });
      return {
        path: new URL(page.url).pathname,
        headers: [
          ['Cookie', cookie],
          ['Content-Type', 'application/x-www-form-urlencoded'],
          ['Origin', scene.url],
        ],
        body: fields.toString(),
      };
    },
    // Nothing that was requested is ticked, so the page is shown again.
    ({ status }) => (status >= 300 && status < 400 ? 'it was granted' : undefined),
  ),
];

export const stepUpClass: AttackClass = {
  name: 'step-up',
  title: 'Step-up and scopes',
  attacks: [...byServers, ...reflected, ...insufficient, ...escalations],
  controls: [
    attack(
      'a challenge of the gateway itself is noticed',
      withTokens,
      async (scene) => {
        const token = await scene.token({ claims: { sub: 'lacking', scope: 'tools:read' } });
        return { headers: [['Authorization', `Bearer ${token}`]], body: call('open__slow', { ms: 0 }) };
      },
      provoked,
    ),
    attack(
      'who may call does',
      withTokens,
      (scene, tag) => asCaller(scene, { body: reach(tag) }),
      either(reachedOrAnswered),
    ),
    attack(
      'what was ticked is granted',
      withTokens,
      async (scene) => form(await newCode(scene, { scope: 'tools:read tools:execute' })),
      more(granted),
    ),
    attack(
      'the administrator may',
      withTokens,
      (scene) => as(scene, 'admin', { body: call('gateway_status') }),
      reachedOrAnswered,
    ),
  ],
};
