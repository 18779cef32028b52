import {
  as,
  attack,
  type AttackClass,
  call,
  either,
  leakedOrReached,
  type Oracle,
  restCall,
  rpc,
  shows,
  withAuth,
  withKeys,
} from '../attack.ts';

/** `narrow` may use what matches `open__*`; the secrets are in the server `vault`. */
const listed: Oracle = either(leakedOrReached, shows(/"vault_/, /vault__\w/));

const names = [
  'vault__secret',
  'vault:secret',
  'VAULT__SECRET',
  'Vault__Secret',
  'vault__secret ',
  ' vault__secret',
  'vault__secret\0',
  'vault__secret\n',
  'vault__\u200bsecret',
  'ｖａｕｌｔ__ｓｅｃｒｅｔ',
  'vault__se\u0301cret',
  'vault--secret',
  'vault_secret',
  'open__vault__secret',
  'open:vault__secret',
  'open__../vault__secret',
  'open__x,vault__secret',
  'open__*',
  'vault__*',
  'vault__s?cret',
  'vault__renamed',
  'vault__hidden',
  'vault:hidden',
  'vault:renamed',
  'secret',
  ':secret',
  '__secret',
  'vault__write',
];

const views = [
  '/mcp',
  '/mcp?expose=flat',
  '/mcp?expose=compact',
  '/mcp?expose=search',
  '/mcp/looking',
  '/mcp/looking?expose=search',
];

const direct = names.map((name) =>
  attack(
    `calls ${JSON.stringify(name)}`,
    withAuth,
    (scene, tag) => as(scene, 'narrow', { body: call(name, { tag }) }),
    leakedOrReached,
  ),
);

const inViews = views
  .slice(1)
  .flatMap((path) =>
    ['vault__secret', 'vault:secret', 'vault__renamed'].map((name) =>
      attack(
        `calls ${name} at ${path}`,
        withAuth,
        (scene, tag) => as(scene, 'narrow', { path, body: call(name, { tag }) }),
        leakedOrReached,
      ),
    ),
  );

const lists = [...views, '/', '/sse', '/mcp/searching', '/mcp/packed'].map((path) =>
  attack(
    `lists the tools at ${path}`,
    withAuth,
    (scene) => as(scene, 'narrow', { path, body: rpc('tools/list') }),
    listed,
  ),
);

const wrappers: [string, string, unknown][] = [
  ['/mcp?expose=compact', 'vault_call', { tool: 'secret' }],
  ['/mcp?expose=compact', 'vault_call', { tool: 'vault__secret' }],
  ['/mcp?expose=compact', 'vault_read', { tool: 'secret' }],
  ['/mcp?expose=compact', 'vault_list', {}],
  ['/mcp?expose=compact', 'vault_list', { tool: 'secret' }],
  ['/mcp?expose=compact', 'vault_list', { query: 'secret' }],
  ['/mcp?expose=compact', 'open_call', { tool: 'vault__secret' }],
  ['/mcp?expose=compact', 'open_call', { tool: 'vault:secret' }],
  ['/mcp?expose=compact', 'open_call', { tool: '../vault__secret' }],
  ['/mcp?expose=compact', 'open_read', { tool: 'vault__secret' }],
  ['/mcp?expose=compact', 'open_list', { tool: 'vault__secret' }],
  ['/mcp?expose=compact', 'open_list', { query: 'tells canary secret' }],
  ['/mcp?expose=compact', 'call_tool', { name: 'vault__secret' }],
  ['/mcp', 'vault_call', { tool: 'secret' }],
  ['/mcp', 'call_tool', { name: 'vault__secret' }],
  ['/mcp', 'describe_tools', { names: ['vault__secret'] }],
  ['/mcp', 'find_tools', { query: 'secret' }],
  ['/mcp?expose=search', 'find_tools', { query: 'tells canary secret vault' }],
  ['/mcp?expose=search', 'find_tools', { query: 'vault__secret', limit: 50 }],
  ['/mcp?expose=search', 'describe_tools', { names: ['vault__secret'] }],
  ['/mcp?expose=search', 'describe_tools', { names: ['vault:secret', 'open__echo'] }],
  ['/mcp?expose=search', 'call_tool', { name: 'vault__secret' }],
  ['/mcp?expose=search', 'call_tool', { name: 'vault:secret' }],
  ['/mcp?expose=search', 'call_tool', { name: 'VAULT__SECRET' }],
  ['/mcp?expose=search', 'call_tool', { name: 'call_tool', arguments: { name: 'vault__secret' } }],
  ['/mcp?expose=search', 'call_tool', { name: 'vault_call', arguments: { tool: 'secret' } }],
  ['/mcp?expose=search', 'call_tool', { name: ['vault__secret'] }],
  ['/mcp?expose=search', 'vault_call', { tool: 'secret' }],
  ['/mcp/looking?expose=search', 'call_tool', { name: 'vault__secret' }],
  ['/mcp/looking?expose=compact', 'vault_call', { tool: 'secret' }],
];

const wrapped = wrappers.map(([path, name, args]) =>
  attack(
    `${name} ${JSON.stringify(args)} at ${path}`,
    withAuth,
    (scene, tag) => as(scene, 'narrow', { path, body: call(name, { ...(args as object), params: { tag } }) }),
    // A refusal repeats what was asked for.
    leakedOrReached,
  ),
);

const routed = ['/mcp', '/mcp?expose=search', '/mcp?expose=compact', '/mcp/ops'].map((path) =>
  attack(
    `a route leads to the vault, at ${path}`,
    withAuth,
    (scene, tag) => {
      const args = { text: `to the vault ${tag}` };
      const body = path.endsWith('search')
        ? call('call_tool', { name: 'open__echo', arguments: args })
        : path.endsWith('compact')
          ? call('open_call', { tool: 'echo', params: args })
          : call('open__echo', args);
      return as(scene, 'narrow', { path, body });
    },
    leakedOrReached,
  ),
);

const rest = [
  ...[
    '',
    '?source=vault',
    '?query=secret',
    '?toolset=looking',
    '?category=vault',
    '?tags=',
    '?source=vault&source=open',
    '?limit=1&cursor=dmF1bHRfX2VjaG8',
  ].map((query) =>
    attack(
      `lists the tools by REST${query}`,
      withAuth,
      (scene) => as(scene, 'narrow', { method: 'GET', path: `/api/v1/mcp/tools${query}` }),
      listed,
    ),
  ),
  ...[
    'vault__secret',
    'vault:secret',
    'vault%3Asecret',
    'VAULT__SECRET',
    'open__echo%2f..%2fvault__secret',
    'vault__renamed',
  ].flatMap((name) => [
    attack(
      `describes ${name} by REST`,
      withAuth,
      (scene) => as(scene, 'narrow', { method: 'GET', path: `/api/v1/mcp/tools/${name}` }),
      leakedOrReached,
    ),
    attack(
      `calls ${name} by REST, in the path`,
      withAuth,
      (scene, tag) => as(scene, 'narrow', { path: `/api/v1/mcp/tools/${name}/invoke`, body: JSON.stringify({ tag }) }),
      leakedOrReached,
    ),
  ]),
  ...names
    .slice(0, 8)
    .map((name) =>
      attack(
        `calls ${JSON.stringify(name)} by REST`,
        withAuth,
        (scene, tag) => as(scene, 'narrow', restCall(name, { tag })),
        leakedOrReached,
      ),
    ),
  attack(
    'calls by REST as JSON-RPC',
    withAuth,
    (scene, tag) => as(scene, 'narrow', { path: '/api/v1/mcp/invoke', body: call('vault__secret', { tag }) }),
    leakedOrReached,
  ),
  attack(
    'a route leads to the vault, by REST',
    withAuth,
    (scene, tag) => as(scene, 'narrow', restCall('open__echo', { text: `to the vault ${tag}` })),
    leakedOrReached,
  ),
  attack(
    'lists the tools by REST with its health',
    withKeys,
    (scene) => as(scene, 'narrowHealth', { method: 'GET', path: '/api/v1/mcp/health' }),
    either(leakedOrReached, shows(/vault__\w/)),
  ),
];

const others = (['reader', 'health', 'source'] as const).flatMap((who) => [
  attack(
    `${who} calls`,
    withAuth,
    (scene, tag) => as(scene, who, { body: call('vault__write', { tag }) }),
    leakedOrReached,
  ),
  attack(
    `${who} calls by call_tool`,
    withAuth,
    (scene, tag) =>
      as(scene, who, {
        path: '/mcp?expose=search',
        body: call('call_tool', { name: 'vault__write', arguments: { tag } }),
      }),
    leakedOrReached,
  ),
  attack(
    `${who} calls by REST`,
    withAuth,
    (scene, tag) => as(scene, who, restCall('vault__write', { tag })),
    leakedOrReached,
  ),
]);

export const globClass: AttackClass = {
  name: 'globs',
  title: 'Keys limited to some tools, in every exposure and by REST',
  attacks: [...direct, ...inViews, ...lists, ...wrapped, ...routed, ...rest, ...others],
  controls: [
    attack(
      'the owner calls',
      withAuth,
      (scene, tag) => as(scene, 'owner', { body: call('vault__secret', { tag }) }),
      leakedOrReached,
    ),
    attack('the owner lists', withAuth, (scene) => as(scene, 'owner', { body: rpc('tools/list') }), listed),
    attack(
      'the owner finds',
      withAuth,
      (scene) =>
        as(scene, 'owner', {
          path: '/mcp?expose=search',
          body: call('find_tools', { query: 'tells canary secret vault' }),
        }),
      leakedOrReached,
    ),
    attack(
      'the owner calls in compact',
      withAuth,
      (scene, tag) =>
        as(scene, 'owner', {
          path: '/mcp?expose=compact',
          body: call('vault_call', { tool: 'secret', params: { tag } }),
        }),
      leakedOrReached,
    ),
    attack(
      'the route leads the owner to the vault',
      withAuth,
      (scene, tag) => as(scene, 'owner', { body: call('open__echo', { text: `to the vault ${tag}` }) }),
      leakedOrReached,
    ),
    attack(
      'the owner calls by REST',
      withAuth,
      (scene, tag) => as(scene, 'owner', restCall('vault__secret', { tag })),
      leakedOrReached,
    ),
    attack(
      'narrow calls what it may',
      withAuth,
      (scene, tag) => as(scene, 'narrow', { body: call('open__slow', { ms: 0, tag }) }),
      leakedOrReached,
    ),
  ],
};
