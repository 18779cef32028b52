import {
  as,
  attack,
  type AttackClass,
  call,
  either,
  everyMode,
  leakedOrReached,
  reached,
  reachedOrAnswered,
  restCall,
  rpc,
  shows,
  type Wire,
  withAuth,
  withKeys,
  withTokens,
} from '../attack.ts';

/** Everything that changes something, called in every possible way. */
const changes = (tag: string): [string, Wire][] => [
  ['by its name', { body: call('vault__write', { tag }) }],
  ['by the alias', { body: call('vault:write', { tag }) }],
  ['by another tool that says nothing of itself', { body: call('open__slow', { ms: 0, tag }) }],
  ['by call_tool', { path: '?expose=search', body: call('call_tool', { name: 'vault__write', arguments: { tag } }) }],
  [
    'by call_tool and the alias',
    { path: '?expose=search', body: call('call_tool', { name: 'vault:write', arguments: { tag } }) },
  ],
  ['by vault_call', { path: '?expose=compact', body: call('vault_call', { tool: 'write', params: { tag } }) }],
  ['by vault_read', { path: '?expose=compact', body: call('vault_read', { tool: 'write', params: { tag } }) }],
  ['by open_read', { path: '?expose=compact', body: call('open_read', { tool: 'slow', params: { ms: 0, tag } }) }],
  ['renamed', { body: call('vault__renamed', { tag }) }],
  ['by the name before it was renamed', { body: call('vault__hidden', { tag }) }],
];

const at = (path: string, wire: Wire): Wire => ({ ...wire, path: `${path}${('path' in wire && wire.path) || ''}` });
const ways = changes('').map(([name]) => name);

const readOnlyToolset = ways.map((way, index) =>
  attack(
    `in a read-only toolset, a change ${way}`,
    everyMode,
    (scene, tag) => as(scene, 'admin', at('/mcp/looking', (changes(tag)[index] as [string, Wire])[1])),
    reached,
  ),
);

const readOnlyKey = ways.map((way, index) =>
  attack(
    `with a read-only key, a change ${way}`,
    withAuth,
    (scene, tag) => as(scene, 'readOnly', at('/mcp', (changes(tag)[index] as [string, Wire])[1])),
    reached,
  ),
);

const readOnlyRest = ['vault__write', 'vault:write', 'open__slow', 'vault__renamed'].flatMap((name) => [
  attack(
    `with a read-only key, ${name} by REST`,
    withAuth,
    (scene, tag) => as(scene, 'readOnly', restCall(name, { ms: 0, tag })),
    reached,
  ),
  attack(
    `with a read-only key, ${name} by REST, in the path`,
    withAuth,
    (scene, tag) =>
      as(scene, 'readOnly', { path: `/api/v1/mcp/tools/${name}/invoke`, body: JSON.stringify({ ms: 0, tag }) }),
    reached,
  ),
]);

const reading = [
  attack(
    'with a read-only key, what a tool is called over the wire',
    withKeys,
    (scene, tag) =>
      as(scene, 'readOnly', {
        body: rpc('tools/call', { name: 'vault__write', arguments: { tag }, annotations: { readOnlyHint: true } }),
      }),
    reached,
  ),
];

/** Tools outside a toolset do not exist there, for any caller. */
const outside: [string, (tag: string) => Wire][] = [
  ['by its name', (tag) => ({ path: '/mcp/ops', body: call('vault__secret', { tag }) })],
  ['by the alias', (tag) => ({ path: '/mcp/ops', body: call('vault:secret', { tag }) })],
  [
    'by call_tool',
    (tag) => ({
      path: '/mcp/ops?expose=search',
      body: call('call_tool', { name: 'vault__secret', arguments: { tag } }),
    }),
  ],
  [
    'by describe_tools',
    () => ({ path: '/mcp/ops?expose=search', body: call('describe_tools', { names: ['vault__secret'] }) }),
  ],
  ['by find_tools', () => ({ path: '/mcp/searching', body: call('find_tools', { query: 'tells canary secret' }) })],
  [
    'by vault_call',
    (tag) => ({ path: '/mcp/ops?expose=compact', body: call('vault_call', { tool: 'secret', params: { tag } }) }),
  ],
  [
    'by open_call',
    (tag) => ({ path: '/mcp/packed', body: call('open_call', { tool: 'vault__secret', params: { tag } }) }),
  ],
  ['by a route', (tag) => ({ path: '/mcp/ops', body: call('open__echo', { text: `to the vault ${tag}` }) })],
  [
    'by a route and call_tool',
    (tag) => ({
      path: '/mcp/searching',
      body: call('call_tool', { name: 'open__echo', arguments: { text: `to the vault ${tag}` } }),
    }),
  ],
  ['in the list', () => ({ path: '/mcp/ops', body: rpc('tools/list') })],
  ['in the compact list', () => ({ path: '/mcp/ops?expose=compact', body: rpc('tools/list') })],
  [
    'in the instructions',
    () => ({
      path: '/mcp/ops',
      body: rpc('initialize', {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'x', version: '1' },
      }),
    }),
  ],
];

