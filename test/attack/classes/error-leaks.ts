import {
  as,
  attack,
  type AttackClass,
  call,
  either,
  everyMode,
  leaks,
  type Oracle,
  restCall,
  rpc,
  type Scene,
  shows,
  type Wire,
  withAuth,
} from '../attack.ts';

/** Errors must not reveal where the gateway runs and how it is built. */
const insides: Oracle = async (reply, scene, tag) =>
  shows(
    /\bat .{1,80}\.(?:ts|js):\d+/,
    'node_modules',
    'sluice-attack-',
    '/src/wire',
    'node:internal',
    'SQLITE_',
  )(reply, scene, tag);

/** The values of secrets, which not even an administrator may see. */
const secrets: Oracle = ({ text }, { around: { canaries } }) => {
  for (const name of ['header', 'env'] as const) {
    if (text.includes(canaries[name])) return `it shows the secret of ${name}`;
  }
  return undefined;
};

const down = ['broken__run', 'broken:run', 'broken__', 'broken__constructor', 'BROKEN__run'].flatMap(
  (name): [string, Wire][] => [
    [`a tool ${name} of a server that is down`, { body: call(name) }],
    [
      `a tool ${name} of a server that is down, by call_tool`,
      { path: '/mcp?expose=search', body: call('call_tool', { name }) },
    ],
    [`a tool ${name} of a server that is down, by REST`, restCall(name, {})],
    [`a tool ${name} of a server that is down, in the path`, { path: `/api/v1/mcp/tools/${name}/invoke`, body: '{}' }],
    [`a description of ${name} by REST`, { method: 'GET', path: `/api/v1/mcp/tools/${name}` }],
  ],
);

const ofServers = [
  ...down,
  [
    'a compact call to a server that is down',
    { path: '/mcp?expose=compact', body: call('broken_call', { tool: 'run' }) },
  ],
  ['a compact list of a server that is down', { path: '/mcp?expose=compact', body: call('broken_list') }],
  ['a resource of a server that is down', { body: rpc('resources/read', { uri: 'broken+x://y' }) }],
  ['a prompt of a server that is down', { body: rpc('prompts/get', { name: 'broken__x' }) }],
] as [string, Wire][];

const forbidden = ofServers.map(([name, wire]) =>
  attack(name, withAuth, (scene) => as(scene, 'narrow', wire), either(leaks, insides)),
);

/** Requests that fail in as many places as possible. */
const wrong: [string, Wire][] = [
  ['no JSON', { body: '{' }],
  ['a number', { body: '42' }],
  ['a text', { body: '"x"' }],
  ['null', { body: 'null' }],
  ['an unknown method', { body: rpc('no/such') }],
  ['a method that is no text', { body: '{"jsonrpc":"2.0","id":1,"method":{}}' }],
  ['params that are a list', { body: '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}' }],
  ['a tool that is a number', { body: call(42) }],
  ['arguments that are a text', { body: call('open__echo', 'x') }],
  ['arguments that do not fit', { body: call('open__echo', { text: { a: 1 } }) }],
  ['arguments of ours that do not fit', { body: call('gateway_status', { server: 42 }) }],
  ['a protocol error of a server', { body: call('open__fail', { kind: 'rpc' }) }],
  ['a failure of a server', { body: call('open__fail', { kind: 'isError' }) }],
  ['a cursor made up', { body: rpc('tools/list', { cursor: 'x' }) }],
  ['a resource that is none', { body: rpc('resources/read', { uri: 'nothing://' }) }],
  ['a completion of nothing', { body: rpc('completion/complete', {}) }],
  ['a level that is none', { body: rpc('logging/setLevel', { level: 'x' }) }],
  ['a version that is none', { headers: [['MCP-Protocol-Version', '1999-01-01']], body: rpc('tools/list') }],
  ['a session that is none', { headers: [['Mcp-Session-Id', 'x']], body: rpc('tools/list') }],
  ['an exposure that is none', { path: '/mcp?expose=__proto__', body: rpc('tools/list') }],
  ['a toolset that is none', { path: '/mcp/nothing', body: rpc('tools/list') }],
  ['REST: no JSON', { path: '/api/v1/mcp/invoke', body: '{' }],
  ['REST: a list', { path: '/api/v1/mcp/invoke', body: '[]' }],
  ['REST: a cursor made up', { method: 'GET', path: '/api/v1/mcp/tools?cursor=%00&limit=1' }],
  ['REST: a limit that is none', { method: 'GET', path: '/api/v1/mcp/tools?limit=x' }],
  ['REST: an escape that is none', { method: 'GET', path: '/api/v1/mcp/tools/%E0%A4%A' }],
  ['events: a moment that is none', { method: 'GET', path: '/api/v1/events?since=x' }],
  ['events: SQL', { method: 'GET', path: "/api/v1/events?text='%20OR%201=1--&source='%22;" }],
  [
    'events: an id that is none',
    {
      method: 'GET',
      path: '/api/v1/events',
      headers: [
        ['Accept', 'text/event-stream'],
        ['Last-Event-ID', 'x'],
      ],
    },
  ],
  ['events: a cursor made up', { method: 'GET', path: '/api/v1/events?cursor=AAAA' }],
  [
    'a trace that is none',
    {
      headers: [
        ['traceparent', '00-x'],
        ['baggage', 'a'.repeat(9000)],
      ],
      body: rpc('tools/list'),
    },
  ],
];

