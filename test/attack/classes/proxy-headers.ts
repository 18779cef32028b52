import { attack, as, type AttackClass, everyMode, reach, withAuth, withTokens, shows } from '../attack.ts';

const said: readonly (readonly [string, string])[] = [
  ['Forwarded', 'for=203.0.113.9;proto=https;host=evil.example'],
  ['X-Forwarded-For', '203.0.113.9'],
  ['X-Forwarded-For', '127.0.0.1'],
  ['X-Forwarded-Host', 'evil.example'],
  ['X-Forwarded-Proto', 'https'],
  ['X-Forwarded-Port', '443'],
  ['X-Forwarded-Server', 'proxy.example'],
  ['X-Forwarded-Prefix', '/x'],
  ['X-Real-IP', '203.0.113.9'],
  ['CF-Connecting-IP', '203.0.113.9'],
  ['True-Client-IP', '203.0.113.9'],
  ['X-Original-Forwarded-For', '203.0.113.9'],
  ['X-Client-IP', '203.0.113.9'],
  ['X-Cluster-Client-IP', '203.0.113.9'],
  ['Via', '1.1 proxy.example'],
];

/** Without authentication: a request through a proxy may come from anywhere. */
const through = said.flatMap(([name, value]) => [
  attack(`${name}: ${value}, without authentication`, ['none'], (_, tag) => ({
    headers: [[name, value]],
    body: reach(tag),
  })),
  attack(`${name}: ${value}, without authentication, by REST`, ['none'], () => ({
    method: 'GET',
    path: '/api/v1/mcp/tools',
    headers: [[name, value]],
  })),
]);

/** With authentication: a proxy is welcome, but its claims open nothing. */
const trusted: readonly (readonly [string, string])[] = [
  ...said,
  ['X-Forwarded-User', 'owner'],
  ['X-Forwarded-Email', 'owner@example.com'],
  ['X-Remote-User', 'owner'],
  ['Remote-User', 'owner'],
  ['X-Auth-Request-User', 'owner'],
  ['X-Forwarded-Access-Token', 'anything'],
  ['X-Webauth-User', 'owner'],
];

const unknown = trusted.map(([name, value]) =>
  attack(`${name}: ${value}, without a credential`, withAuth, (_, tag) => ({
    headers: [[name, value]],
    body: reach(tag),
  })),
);

const rewritten = ['X-Original-URL', 'X-Rewrite-URL', 'X-HTTP-Method-Override', 'X-Forwarded-Uri'].map((name) =>
  attack(`${name} leads elsewhere`, withAuth, (_, tag) => ({
    method: 'POST',
    path: '/health',
    headers: [[name, name.includes('Method') ? 'POST' : '/mcp']],
    body: reach(tag),
  })),
);

const metadata = ['X-Forwarded-Host', 'Forwarded', 'X-Forwarded-Server', 'X-Original-Host'].map((name) =>
  attack(
    `${name} changes where tokens are asked for`,
    withTokens,
    () => ({
      method: 'GET',
      path: '/.well-known/oauth-protected-resource/mcp',
      headers: [[name, name === 'Forwarded' ? 'host=evil.example;proto=https' : 'evil.example']],
    }),
    shows('evil.example'),
  ),
);

export const proxyClass: AttackClass = {
  name: 'proxy-headers',
  title: 'Headers of proxies',
  attacks: [...through, ...unknown, ...rewritten, ...metadata],
  controls: [
    attack('without any of them', everyMode, (scene, tag) => as(scene, 'owner', { body: reach(tag) })),
    attack('the tools by REST', everyMode, (scene) => as(scene, 'owner', { method: 'GET', path: '/api/v1/mcp/tools' })),
  ],
};