const outOfToolset = outside.map(([way, build]) =>
  attack(
    `out of a toolset, ${way}`,
    everyMode,
    (scene, tag) => as(scene, 'owner', build(tag)),
    either(leakedOrReached, shows('"vault_')),
  ),
);

const misnamed = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  'OPS',
  'ops%2f',
  'ops%00',
  'ops/../looking',
  '..%2flooking',
  '*',
  'nothing',
  'ops,looking',
].map((name) =>
  attack(`a toolset named ${name}`, everyMode, (scene, tag) =>
    as(scene, 'owner', { path: `/mcp/${name}`, body: call('open__slow', { ms: 0, tag }) }),
  ),
);

/** A token for a toolset opens nothing else. */
const elsewhere = [
  '/mcp',
  '/',
  '/mcp/looking',
  '/mcp?expose=search',
  '/mcp/searching',
  '/mcp/ops/../looking',
  '/mcp/ops%2f..',
  '/mcp//ops',
  '/mcp/opsx',
];
const tokens = [
  ...elsewhere.map((path) =>
    attack(`a token of the toolset ops at ${path}`, withTokens, async (scene, tag) => {
      const token = await scene.token({ claims: { scope: 'tools:read tools:execute' } }, '/mcp/ops');
      return { path, headers: [['Authorization', `Bearer ${token}`]], body: call('open__slow', { ms: 0, tag }) };
    }),
  ),
  attack('a token of the toolset ops by REST', withTokens, async (scene, tag) => {
    const token = await scene.token({ claims: { scope: 'tools:read tools:execute' } }, '/mcp/ops');
    return { ...restCall('vault__secret', { tag }), headers: [['Authorization', `Bearer ${token}`]] };
  }),
  attack(
    'a token of the toolset ops lists by REST',
    withTokens,
    async (scene) => {
      const token = await scene.token({ claims: { scope: 'tools:read' } }, '/mcp/ops');
      return { method: 'GET', path: '/api/v1/mcp/tools', headers: [['Authorization', `Bearer ${token}`]] };
    },
    shows('open__'),
  ),
  attack(
    'a token of the toolset ops at the status',
    withTokens,
    async (scene) => {
      const token = await scene.token({ claims: { scope: 'health:check' } }, '/mcp/ops');
      return { method: 'GET', path: '/api/v1/status', headers: [['Authorization', `Bearer ${token}`]] };
    },
    shows('RUNNING'),
  ),
  attack('a token of the whole at a toolset', withTokens, async (scene, tag) => {
    const token = await scene.token({ claims: { scope: 'tools:read tools:execute' } }, '/mcp');
    return {
      path: '/mcp/ops',
      headers: [['Authorization', `Bearer ${token}`]],
      body: call('open__slow', { ms: 0, tag }),
    };
  }),
];

export const readOnlyClass: AttackClass = {
  name: 'read-only',
  title: 'Read-only, and toolsets',
  attacks: [...readOnlyToolset, ...readOnlyKey, ...readOnlyRest, ...reading, ...outOfToolset, ...misnamed, ...tokens],
  controls: [
    ...ways
      // vault_read is only for tools that read, and a renamed tool has only its new name.
      .map((way, index) => [way, index] as const)
      .filter(([way]) => !way.endsWith('_read') && !way.includes('before'))
      .map(([way, index]) =>
        attack(
          `where changes are allowed, a change ${way}`,
          everyMode,
          (scene, tag) => as(scene, 'admin', at('/mcp', (changes(tag)[index] as [string, Wire])[1])),
          reached,
        ),
      ),
    attack(
      'in the read-only toolset, what reads',
      everyMode,
      (scene, tag) => as(scene, 'admin', { path: '/mcp/looking', body: call('vault__secret', { tag }) }),
      reached,
    ),
    attack(
      'a token of the toolset ops in it',
      withTokens,
      async (scene, tag) => {
        const token = await scene.token({ claims: { scope: 'tools:read tools:execute' } }, '/mcp/ops');
        return {
          path: '/mcp/ops',
          headers: [['Authorization', `Bearer ${token}`]],
          body: call('open__slow', { ms: 0, tag }),
        };
      },
      reachedOrAnswered,
    ),
  ],
};
