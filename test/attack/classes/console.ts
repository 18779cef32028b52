import { randomBytes } from 'node:crypto';
import { createCookies } from '../../../src/server/session/cookie.ts';
import {
  attack,
  type AttackClass,
  either,
  everyMode,
  leaks,
  type Oracle,
  reachedOrAnswered,
  type Scene,
  shows,
  succeeds,
  type Who,
  type Wire,
  withAuth,
  withKeys,
} from '../attack.ts';
import {
  cookieOf,
  csrfOf,
  type Headers,
  kept,
  SESSION,
  setCookieOf,
  signedIn,
  signIn,
  signInAll,
} from '../console-sessions.ts';
import { jsonOf } from '../exchange.ts';
import { OWNER_PASSWORD } from '../scene.ts';

/** Who has a session: everybody signs in once, and one of them signs out, and the key of another is revoked. */
const people: readonly Who[] = ['admin', 'owner', 'reader', 'narrow', 'narrowHealth', 'readOnly', 'health', 'source'];

const valueOf = (cookie: string): string => cookie.slice(cookie.indexOf('=') + 1);

async function prepare(scene: Scene): Promise<void> {
  if (scene.mode === 'none') return;
  await signInAll(scene, people);
  await signIn(scene, 'signed out', scene.as('admin'));
  await scene.send({ method: 'DELETE', path: SESSION, headers: signedIn(scene, 'signed out') });
  if (!scene.hasKeys) return;
  const asked = { path: '/api/v1/keys', body: JSON.stringify({ name: `console ${scene.url}`, scopes: ['admin'] }) };
  const made = jsonOf(await scene.send({ ...asked, headers: signedIn(scene, 'admin') })) as { id: string; key: string };
  await signIn(scene, 'revoked', [['Authorization', `Bearer ${made.key}`]]);
  await scene.send({ method: 'DELETE', path: `/api/v1/keys/${made.id}`, headers: signedIn(scene, 'admin') });
}

const invoking = (tag: string, headers: Headers, more: Partial<{ path: string; body: string }> = {}): Wire => ({
  path: '/api/v1/mcp/invoke',
  headers,
  body: JSON.stringify({ name: 'open__slow', arguments: { ms: 0, tag } }),
  ...more,
});

const inside: Oracle = either(
  reachedOrAnswered,
  leaks,
  shows('"signedIn":true', 'open__', 'vault__', '"keys":[', 'sluice_calls', '"events"'),
);
const gotSession: Oracle = (reply) => {
  const cookie = setCookieOf(reply);
  return cookie === '' || cookie.endsWith('=') ? undefined : `a session was given: ${cookie}`;
};

/** Cookies that the gateway did not make, or made for something else. */
const forgeries: [string, (scene: Scene) => string][] = [
  ...[0, 10, 20, 40, 100].map((at): [string, (scene: Scene) => string] => [
    `changed at ${at}`,
    (scene) => {
      const cookie = kept(scene, 'admin cookie');
      const place = cookie.indexOf('=') + 1 + at;
      return `${cookie.slice(0, place)}${cookie[place] === 'A' ? 'B' : 'A'}${cookie.slice(place + 1)}`;
    },
  ]),
  ['cut short', (scene) => kept(scene, 'admin cookie').slice(0, -20)],
  ['made longer', (scene) => `${kept(scene, 'admin cookie')}AAAA`],
  ['empty', (scene) => `${nameIn(scene)}=`],
  ['of another gateway', (scene) => `${nameIn(scene)}=${valueOf(foreign(scene))}`],
  ['under the name of another gateway', (scene) => foreign(scene)],
  ['that is plain JSON', (scene) => `${nameIn(scene)}=${plain({ credential: 'x', owner: 'x' })}`],
  ['that is the key itself', (scene) => `${nameIn(scene)}=${scene.credential('admin')}`],
  ['under another name', (scene) => `sluice_owner=${valueOf(kept(scene, 'admin cookie'))}`],
  ['named __proto__', (scene) => `__proto__=${valueOf(kept(scene, 'admin cookie'))}`],
  ['of 8 kB', (scene) => `${nameIn(scene)}=${'A'.repeat(8000)}`],
  ['after 500 others that are wrong', (scene) => `${'a=b; '.repeat(500)}${nameIn(scene)}=x`],
  ['first wrong, then right', (scene) => `${nameIn(scene)}=x; ${kept(scene, 'signed out cookie')}`],
  ['of a session that was signed out', (scene) => kept(scene, 'signed out cookie')],
];

