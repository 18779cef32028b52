import { hostname } from 'node:os';
import {
  as,
  attack,
  type AttackClass,
  call,
  everyMode,
  type Oracle,
  restCall,
  withAuth,
  withTokens,
} from '../attack.ts';

/** The gateway connected to a forbidden address, or keeps the server to do so later. */
const connected: Oracle = (reply, { around: { trap } }, tag) => {
  if (trap.hits.some((path) => path.includes(tag))) return 'the gateway connected to the inside';
  return /"structuredContent":\{"name":"/.test(reply.body)
    ? `the server was added: ${reply.body.slice(0, 200)}`
    : undefined;
};

/** The many ways to write this machine's address. PORT belongs to a service that nobody may reach. */
const addresses = [
  'http://127.0.0.1:PORT',
  'http://localhost:PORT',
  'http://LOCALHOST.:PORT',
  'http://127.1:PORT',
  'http://127.0.1:PORT',
  'http://0x7f.1:PORT',
  'http://0x7f000001:PORT',
  'http://0177.0.0.1:PORT',
  'http://017700000001:PORT',
  'http://2130706433:PORT',
  'http://0:PORT',
  'http://0.0.0.0:PORT',
  'http://127.127.127.127:PORT',
  'http://[::1]:PORT',
  'http://[::]:PORT',
  'http://[0:0:0:0:0:0:0:1]:PORT',
  'http://[::ffff:127.0.0.1]:PORT',
  'http://[::ffff:7f00:1]:PORT',
  'http://[::127.0.0.1]:PORT',
  'http://[64:ff9b::7f00:1]:PORT',
  'http://[2002:7f00:1::]:PORT',
  'http://[fe80::1%25lo]:PORT',
  'http://１２７.0.0.1:PORT',
  'http://127。0。0。1:PORT',
  'http://ⓛocalhost:PORT',
  'http://foo.localhost:PORT',
  'http://ip6-localhost:PORT',
  `http://${hostname()}:PORT`,
  'http://user:pass@127.0.0.1:PORT',
  'http://example.com@127.0.0.1:PORT',
  'http://127.0.0.1:PORT#@example.com',
  'http://127.0.0.1%2f@example.com:PORT',
  'http:\\\\127.0.0.1:PORT',
  'https://127.0.0.1:PORT',
  ' http://127.0.0.1:PORT',
  'http://127.0.0.1\t:PORT',
  'ws://127.0.0.1:PORT',
];

const elsewhere = [
  'http://10.0.0.1',
  'http://172.16.0.1',
  'http://172.31.255.255',
  'http://192.168.0.1',
  'http://169.254.169.254/latest/meta-data',
  'http://[fd00:ec2::254]/latest',
  'http://100.64.0.1',
  'http://100.100.100.200',
  'http://168.63.129.16',
  'http://192.0.0.192',
  'http://198.18.0.1',
  'http://224.0.0.1',
  'http://255.255.255.255',
  'http://[fd00::1]',
  'http://[fe80::1]',
  'http://[ff02::1]',
  'http://metadata.google.internal/computeMetadata/v1',
  'http://printer.local',
  'file:///etc/passwd',
  'ftp://127.0.0.1',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'data:application/json,{}',
  'javascript:alert(1)',
  'unix:///var/run/docker.sock',
  '',
];

const add = (tag: string, server: object) => call('gateway_add_server', { name: tag, server });

const inward = addresses.map((address) =>
  attack(
    `a server at ${address}`,
    everyMode,
    (scene, tag) =>
      as(scene, 'admin', {
        body: add(tag, { url: `${address.replace('PORT', String(scene.around.trap.port))}/${tag}`, timeout: '1s' }),
      }),
    connected,
  ),
);

const outward = elsewhere.map((url) =>
  attack(
    `a server at ${url}`,
    everyMode,
    (scene, tag) => as(scene, 'admin', { body: add(tag, { url, timeout: '1s' }) }),
    connected,
  ),
);

const keys = ['serverUrl', 'httpUrl'].map((key) =>
  attack(
    `a server at this machine, as ${key}`,
    everyMode,
    (scene, tag) =>
      as(scene, 'admin', { body: add(tag, { [key]: `http://127.0.0.1:${scene.around.trap.port}/${tag}` }) }),
    connected,
  ),
);

const allowing = [
  ['allowInternal', { allowInternal: true }],
  ['allowInternal as a text', { allowInternal: 'true' }],
  ['allowInternalUrls', { allowInternalUrls: true }],
  ['transport sse', { transport: 'sse' }],
  ['oauth', { oauth: { issuer: 'http://127.0.0.1' } }],
] as const;
const claimed = allowing.map(([name, more]) =>
  attack(
    `a server at this machine that says ${name}`,
    everyMode,
    (scene, tag) =>
      as(scene, 'admin', { body: add(tag, { url: `http://127.0.0.1:${scene.around.trap.port}/${tag}`, ...more }) }),
    connected,
  ),
);

const commands = [
  { command: 'sh', args: ['-c', 'true'] },
  { command: process.execPath, args: ['-e', '0'] },
  { command: '/bin/sh' },
  { command: 'sh', transport: 'stdio' },
  { command: 'sh', url: 'https://example.com/mcp' },
  { url: 'https://example.com/mcp', transport: 'stdio', command: 'sh' },
  { type: 'stdio', command: 'sh' },
  { command: '', args: ['sh'] },
].map((server) =>
  attack(
    `a command: ${JSON.stringify(server).replace(process.execPath, 'node')}`,
    everyMode,
    (scene, tag) => as(scene, 'admin', { body: add(tag, server) }),
    connected,
  ),
);

/** Names that are taken, or that mean something to JavaScript, the file system or a URL. */
const named = ['open', 'gateway', '__proto__', 'constructor', '../x', 'a b', '', 'x'.repeat(300)].map((name) =>
  attack(
    `a server named ${name.slice(0, 20)}`,
    everyMode,
    (scene) =>
      as(scene, 'admin', {
        body: call('gateway_add_server', { name, server: { url: `http://127.0.0.1:${scene.around.trap.port}/named` } }),
      }),
    connected,
  ),
);

/** Only administrators may add or remove servers. */
const unprivileged = (['owner', 'reader', 'narrow', 'health', 'readOnly', 'source'] as const).flatMap((who) => [
  attack(`${who} adds a server`, withAuth, (scene, tag) =>
    as(scene, who, { body: add(tag, { url: 'https://example.com/mcp' }) }),
  ),
  attack(`${who} removes a server`, withAuth, (scene) =>
    as(scene, who, { body: call('gateway_remove_server', { name: 'names' }) }),
  ),
  attack(`${who} restarts a server, by REST`, withAuth, (scene) =>
    as(scene, who, restCall('gateway_restart_server', { name: 'names' })),
  ),
  attack(`${who} adds a server by call_tool`, withAuth, (scene, tag) =>
    as(scene, who, {
      path: '/mcp?expose=search',
      body: call('call_tool', {
        name: 'gateway_add_server',
        arguments: { name: tag, server: { url: 'https://example.com/mcp' } },
      }),
    }),
  ),
]);

/** A client that names the address of its metadata makes the authorization server fetch it. */
const fetched: Oracle = (_, { around: { tlsTrap, trap } }, tag) =>
  tlsTrap.hits.length > 0 || trap.hits.some((path) => path.includes(tag))
    ? 'the gateway connected to the inside'
    : undefined;

const documents = [
  'https://127.0.0.1:PORT',
  'https://localhost:PORT',
  'https://[::1]:PORT',
  'https://127.1:PORT',
  'https://2130706433:PORT',
  'https://[::ffff:127.0.0.1]:PORT',
  'http://127.0.0.1:PORT',
  `https://${hostname()}:PORT`,
].map((address) =>
  attack(
    `a client at ${address}`,
    withTokens,
    (scene, tag) => {
      const { tlsTrap, trap } = scene.around;
      const port = address.startsWith('http:') ? trap.port : tlsTrap.port;
      const query = new URLSearchParams({
        response_type: 'code',
        client_id: `${address.replace('PORT', String(port))}/${tag}`,
        redirect_uri: 'https://app.example/callback',
        code_challenge: 'x'.repeat(43),
        code_challenge_method: 'S256',
      });
      return { method: 'GET', path: `/oauth/authorize?${query.toString()}` };
    },
    fetched,
  ),
);

const registered = ['jwks_uri', 'sector_identifier_uri', 'logo_uri', 'request_uris'].map((field) =>
  attack(
    `a client that registers its ${field} inside`,
    withTokens,
    async (scene, tag) => {
      const url = `http://127.0.0.1:${scene.around.trap.port}/${tag}`;
      return {
        path: '/oauth/register',
        body: JSON.stringify({
          redirect_uris: ['https://app.example/callback'],
          token_endpoint_auth_method: field === 'jwks_uri' ? 'private_key_jwt' : 'none',
          [field]: field === 'request_uris' ? [url] : url,
        }),
      };
    },
    fetched,
  ),
);

export const ssrfClass: AttackClass = {
  name: 'ssrf',
  title: 'SSRF and commands',
  attacks: [
    ...inward,
    ...outward,
    ...keys,
    ...claimed,
    ...commands,
    ...named,
    ...unprivileged,
    ...documents,
    ...registered,
  ],
  controls: [
    attack(
      'what the gateway does connect to is noticed',
      everyMode,
      (scene) => as(scene, 'admin', { body: call('gateway_restart_server', { name: 'owned' }) }),
      ({ statuses }, { around: { trap } }) =>
        statuses.length > 0 && trap.hits.includes('/owned') ? 'it connected' : undefined,
    ),
    attack('an administrator restarts a server', everyMode, (scene) =>
      as(scene, 'admin', { body: call('gateway_restart_server', { name: 'names' }) }),
    ),
  ],
};
