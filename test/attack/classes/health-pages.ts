import {
  as,
  attack,
  type AttackClass,
  call,
  either,
  everyMode,
  leaks,
  type Oracle,
  shows,
  succeeds,
  type Who,
  withAuth,
  withKeys,
} from '../attack.ts';

/** One call of the owner that nobody else may see. */
const others: Oracle = either(leaks, shows(/vault__\w+/, /"(?:name|source)":"vault"/));

const pages = [
  '/metrics',
  '/api/v1/status',
  '/api/v1/events',
  '/api/v1/events?limit=1000',
  '/api/v1/events?event_type=tool.*',
  '/api/v1/mcp/health',
];

const htmlPage = (who: Who | undefined) => ({ who, path: '/', headers: [['Accept', 'text/html']] as const });

/** Pages and routes need the literal scope, whatever else a key may do. */
const strangers: (Who | undefined)[] = [undefined, 'owner', 'reader', 'narrow', 'source', 'readOnly'];
const withoutScope = strangers.flatMap((who) =>
  pages.map((path) =>
    attack(
      `${who ?? 'nobody'}: GET ${path}`,
      withAuth,
      (scene) => ({ method: 'GET', path, headers: who === undefined ? [] : scene.as(who) }),
      either(succeeds, others),
    ),
  ),
);

const streamed = strangers.map((who) =>
  attack(
    `${who ?? 'nobody'}: the stream of events`,
    withAuth,
    (scene) => ({
      method: 'GET',
      path: '/api/v1/events',
      headers: [...(who === undefined ? [] : scene.as(who)), ['Accept', 'text/event-stream'], ['Last-Event-ID', '0']],
      until: /\r\n\r\n/,
    }),
    either(succeeds, others),
  ),
);

const html = strangers.map(htmlPage).map(({ who, path, headers }) =>
  attack(
    `${who ?? 'nobody'}: the page at /`,
    withAuth,
    (scene) => ({ method: 'GET', path, headers: [...(who === undefined ? [] : scene.as(who)), ...headers] }),
    // Everybody may see the page, which holds no data.
    either(others, shows('RUNNING', 'open__', '>vault<', '>open<')),
  ),
);

/** A caller that is limited to tools, and may see health, sees only its own calls. */
const limited = [
  ...pages.map((path) =>
    attack(
      `narrowHealth: GET ${path}`,
      withKeys,
      (scene) => as(scene, 'narrowHealth', { method: 'GET', path }),
      others,
    ),
  ),
  ...[
    '?tool=vault__secret',
    '?source=vault',
    '?text=vault',
    '?principal=local',
    '?audit=true',
    '?event_type=gateway.*',
  ].map((query) =>
    attack(
      `narrowHealth: GET /api/v1/events${query}`,
      withKeys,
      (scene) => as(scene, 'narrowHealth', { method: 'GET', path: `/api/v1/events${query}` }),
      others,
    ),
  ),
  attack(
    'narrowHealth: the stream of events',
    withKeys,
    async (scene, tag) => {
      setTimeout(
        () => void scene.call('owner', 'tools/call', { name: 'vault__secret', arguments: { tag } }).catch(() => {}),
        300,
      );
      return as(scene, 'narrowHealth', {
        method: 'GET',
        path: '/api/v1/events',
        headers: [
          ['Accept', 'text/event-stream'],
          ['Last-Event-ID', '0'],
        ],
        until: /vault/,
        patience: 2000,
      });
    },
    others,
  ),
  attack(
    'narrowHealth: the page at /',
    withKeys,
    (scene) => as(scene, 'narrowHealth', { method: 'GET', path: '/', headers: [['Accept', 'text/html']] }),
    either(others, shows('>vault<')),
  ),
  ...(
    [
      ['gateway_status', {}],
      ['gateway_status', { server: 'vault' }],
      ['gateway_usage', {}],
      ['gateway_usage', { by: 'source' }],
      ['gateway_usage', { by: 'key' }],
      ['get_events', {}],
      ['get_events', { tool: 'vault__secret' }],
      ['get_events', { source: 'vault', limit: 200 }],
    ] as const
  ).map(([name, args]) =>
    attack(
      `narrowHealth: ${name} ${JSON.stringify(args)}`,
      withKeys,
      (scene) => as(scene, 'narrowHealth', { body: call(name, args) }),
      // Quotes are escaped inside a text result.
      either(others, shows(/\\"(?:name|source)\\":\\"vault\\"/)),
    ),
  ),
];

/** Public answers say nothing about what is behind the gateway. */
const open = [
  '/health',
  '/ready',
  '/openapi.json',
  '/api/v1/public/health',
  '/nothing',
  '/.well-known/oauth-protected-resource',
].map((path) =>
  attack(
    `GET ${path} tells nothing`,
    everyMode,
    () => ({ method: 'GET', path }),
    either(leaks, shows('vault', 'open__', 'sluice-attack-', process.cwd())),
  ),
);

export const healthClass: AttackClass = {
  name: 'health-pages',
  title: 'Health pages: metrics, status, events, the page at /',
  async prepare(scene) {
    await scene.call('owner', 'tools/call', { name: 'vault__secret', arguments: { by: 'owner' } });
    if (scene.mode !== 'none')
      await scene.call('narrow', 'tools/call', { name: 'open__echo', arguments: { text: 'mine' } });
  },
  attacks: [...withoutScope, ...streamed, ...html, ...limited, ...open],
  controls: [
    ...['/metrics', '/api/v1/status', '/api/v1/events?limit=1000'].flatMap((path) =>
      (['health', 'admin'] as const).map((who) =>
        attack(`${who}: GET ${path}`, everyMode, (scene) => as(scene, who, { method: 'GET', path }), others),
      ),
    ),
    attack(
      'admin: what the page at / asks for',
      everyMode,
      (scene) => as(scene, 'admin', { method: 'GET', path: '/api/v1/status' }),
      shows('RUNNING'),
    ),
    attack(
      'admin: get_events',
      everyMode,
      (scene) => as(scene, 'admin', { body: call('get_events', { tool: 'vault__secret' }) }),
      others,
    ),
  ],
};