const nameIn = (scene: Scene): string => kept(scene, 'admin cookie').split('=')[0] ?? '';
const plain = (value: object): string =>
  Buffer.from(JSON.stringify({ id: 'x', since: Date.now(), ...value })).toString('base64url');
const foreign = (scene: Scene): string => {
  const credential = scene.credential('admin');
  return createCookies(randomBytes(32)).write({ credential }, false).header.split(';')[0] as string;
};

const reading = [
  '/api/v1/session',
  '/api/v1/keys',
  '/api/v1/mcp/tools',
  '/api/v1/events',
  '/api/v1/status',
  '/api/v1/configuration',
  '/api/v1/waiting',
  '/api/v1/servers',
];
const forged = forgeries.flatMap(([name, cookie], index) =>
  // Each forgery on two of the paths.
  [0, 2].map((step) => {
    const path = reading[(index + step) % reading.length] as string;
    return attack(
      `asks ${path} with a cookie ${name}`,
      withAuth,
      (scene) => ({ method: 'GET', path, headers: [['Cookie', cookie(scene)]] }),
      inside,
    );
  }),
);
const changing = forgeries.map(([name, cookie]) =>
  attack(
    `calls a tool with a cookie ${name}`,
    withAuth,
    (scene, tag) => invoking(tag, [['Cookie', cookie(scene)], csrfOf(scene, 'admin')]),
    inside,
  ),
);
const revoked = ['/api/v1/session', '/api/v1/keys', '/api/v1/mcp/tools'].map((path) =>
  attack(
    `asks ${path} with the session of a revoked key`,
    ['keys', 'both'],
    (scene) => ({ method: 'GET', path, headers: signedIn(scene, 'revoked') }),
    inside,
  ),
);

/** Requests that another page makes a browser send: it has the cookie, but not the token. */
const crossSite: [string, (scene: Scene) => Headers][] = [
  ['no token', () => []],
  ['an empty token', () => [['X-Sluice-Csrf', '']]],
  ['the token of somebody else', (scene) => [csrfOf(scene, 'owner')]],
  ['the cookie as token', (scene) => [['X-Sluice-Csrf', valueOf(kept(scene, 'admin cookie'))]]],
  ['the token twice, wrong first', (scene) => [['X-Sluice-Csrf', 'x'], csrfOf(scene, 'admin')]],
  ['the token, from another site', (scene) => [csrfOf(scene, 'admin'), ['Sec-Fetch-Site', 'cross-site']]],
  ['the token, from another port', (scene) => [csrfOf(scene, 'admin'), ['Sec-Fetch-Site', 'same-site']]],
  ['the token, and a foreign Origin', (scene) => [csrfOf(scene, 'admin'), ['Origin', 'https://evil.example']]],
  ['the Origin null', () => [['Origin', 'null']]],
  ['an Origin of this machine', () => [['Origin', 'http://localhost:3000']]],
  ['a type that a form can send', () => [['Content-Type', 'text/plain']]],
  ['a form', () => [['Content-Type', 'application/x-www-form-urlencoded']]],
  ['a method that hides another', () => [['X-HTTP-Method-Override', 'GET']]],
  ['another header that looks like it', (scene) => [['X-Csrf-Token', kept(scene, 'admin csrf')]]],
  ['the token as a cookie', (scene) => [['Cookie', `x-sluice-csrf=${kept(scene, 'admin csrf')}`]]],
];
const forging = crossSite.flatMap(([name, more]) => [
  attack(
    `calls a tool with a cookie and ${name}`,
    withAuth,
    (scene, tag) => invoking(tag, [cookieOf(scene, 'admin'), ...more(scene)]),
    inside,
  ),
  attack(
    `makes a key with a cookie and ${name}`,
    withAuth,
    (scene, tag) => ({
      path: '/api/v1/keys',
      headers: [cookieOf(scene, 'admin'), ...more(scene)],
      body: JSON.stringify({ name: tag, scopes: ['admin'] }),
    }),
    either(succeeds, shows('slc_')),
  ),
  attack(
    `signs out with a cookie and ${name}`,
    withAuth,
    (scene) => ({ method: 'DELETE', path: SESSION, headers: [cookieOf(scene, 'admin'), ...more(scene)] }),
    succeeds,
  ),
]);
const inUrl = ['?x-sluice-csrf=', '?csrf=', '?_method=GET&csrf='].map((query) =>
  attack(
    `calls a tool with the token in the URL: ${query}`,
    withAuth,
    (scene, tag) =>
      invoking(tag, [cookieOf(scene, 'admin')], { path: `/api/v1/mcp/invoke${query}${kept(scene, 'admin csrf')}` }),
    inside,
  ),
);