const clumsy = wrong.map(([name, wire]) =>
  attack(name, everyMode, (scene) => as(scene, 'admin', wire), either(secrets, insides)),
);

/** An administrator sees the state of servers, but none of their secrets. */
const administered: [string, Wire][] = [
  ['the status', { method: 'GET', path: '/api/v1/status' }],
  ['the events', { method: 'GET', path: '/api/v1/events?limit=1000' }],
  ['the metrics', { method: 'GET', path: '/metrics' }],
  ['gateway_status', { body: call('gateway_status', { limit: 100 }) }],
  ['get_events', { body: call('get_events', { limit: 200 }) }],
  ['a failed restart', { body: call('gateway_restart_server', { name: 'broken' }) }],
  [
    'a server that is added wrongly',
    {
      body: call('gateway_add_server', {
        name: 'x',
        server: { url: 'http://127.0.0.1/', headers: { Authorization: 'x' } },
      }),
    },
  ],
  ['the tools', { body: rpc('tools/list') }],
  ['the headers a server is sent', { body: call('open__whoami') }],
];

const toAdmin = administered.map(([name, wire]) =>
  attack(`${name} as an administrator`, everyMode, (scene) => as(scene, 'admin', wire), secrets),
);

/** The same request for something hidden and for something missing must get the same answer. */
function apart(hidden: string, missing: string, build: (name: string) => Wire): Oracle {
  return async (reply, scene) => {
    const other = await scene.send(as(scene, 'narrow', build(missing)));
    const plain = (text: string) =>
      text
        .replaceAll(hidden, 'NAME')
        .replaceAll(missing, 'NAME')
        .replaceAll(/[\da-f]{8}-[\da-f-]{27}|"_execution_time_ms":[\d.]+|"processing_time_ms":[\d.]+/g, '');
    const [one, two] = [plain(reply.body), plain(other.body)];
    return reply.status === other.status && one === two
      ? undefined
      : `hidden: ${reply.status} ${one.slice(0, 200)}; missing: ${other.status} ${two.slice(0, 200)}`;
  };
}

const hiddenNames: [string, string][] = [
  ['vault__secret', 'vault__zzqqxx'],
  ['vault:secret', 'vault:zzqqxx'],
  ['vault__renamed', 'vault__qqzzxxy'],
];

const toldApart = hiddenNames.flatMap(([hidden, missing]) =>
  (
    [
      ['over MCP', (name: string): Wire => ({ body: call(name) })],
      ['by call_tool', (name: string): Wire => ({ path: '/mcp?expose=search', body: call('call_tool', { name }) })],
      [
        'by describe_tools',
        (name: string): Wire => ({ path: '/mcp?expose=search', body: call('describe_tools', { names: [name] }) }),
      ],
      [
        'by open_call',
        (name: string): Wire => ({ path: '/mcp?expose=compact', body: call('open_call', { tool: name }) }),
      ],
      ['by REST', (name: string): Wire => restCall(name, {})],
      ['by REST, in the path', (name: string): Wire => ({ path: `/api/v1/mcp/tools/${name}/invoke`, body: '{}' })],
      ['in a description by REST', (name: string): Wire => ({ method: 'GET', path: `/api/v1/mcp/tools/${name}` })],
    ] as const
  ).map(([how, build]) =>
    attack(
      `${hidden} is told apart from one that is missing, ${how}`,
      withAuth,
      (scene: Scene) => as(scene, 'narrow', build(hidden)),
      apart(hidden, missing, build),
    ),
  ),
);

export const errorClass: AttackClass = {
  name: 'error-leaks',
  title: 'What errors give away',
  attacks: [...forbidden, ...clumsy, ...toAdmin, ...toldApart],
  controls: [
    attack(
      'stderr of the server is there to be seen',
      everyMode,
      (scene) => as(scene, 'admin', { method: 'GET', path: '/api/v1/status' }),
      leaks,
    ),
    attack(
      'the secret header is really sent',
      everyMode,
      (scene, tag) => as(scene, 'admin', { body: call('vault__secret', { tag }) }),
      (_, { around }) =>
        around.vault.received.some(({ headers }) => headers['x-vault-token'] === around.canaries.header)
          ? 'it was sent'
          : undefined,
    ),
    attack(
      'two answers that differ are noticed',
      withAuth,
      (scene) => as(scene, 'narrow', restCall('open__echo', { text: 'x' })),
      apart('open__echo', 'open__zzqqxx', (name) => restCall(name, { text: 'x' })),
    ),
  ],
};
