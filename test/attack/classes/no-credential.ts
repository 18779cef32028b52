import {
  as,
  attack,
  type AttackClass,
  either,
  everyMode,
  leaks,
  type Oracle,
  reach,
  reachedOrAnswered,
  shows,
  withAuth,
} from '../attack.ts';

const something: Oracle = either(
  reachedOrAnswered,
  leaks,
  shows('open__', 'vault__', 'sluice_calls', '"events"', 'sessionId='),
);

const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'HEAD', 'OPTIONS', 'TRACE', 'PROPFIND'];
const paths = [
  '/mcp',
  '/',
  '/sse',
  '/message?sessionId=x',
  '/messages',
  '/mcp/ops',
  '/api/v1/mcp/tools',
  '/api/v1/mcp/tools/open__echo',
  '/api/v1/mcp/invoke',
  '/api/v1/mcp/tools/open__slow/invoke',
  '/api/v1/mcp/health',
  '/api/v1/status',
  '/api/v1/events',
  '/metrics',
];

const byMethod = paths.flatMap((path, index) =>
  methods
    // Every path with the two methods that do something, and each other method on some path.
    .filter((method, at) => method === 'GET' || method === 'POST' || at === index % methods.length)
    .map((method) =>
      attack(
        `${method} ${path}`,
        withAuth,
        (_, tag) => ({
          method,
          path,
          headers: [['Accept', 'application/json, text/event-stream']],
          ...(method !== 'GET' &&
            method !== 'HEAD' && {
              body: path.includes('invoke')
                ? JSON.stringify({ name: 'open__slow', arguments: { ms: 0, tag }, ms: 0, tag })
                : reach(tag),
            }),
          until: /sessionId=/,
        }),
        something,
      ),
    ),
);

const spelled = [
  '/mcp/',
  '//mcp',
  '/./mcp',
  '/health/../mcp',
  '/health/..%2fmcp',
  '/%6d%63%70',
  '/MCP',
  '/mcp;x=1',
  '/mcp%00',
  '/mcp%20',
  '/mcp.json',
  '/health%2f..%2fapi%2fv1%2fstatus',
  '/api/v1/public/../status',
  '/api/v1/public/health/../../status',
  '/API/V1/STATUS',
  '/api/v1/status/',
  '/api//v1/status',
  '/api/v1/mcp/tools/internal',
  '/metrics/',
  '/metrics%3f',
  '/openapi.json/../metrics',
  '/.well-known/../metrics',
  '/oauth/../metrics',
  '/login/../metrics',
].flatMap((path) => [
  attack(`GET ${path}`, withAuth, () => ({ method: 'GET', path, until: /sessionId=/ }), something),
  attack(`POST ${path}`, withAuth, (_, tag) => ({ path, body: reach(tag) }), something),
]);

/** Routes of the internal listener: nobody gets them here, with or without a key. */
const internal = [
  attack(
    'the tools of the internal listener',
    everyMode,
    (scene) => as(scene, 'admin', { method: 'GET', path: '/api/v1/mcp/tools/internal' }),
    shows('open__'),
  ),
  attack('a call by the internal listener', everyMode, (scene, tag) =>
    as(scene, 'admin', {
      path: '/api/v1/mcp/invoke/internal',
      body: JSON.stringify({ name: 'open__slow', arguments: { ms: 0, tag } }),
    }),
  ),
];

const files = [
  '/.env',
  '/sluice.db',
  '/sluice.key',
  '/sluice.json',
  '/..%2f..%2fsluice.db',
  '/%2e%2e/sluice.json',
  '/static/../sluice.db',
].map((path) =>
  attack(
    `GET ${path}`,
    everyMode,
    (scene) => as(scene, 'admin', { method: 'GET', path }),
    either(leaks, shows('SQLite format', 'mcpServers')),
  ),
);

export const noCredentialClass: AttackClass = {
  name: 'no-credential',
  title: 'Paths and methods without a key',
  attacks: [...byMethod, ...spelled, ...internal, ...files],
  controls: [
    attack('POST /mcp with one', everyMode, (scene, tag) => as(scene, 'owner', { body: reach(tag) }), something),
    attack(
      'the metrics with one',
      everyMode,
      (scene) => as(scene, 'admin', { method: 'GET', path: '/metrics' }),
      shows('sluice_'),
    ),
    attack(
      'a stream with one',
      everyMode,
      (scene) =>
        as(scene, 'owner', {
          method: 'GET',
          path: '/sse',
          headers: [['Accept', 'text/event-stream']],
          until: /sessionId=/,
        }),
      something,
    ),
  ],
};