/** Cookies count for the API only. */
const elsewhere = [
  '/mcp',
  '/mcp/ops',
  '/message',
  '/messages',
  '/sse',
  '/api/v1/../../mcp',
  '/api/v1/%2e%2e/%2e%2e/mcp',
  '/api/v1/..%2f..%2fmcp',
  '//api/v1/../../mcp',
  '/API/V1/../../mcp',
  '/mcp?/api/v1/session',
  '/mcp#/api/v1/session',
].map((path) =>
  attack(
    `calls ${path} with a session`,
    withAuth,
    (scene, tag) => ({
      path,
      headers: [...signedIn(scene, 'admin'), ['Accept', 'application/json, text/event-stream']],
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'open__slow', arguments: { ms: 0, tag } },
      }),
    }),
    inside,
  ),
);
const streams = ['/sse', '/mcp', '/metrics', '/api/v1/../../metrics', '/api/v1/../../sse'].map((path) =>
  attack(
    `opens ${path} with a session`,
    withAuth,
    (scene) => ({
      method: 'GET',
      path,
      headers: [...signedIn(scene, 'admin'), ['Accept', 'text/event-stream']],
      until: /sessionId=/,
      patience: 2000,
    }),
    either(inside, shows('sessionId=')),
  ),
);

/** A session may do what its credential may, and no more. */
const limited = [
  attack(
    'a narrow session lists tools of others',
    withAuth,
    (scene) => ({ method: 'GET', path: '/api/v1/mcp/tools', headers: signedIn(scene, 'narrow') }),
    shows('vault__'),
  ),
  attack(
    'a narrow session calls a tool of others',
    withAuth,
    (scene, tag) =>
      invoking(tag, signedIn(scene, 'narrow'), { body: JSON.stringify({ name: 'vault__secret', arguments: { tag } }) }),
    either(reachedOrAnswered, leaks),
  ),
  attack(
    'a narrow session uses the token of an admin',
    withAuth,
    (scene, tag) => invoking(tag, [cookieOf(scene, 'narrow'), csrfOf(scene, 'admin')]),
    inside,
  ),
  attack('a read-only session changes something', withAuth, (scene, tag) =>
    invoking(tag, signedIn(scene, 'readOnly'), {
      body: JSON.stringify({ name: 'open__write_note', arguments: { tag } }),
    }),
  ),
  ...(['owner', 'narrow', 'readOnly', 'health'] as const).flatMap((who) => [
    attack(
      `${who} reads the keys`,
      withAuth,
      (scene) => ({ method: 'GET', path: '/api/v1/keys', headers: signedIn(scene, who) }),
      either(succeeds, shows('"keys":[')),
    ),
    attack(
      `${who} reads the clients`,
      withAuth,
      (scene) => ({ method: 'GET', path: '/api/v1/clients', headers: signedIn(scene, who) }),
      succeeds,
    ),
    attack(
      `${who} makes an admin's key`,
      withAuth,
      (scene, tag) => ({
        path: '/api/v1/keys',
        headers: signedIn(scene, who),
        body: JSON.stringify({ name: tag, scopes: ['admin'] }),
      }),
      either(succeeds, shows('slc_')),
    ),
  ]),
];

/** The routes behind the pages, by the scope that they need: whoever lacks it gets nothing, with a key or in a session. */
const OTHERS = ['owner', 'reader', 'narrow', 'readOnly', 'source'] as const;
const routes: readonly [path: string, lacking: readonly Who[]][] = [
  ...['keys', 'clients', 'configuration'].map((path): [string, readonly Who[]] => [
    path,
    [...OTHERS, 'health', 'narrowHealth'],
  ]),
  ...['servers', 'servers/vault', 'usage', 'calls/minutes', 'events', 'events/1', 'status'].map(
    (path): [string, readonly Who[]] => [path, OTHERS],
  ),
  ...['waiting', 'modules', 'mcp/sources', 'mcp/tools?detail=brief', 'mcp/tools?wish=secret'].map(
    (path): [string, readonly Who[]] => [path, ['health']],
  ),
  ...[
    'graph-entities graph-search?query=a graph-entity?name=a graph-neighbours?name=a graph-stats',
    'memories memories/1 memories/1/near memory-state memory-namespaces',
    'blueprint-definitions blueprints/a/definition blueprint-runs/a/timeline blueprint-runs/a/steps/b',
    'n8n/backups n8n/version-diff?before=a&after=b n8n/whole-backup?backup=a',
    'n8n/default/workflows/1/drawing n8n/default/executions/1/drawing',
  ]
    .flatMap((paths) => paths.split(' '))
    .map((path): [string, readonly Who[]] => [path, ['health', 'source', 'narrow']]),
];
const lacking = routes.flatMap(([path, who]) => [
  attack(`nobody reads ${path}`, withAuth, () => ({ method: 'GET', path: `/api/v1/${path}` }), either(succeeds, leaks)),
  ...who.flatMap((one) =>
    [(scene: Scene) => scene.as(one), (scene: Scene) => [cookieOf(scene, one)]].map((headers, index) =>
      attack(
        `${one} reads ${path}${index === 0 ? '' : ' in a session'}`,
        withAuth,
        (scene) => ({ method: 'GET', path: `/api/v1/${path}`, headers: headers(scene) }),
        either(succeeds, leaks),
      ),
    ),
  ),
]);

/** Whoever is limited to some tools learns nothing of other servers and callers. */
const ofOthers: Oracle = either(leaks, shows(/vault__\w+/, /"(?:name|source)":"vault"/, /"text":"to the vault/));
const hidden = [
  'servers',
  'servers/vault',
  'usage',
  'usage?by=principal',
  'calls/minutes',
  'status',
  'waiting',
  'mcp/sources',
  'mcp/tools?detail=brief',
  'mcp/tools?wish=secret',
  'events',
  'session',
].flatMap((path) =>
  (['narrow', 'narrowHealth'] as const).map((who) =>
    attack(
      `${who} looks for others in ${path}`,
      withKeys,
      (scene) => ({ method: 'GET', path: `/api/v1/${path}`, headers: [cookieOf(scene, who)] }),
      ofOthers,
    ),
  ),
);

/** Secrets of the file. */
const secrets = attack(
  'an admin reads secrets in the configuration',
  everyMode,
  (scene) => ({
    method: 'GET',
    path: '/api/v1/configuration',
    headers: scene.mode === 'none' ? [] : signedIn(scene, 'admin'),
  }),
  (reply, scene, tag) => {
    const { header, env } = scene.around.canaries;
    return shows(header, env, OWNER_PASSWORD)(reply, scene, tag);
  },
);

/** Without authentication: what pages of other addresses make a browser send. */
const otherPages: readonly [string, Headers][] = [
  [
    'another port',
    [
      ['Sec-Fetch-Site', 'same-site'],
      ['Origin', 'http://127.0.0.1:9'],
    ],
  ],
  [
    'another name of this machine',
    [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Origin', 'http://localhost:9'],
    ],
  ],
  [
    'an origin that is allowed',
    [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Origin', 'https://app.example.com'],
    ],
  ],
  [
    'a link',
    [
      ['Sec-Fetch-Site', 'cross-site'],
      ['Sec-Fetch-Mode', 'navigate'],
    ],
  ],
  [
    'a name that was bound anew',
    [
      ['Sec-Fetch-Site', 'same-origin'],
      ['Host', 'evil.example:3500'],
    ],
  ],
  ['a foreign Origin', [['Origin', 'https://evil.example']]],
  ['a file', [['Origin', 'null']]],
];
const administering = otherPages.flatMap(([name, headers]) => [
  ...['keys', 'clients', 'configuration'].map((path) =>
    attack(
      `a page of ${name} reads the ${path}`,
      ['none'],
      () => ({ method: 'GET', path: `/api/v1/${path}`, headers }),
      succeeds,
    ),
  ),
  attack(
    `a page of ${name} makes a key`,
    ['none'],
    (_, tag) => ({ path: '/api/v1/keys', headers, body: JSON.stringify({ name: tag, scopes: ['admin'] }) }),
    either(succeeds, shows('slc_')),
  ),
  attack(
    `a page of ${name} revokes a key`,
    ['none'],
    () => ({ method: 'DELETE', path: '/api/v1/keys/x', headers }),
    ({ status }) => (status < 300 || status === 404 ? `${status}` : undefined),
  ),
]);

/** Signing in without a credential, or for somebody else. */
const signingIn: [string, (scene: Scene) => Wire][] = [
  ['without anything', () => ({ path: SESSION })],
  ['with an empty body', () => ({ path: SESSION, body: '{}' })],
  ['with an empty password', () => ({ path: SESSION, body: '{"password":""}' })],
  ['with a password that is a list', () => ({ path: SESSION, body: '{"password":["x"]}' })],
  ['with a password that is true', () => ({ path: SESSION, body: '{"password":true}' })],
  ['with a wrong password', () => ({ path: SESSION, body: '{"password":"correct horse battery"}' })],
  [
    'with the key in the body',
    (scene) => ({ path: SESSION, body: JSON.stringify({ key: scene.credential('admin') }) }),
  ],
  ['with the key in the URL', (scene) => ({ path: `${SESSION}?key=${scene.credential('admin')}` })],
  ['as whoever it says', () => ({ path: SESSION, body: '{"owner":"x","id":"x","principal":"local","scopes":"all"}' })],
  ['with a session of before', (scene) => ({ path: SESSION, headers: signedIn(scene, 'admin') })],
  [
    'from another site',
    (scene) => ({ path: SESSION, headers: [...scene.as('admin'), ['Sec-Fetch-Site', 'cross-site']] }),
  ],
  [
    'from a foreign Origin',
    (scene) => ({ path: SESSION, headers: [...scene.as('admin'), ['Origin', 'https://evil.example']] }),
  ],
  ['with two credentials', (scene) => ({ path: SESSION, headers: [...scene.as('admin'), ['X-API-Key', 'slc_other']] })],
  ['with a credential twice', (scene) => ({ path: SESSION, headers: [...scene.as('admin'), ...scene.as('owner')] })],
  [
    'with Basic',
    (scene) => ({ path: SESSION, headers: [['Authorization', `Basic ${btoa(`admin:${scene.credential('admin')}`)}`]] }),
  ],
  ['with a GET', (scene) => ({ method: 'GET', path: SESSION, headers: scene.as('admin') })],
];
const begun = signingIn.map(([name, wire]) => attack(`signs in ${name}`, withAuth, wire, gotSession));

/** Too much, and too deep. */
const large: [string, Wire][] = [
  ['a password of 1 MB', { path: SESSION, body: JSON.stringify({ password: 'x'.repeat(1_000_000) }) }],
  ['20 MB', { path: SESSION, body: ' '.repeat(20_000_000) }],
  ['100,000 nested lists', { path: SESSION, body: `{"password":${'['.repeat(100_000)}${']'.repeat(100_000)}}` }],
  ['a body that never ends', { path: SESSION, body: '{"password":"', length: '99999999', patience: 1500 }],
  ['a cookie of 60 kB', { method: 'GET', path: SESSION, headers: [['Cookie', `a=${'x'.repeat(60_000)}`]] }],
];
const tooLarge = large.map(([name, wire]) =>
  attack(
    `sends ${name} to the session`,
    withAuth,
    () => wire,
    either(gotSession, ({ status }) => (status >= 500 ? `${status}` : undefined), shows('"signedIn":true')),
  ),
);

/** What is not an asset. */
const files = shows(
  '"dependencies"',
  '"preload"',
  'root:x:',
  'mcpServers',
  'SQLite format',
  'sourcesContent',
  'import ',
);
const climbing = [
  'manifest.json',
  '../manifest.json',
  '..%2fmanifest.json',
  '..%2f..%2f..%2fpackage.json',
  '%2e%2e/%2e%2e/%2e%2e/package.json',
  '..%252f..%252fpackage.json',
  '....//....//package.json',
  '..%5c..%5cpackage.json',
  '..\\..\\package.json',
  '%2fetc%2fpasswd',
  '/etc/passwd',
  'file:%2f%2f%2fetc%2fpasswd',
  'icon.svg%00.js',
  'icon.svg/../../../package.json',
  '__proto__',
  'constructor',
  '.',
  '..',
  '%2e',
  '.env',
  'console.js.map',
  'icon.svg?../../package.json#',
  'a'.repeat(5000),
].map((name) =>
  attack(
    `asks for the asset ${name.slice(0, 40)}`,
    everyMode,
    () => ({ method: 'GET', path: `/console/assets/${name}`, headers: [] }),
    files,
  ),
);

/** Whether another page may show this one, or read it. */
const shownElsewhere: Oracle = ({ status, headers }) => {
  if (status !== 200) return undefined;
  if (headers.get('access-control-allow-credentials')) return 'other pages may read it with cookies';
  if (!headers.get('content-security-policy')?.includes("frame-ancestors 'none'")) return 'the policy allows frames';
  return headers.get('x-frame-options') === 'DENY' ? undefined : 'frames are not denied';
};
const scripted: Oracle = either(shows('<script>alert', 'onerror=', 'javascript:', 'evil.example'), ({ headers }) => {
  const policy = headers.get('content-security-policy');
  return policy !== undefined && /unsafe|\*/.test(policy) ? `the policy is ${policy}` : undefined;
});
const shells = [
  '/',
  '/console',
  '/console/',
  '/console/keys',
  '/console/a/b/c',
  '/console/%3Cscript%3Ealert(1)%3C/script%3E',
  '/console/%22%3E%3Cimg%20src=x%20onerror=alert(1)%3E',
  '/console/?next=https://evil.example',
  '/console//evil.example/',
  '/console/javascript:alert(1)',
  '/console/..%2f..%2fevil.example',
].flatMap((path) =>
  [shownElsewhere, scripted].map((oracle, index) =>
    attack(
      `${index === 0 ? 'frames' : 'scripts'} ${path}`,
      everyMode,
      () => ({ method: 'GET', path, headers: [['Accept', 'text/html']] }),
      oracle,
    ),
  ),
);

/** Lines that would become headers of the answer. */
const injected: Oracle = ({ text, headers }) =>
  headers.has('x-evil') || /\r\nx-evil/i.test(text) ? 'a header was added' : undefined;
const lines = ['%0d%0aX-Evil: 1', '%0aX-Evil:1', '\u560d\u560aX-Evil:1', '%E5%98%8D%E5%98%8AX-Evil:1'];
const injecting = lines.flatMap((line) => {
  const latin = Buffer.from(line, 'utf8').toString('latin1');
  return [
    attack(
      `adds a header by the path: ${line}`,
      everyMode,
      () => ({ method: 'GET', path: `/console/${encodeURI(line)}` }),
      injected,
    ),
    attack(
      `adds a header by an asset: ${line}`,
      everyMode,
      () => ({ method: 'GET', path: `/console/assets/${encodeURI(line)}` }),
      injected,
    ),
    attack(
      `adds a header by a cookie: ${line}`,
      withAuth,
      (scene) => ({ method: 'GET', path: SESSION, headers: [['Cookie', `${nameIn(scene)}=${latin}`]] }),
      injected,
    ),
    attack(
      `adds a header by the Origin of a sign-in: ${line}`,
      withAuth,
      (scene) => ({ path: SESSION, headers: [...scene.as('admin'), ['Origin', `http://localhost${latin}`]] }),
      injected,
    ),
  ];
});

/** Where one is sent after signing in elsewhere, and sessions that such an answer begins. */
const sentAway: Oracle = ({ headers }, { url }) => {
  const location = headers.get('location');
  return location !== undefined && new URL(location, `${url}/api/v1/x`).origin !== url
    ? `it leads to ${location}`
    : undefined;
};
const leaving = [
  'https://evil.example',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  'console/../../../../evil',
  'console@evil.example',
  'console\r\nX-Evil: 1',
  'javascript:alert(1)',
  'console?<script>alert(1)</script>',
  `console/${'a'.repeat(5000)}`,
].flatMap((to) =>
  ['sign-in', 'signed-in'].map((path) =>
    attack(
      `leaves by ${path} for ${to.slice(0, 40)}`,
      everyMode,
      (scene) => ({
        method: 'GET',
        path: `/api/v1/${path}?to=${encodeURIComponent(to)}&code=x&state=x`,
        headers: [['Cookie', `${nameIn(scene)}_away=${valueOf(kept(scene, 'admin cookie'))}`]],
      }),
      either(sentAway, injected, gotSession),
    ),
  ),
);

const controls = [
  attack(
    'an admin reads the keys',
    withAuth,
    (scene) => ({ method: 'GET', path: '/api/v1/keys', headers: signedIn(scene, 'admin') }),
    inside,
  ),
  attack('an admin calls a tool', withAuth, (scene, tag) => invoking(tag, signedIn(scene, 'admin')), inside),
  attack(
    'an owner lists all tools',
    withAuth,
    (scene) => ({ method: 'GET', path: '/api/v1/mcp/tools', headers: signedIn(scene, 'owner') }),
    shows('vault__'),
  ),
  attack(
    'an admin makes a key',
    withAuth,
    (scene, tag) => ({ path: '/api/v1/keys', headers: signedIn(scene, 'admin'), body: JSON.stringify({ name: tag }) }),
    shows('slc_'),
  ),
  attack(
    'an admin reads every tool and server',
    withAuth,
    (scene) => ({ method: 'GET', path: '/api/v1/mcp/sources', headers: signedIn(scene, 'admin') }),
    ofOthers,
  ),
  attack(
    "the console's own page makes a key",
    ['none'],
    (_, tag) => ({
      path: '/api/v1/keys',
      headers: [['Sec-Fetch-Site', 'same-origin']],
      body: JSON.stringify({ name: tag, scopes: ['admin'] }),
    }),
    shows('slc_'),
  ),
  attack('somebody signs in', withAuth, (scene) => ({ path: SESSION, headers: scene.as('owner') }), gotSession),
  attack(
    'a page without a policy may be framed',
    everyMode,
    () => ({ method: 'GET', path: '/openapi.json' }),
    shownElsewhere,
  ),
];

export const consoleClass: AttackClass = {
  name: 'console',
  title: 'Sessions of the console, its pages and its files',
  prepare,
  attacks: [
    ...forged,
    ...changing,
    ...revoked,
    ...forging,
    ...inUrl,
    ...elsewhere,
    ...streams,
    ...limited,
    ...lacking,
    ...hidden,
    secrets,
    ...administering,
    ...begun,
    ...tooLarge,
    ...climbing,
    ...shells,
    ...injecting,
    ...leaving,
  ],
  controls,
};
