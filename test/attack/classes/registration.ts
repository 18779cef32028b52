import { pkce } from '../../support/oauth-requests.ts';
import {
  attack,
  type AttackClass,
  either,
  type Oracle,
  rpc,
  type Scene,
  shows,
  type Wire,
  withTokens,
} from '../attack.ts';
import { authorization, CALLBACK, consent, formToken, knownClient, newClient, newCode, newTokens } from '../sign-in.ts';

const registering = (metadata: object | string): Wire => ({
  path: '/oauth/register',
  body: typeof metadata === 'string' ? metadata : JSON.stringify(metadata),
});
const registered: Oracle = ({ status, body }) =>
  status === 201 ? `it was registered: ${body.slice(0, 200)}` : undefined;

const redirects = [
  'javascript:alert(1)',
  'JavaScript:alert(1)//',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'file:///etc/passwd',
  'about:blank',
  'blob:https://app.example/x',
  'http://evil.example/callback',
  'https://app.example/callback#fragment',
  'https://app.example/#',
  '//evil.example/callback',
  '/callback',
  'callback',
  '',
  'https://',
  '*',
].map((uri) =>
  attack(
    `registers ${JSON.stringify(uri)}`,
    withTokens,
    () => registering({ redirect_uris: [uri], token_endpoint_auth_method: 'none' }),
    registered,
  ),
);

const odd: [string, object | string][] = [
  ['no redirect', { client_name: 'x' }],
  ['redirects that are a text', { redirect_uris: CALLBACK }],
  ['redirects that are objects', { redirect_uris: [{ toString: CALLBACK }] }],
  ['one redirect that is wrong', { redirect_uris: [CALLBACK, 'javascript:alert(1)'] }],
  ['no JSON', '{'],
  ['a list', '[]'],
  ['a client of 1 MB', { redirect_uris: [CALLBACK], client_name: 'x'.repeat(1_000_000) }],
  ['10,000 redirects', { redirect_uris: Array.from({ length: 10_000 }, (_, n) => `https://app.example/${n}`) }],
  ['200,000 nested lists', `{"redirect_uris":${'['.repeat(200_000)}${']'.repeat(200_000)}}`],
];
const oddly = odd.map(([name, metadata]) =>
  attack(`registers ${name}`, withTokens, () => registering(metadata), registered),
);

/** A client's description of itself grants it nothing. */
const claims: [string, object, RegExp][] = [
  ['an id of its own', { client_id: 'mine' }, /"client_id":"mine"/],
  ['the implicit flow', { response_types: ['token'], grant_types: ['implicit'] }, /"implicit"|"token"\]/],
  ['a password flow', { grant_types: ['password', 'client_credentials'] }, /"password"|"client_credentials"/],
  ['a scope', { scope: 'admin' }, /"scope":"[^"]*admin/],
  ['that it needs no PKCE', { require_pkce: false, 'sluice/trusted': true }, /require_pkce|trusted/],
];
const claimed = claims.map(([name, more, granted]) =>
  attack(
    `registers ${name}`,
    withTokens,
    () => registering({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none', ...more }),
    shows(granted),
  ),
);

const fieldsOf = (scene: Scene, client: string, more: Record<string, string>) =>
  authorization(scene, { client_id: client, redirect_uri: CALLBACK, code_challenge: pkce().challenge, ...more });

/** The sign-in page is shown, or the browser is sent to an unregistered address. */
const goesOn: Oracle = ({ status, headers, body }, { url }) => {
  const location = headers.get('location') ?? '';
  if (
    location !== '' &&
    !location.startsWith('/') &&
    !/^https:\/\/app\.example\/callback[?#]/.test(location) &&
    !location.startsWith(url)
  )
    return `the browser is sent to ${location}`;
  if (/[?&]code=/.test(location)) return `a code was given: ${location}`;
  if (location.includes('/oauth/interaction/')) return 'the owner is asked to sign in for it';
  return status === 200 && body.includes('name="password"') ? 'the owner is asked to sign in for it' : undefined;
};

const asked: [string, Record<string, string>][] = [
  ['another redirect', { redirect_uri: 'https://evil.example/callback' }],
  ['a redirect below', { redirect_uri: `${CALLBACK}/evil` }],
  ['a redirect above', { redirect_uri: 'https://app.example/callback/../evil' }],
  ['a redirect with a query', { redirect_uri: `${CALLBACK}?x=evil` }],
  ['a redirect with a fragment', { redirect_uri: `${CALLBACK}#evil` }],
  ['a redirect at another port', { redirect_uri: 'https://app.example:8443/callback' }],
  ['a redirect in capitals', { redirect_uri: 'https://APP.EXAMPLE/callback' }],
  ['a redirect with a user', { redirect_uri: 'https://app.example@evil.example/callback' }],
  ['a redirect without TLS', { redirect_uri: 'http://app.example/callback' }],
  ['a redirect with a backslash', { redirect_uri: 'https://app.example\\@evil.example/callback' }],
  ['a redirect that is a script', { redirect_uri: 'javascript:alert(1)' }],
  ['no PKCE', { code_challenge: '', code_challenge_method: '' }],
  ['plain PKCE', { code_challenge_method: 'plain' }],
  ['PKCE of no method', { code_challenge_method: '' }],
  ['PKCE that is too short', { code_challenge: 'x' }],
  ['the implicit flow', { response_type: 'token' }],
  ['a hybrid flow', { response_type: 'code token' }],
  ['an ID token', { response_type: 'id_token' }],
  ['no response', { response_type: 'none' }],
  ['an unknown client', { client_id: 'nobody' }],
  ['a client that is __proto__', { client_id: '__proto__' }],
  ['a resource of another', { resource: 'https://evil.example/mcp' }],
  ['a resource that begins like ours', { resource: 'http://127.0.0.1.evil.example/mcp' }],
  ['a request object', { request: 'eyJhbGciOiJub25lIn0.eyJyZWRpcmVjdF91cmkiOiJodHRwczovL2V2aWwuZXhhbXBsZSJ9.' }],
  ['a request by reference', { request_uri: 'https://evil.example/request' }],
  ['nobody to be asked', { prompt: 'none' }],
];
const authorizing = asked.map(([name, more]) =>
  attack(
    `asks for authorization with ${name}`,
    withTokens,
    async (scene) => ({
      method: 'GET',
      path: fieldsOf(scene, await knownClient(scene), more),
      headers: [['Accept', 'text/html']],
    }),
    goesOn,
  ),
);

const form = (
  path: string,
  fields: Record<string, string>,
  headers: readonly (readonly [string, string])[] = [],
): Wire => ({
  path,
  headers: [['Content-Type', 'application/x-www-form-urlencoded'], ...headers],
  body: new URLSearchParams(fields).toString(),
});

/** A token was issued. */
const issued: Oracle = ({ status, body }) =>
  status === 200 && body.includes('access_token') ? 'a token was given out' : undefined;

const codes: [string, Record<string, string>][] = [
  ['with another verifier', { code_verifier: pkce().verifier }],
  ['without a verifier', { code_verifier: '' }],
  ['with the challenge as verifier', { code_verifier: 'challenge' }],
  ['for another redirect', { redirect_uri: 'https://evil.example/callback' }],
  ['for another resource', { resource: 'https://evil.example/mcp' }],
  ['as an unknown client', { client_id: 'nobody' }],
  ['as no client', { client_id: '' }],
  ['cut short', { code: 'x' }],
  ['as another grant', { grant_type: 'refresh_token' }],
];
const exchanging = [
  ...codes.map(([name, change]) =>
    attack(
      `exchanges a code ${name}`,
      withTokens,
      async (scene) => form('/oauth/token', { ...(await newCode(scene)), ...change }),
      issued,
    ),
  ),
  attack(
    'exchanges a code a second time',
    withTokens,
    async (scene) => {
      const fields = await newCode(scene);
      await scene.send(form('/oauth/token', fields));
      return form('/oauth/token', fields);
    },
    issued,
  ),
  attack(
    'exchanges the code of another client',
    withTokens,
    async (scene) => form('/oauth/token', { ...(await newCode(scene)), client_id: await newClient(scene) }),
    issued,
  ),
  attack(
    'uses what a code gave that was sent twice',
    withTokens,
    async (scene) => {
      const fields = await newCode(scene);
      const first = await scene.send(form('/oauth/token', fields));
      await scene.send(form('/oauth/token', fields));
      const { access_token: access = '' } = JSON.parse(first.body) as { access_token?: string };
      return { headers: [['Authorization', `Bearer ${access}`]], body: rpc('tools/list') };
    },
    shows('open__'),
  ),
  attack(
    'renews with a token that was renewed',
    withTokens,
    async (scene) => {
      const { refresh, client } = await newTokens(scene);
      const fields = { grant_type: 'refresh_token', client_id: client, refresh_token: refresh };
      await scene.send(form('/oauth/token', fields));
      return form('/oauth/token', fields);
    },
    issued,
  ),
  attack(
    'renews as another client',
    withTokens,
    async (scene) => {
      const { refresh } = await newTokens(scene);
      return form('/oauth/token', {
        grant_type: 'refresh_token',
        client_id: await newClient(scene),
        refresh_token: refresh,
      });
    },
    issued,
  ),
  attack(
    'uses a refresh token as an access token',
    withTokens,
    async (scene) => ({
      headers: [['Authorization', `Bearer ${(await newTokens(scene)).refresh}`]],
      body: rpc('tools/list'),
    }),
    shows('open__'),
  ),
  ...[
    'password',
    'client_credentials',
    'implicit',
    'urn:ietf:params:oauth:grant-type:device_code',
    'urn:ietf:params:oauth:grant-type:jwt-bearer',
    'urn:ietf:params:oauth:grant-type:token-exchange',
    '__proto__',
    '',
  ].map((grant) =>
    attack(
      `asks for a token by ${grant || 'nothing'}`,
      withTokens,
      async (scene) =>
        form('/oauth/token', {
          grant_type: grant,
          client_id: await knownClient(scene),
          username: 'owner',
          password: 'correct horse battery staple',
          scope: 'admin',
        }),
      issued,
    ),
  ),
];

/** The form went through: a code, or another step towards it. */
const agreed: Oracle = ({ status, headers }) => {
  const location = headers.get('location');
  return status >= 300 && status < 400 && location !== undefined ? `it was taken: ${location}` : undefined;
};

interface Posting {
  readonly fields?: Record<string, string>;
  readonly headers?: readonly (readonly [string, string])[];
  readonly noCookie?: boolean;
  readonly type?: string;
}
const forms: [string, Posting][] = [
  ['without its token', { fields: { token: '' } }],
  ['with a token made up', { fields: { token: 'x'.repeat(43) } }],
  ['from another site', { headers: [['Origin', 'https://evil.example']] }],
  ['from no site', { headers: [['Origin', 'null']] }],
  ['that a browser says is cross-site', { headers: [['Sec-Fetch-Site', 'cross-site']] }],
  ['that a browser says is of the same site', { headers: [['Sec-Fetch-Site', 'same-site']] }],
  ['without cookies', { noCookie: true }],
  ['as plain text', { type: 'text/plain' }],
  ['as JSON', { type: 'application/json' }],
];
const consenting = [
  ...forms.map(([name, { fields = {}, headers = [], noCookie = false, type }]) =>
    attack(
      `a form of consent ${name}`,
      withTokens,
      async (scene) => {
        const { page, cookie } = await consent(scene);
        const wire = form(
          new URL(page.url).pathname,
          { token: formToken(page), do: 'allow', scope: 'tools:read', ...fields },
          [...(noCookie ? [] : [['Cookie', cookie] as const]), ...headers],
        );
        if (type === undefined || 'bytes' in wire) return wire;
        return {
          ...wire,
          headers: (wire.headers ?? []).map(([key, value]) => [key, key === 'Content-Type' ? type : value] as const),
        };
      },
      agreed,
    ),
  ),
  attack(
    'a form of consent with the token of another',
    withTokens,
    async (scene) => {
      const [mine, other] = await Promise.all([consent(scene), consent(scene)]);
      return form(new URL(mine.page.url).pathname, { token: formToken(other.page), do: 'allow', scope: 'tools:read' }, [
        ['Cookie', mine.cookie],
      ]);
    },
    agreed,
  ),
  attack(
    'a consent by GET',
    withTokens,
    async (scene) => {
      const { page, cookie } = await consent(scene);
      const query = new URLSearchParams({ token: formToken(page), do: 'allow', scope: 'tools:read' });
      return {
        method: 'GET',
        path: `${new URL(page.url).pathname}?${query.toString()}`,
        headers: [['Cookie', cookie]],
      };
    },
    agreed,
  ),
  attack(
    'a consent that is sent to the page of signing in',
    withTokens,
    async (scene) => {
      const { page, cookie } = await consent(scene);
      return form(new URL(page.url).pathname, { token: formToken(page), do: 'login', password: '' }, [
        ['Cookie', cookie],
      ]);
    },
    agreed,
  ),
  ...['wrong', '', 'owner', "' OR 1=1 --"].map((password) =>
    attack(
      `signs in with the password ${JSON.stringify(password)}`,
      withTokens,
      async (scene) => {
        const opened = await scene.send({
          method: 'GET',
          path: fieldsOf(scene, await knownClient(scene), {}),
          headers: [['Accept', 'text/html']],
        });
        const cookie = (opened.headers.get('set-cookie') ?? '')
          .split('\n')
          .map((line) => line.split(';')[0])
          .join('; ');
        const path = opened.headers.get('location') ?? '/';
        const page = await scene.send({ method: 'GET', path, headers: [['Cookie', cookie]] });
        const token = /name="token" value="([^"]*)"/.exec(page.body)?.[1] ?? '';
        return form(path, { token, do: 'login', password }, [['Cookie', cookie]]);
      },
      agreed,
    ),
  ),
];

/** No page is framed, runs scripts, or is cached. */
const exposed: Oracle = ({ headers, body }) => {
  const script = /<(?:script|img|svg|iframe)[^<]{0,60}|<[^>]+\s(?:on\w+=|href="javascript:)[^>]*>/i.exec(body)?.[0];
  if (script !== undefined) return `it carries a script: ${script}`;
  const policy = headers.get('content-security-policy') ?? '';
  if (!policy.includes("frame-ancestors 'none'") || headers.get('x-frame-options') !== 'DENY')
    return 'it can be framed';
  if (!policy.includes("default-src 'none'")) return 'it can run scripts';
  return headers.get('cache-control')?.includes('no-store') ? undefined : 'it can be kept';
};

const names = [
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  "'-alert(1)-'",
  '</title><script>alert(1)</script>',
  'javascript:alert(1)',
];
const pages = [
  ...names.slice(0, 4).map((name) =>
    attack(
      `a client named ${name}`,
      withTokens,
      async (scene) => {
        const client = await newClient(scene, { client_name: name });
        const opened = await scene.send({
          method: 'GET',
          path: fieldsOf(scene, client, {}),
          headers: [['Accept', 'text/html']],
        });
        const cookie = (opened.headers.get('set-cookie') ?? '')
          .split('\n')
          .map((line) => line.split(';')[0])
          .join('; ');
        return { method: 'GET', path: opened.headers.get('location') ?? '/', headers: [['Cookie', cookie]] };
      },
      exposed,
    ),
  ),
  ...[
    'error=<script>alert(1)</script>',
    'client_id=<script>alert(1)</script>',
    'redirect_uri=javascript:alert(1)&client_id=x',
  ].map((query) =>
    attack(
      `an error page with ${query}`,
      withTokens,
      () => ({ method: 'GET', path: `/oauth/authorize?${encodeURI(query)}`, headers: [['Accept', 'text/html']] }),
      exposed,
    ),
  ),
  attack(
    'the page of consent',
    withTokens,
    async (scene) => {
      const { page, cookie } = await consent(scene);
      return { method: 'GET', path: new URL(page.url).pathname, headers: [['Cookie', cookie]] };
    },
    exposed,
  ),
  attack('a page that has expired', withTokens, () => ({ method: 'GET', path: '/oauth/interaction/nothing' }), exposed),
];

const elsewhere = [
  '/oauth/session/end?post_logout_redirect_uri=https://evil.example',
  '/oauth/session/end?id_token_hint=x&post_logout_redirect_uri=https://evil.example',
  '/oauth/authorize?redirect_uri=https://evil.example',
  '/oauth/authorize/x?returnTo=https://evil.example',
  '//evil.example/oauth/authorize',
  '/oauth/authorize?response_mode=form_post&redirect_uri=https://evil.example&client_id=x',
  '/login?next=https://evil.example',
  '/login/callback?state=x&redirect=https://evil.example&code=x',
  '/?redirect=https://evil.example',
].map((path) =>
  attack(
    `a redirect elsewhere: ${path}`,
    withTokens,
    () => ({ method: 'GET', path, headers: [['Accept', 'text/html']] }),
    ({ headers, body }) => {
      const to = headers.get('location') ?? '';
      if (/^(?:https?:)?\/\/evil/.test(to)) return `the browser is sent to ${to}`;
      return /<form[^>]+action="https:\/\/evil/.test(body) ? 'a form leads there' : undefined;
    },
  ),
);

const endpoints = [
  attack(
    'the private keys',
    withTokens,
    () => ({ method: 'GET', path: '/oauth/jwks' }),
    shows(/"(?:d|p|q|dp|dq|qi)":/),
  ),
  ...[
    '/oauth/introspect',
    '/oauth/token/introspection',
    '/oauth/userinfo',
    '/oauth/me',
    '/oauth/par',
    '/oauth/request',
    '/oauth/device',
    '/oauth/device/auth',
    '/oauth/ciba',
  ].map((path) =>
    attack(
      `there is no ${path}`,
      withTokens,
      async (scene) => form(path, { token: (await newTokens(scene)).access, client_id: await knownClient(scene) }),
      either(shows('"active":true', 'device_code', '"sub"'), issued),
    ),
  ),
  attack(
    'what was registered, by its id',
    withTokens,
    async (scene) => ({ method: 'GET', path: `/oauth/register/${await knownClient(scene)}` }),
    shows('redirect_uris'),
  ),
  attack(
    'the end of what was registered, by its id',
    withTokens,
    async (scene) => ({ method: 'DELETE', path: `/oauth/register/${await newClient(scene)}` }),
    ({ status }) => (status >= 200 && status < 300 ? `it was done: ${status}` : undefined),
  ),
  attack(
    'the revocation of what is another client’s',
    withTokens,
    async (scene) => {
      const { refresh, client } = await newTokens(scene);
      scene.kept.set('refresh', refresh);
      await scene.send(form('/oauth/revoke', { token: refresh, client_id: await newClient(scene) }));
      return form('/oauth/token', { grant_type: 'refresh_token', client_id: client, refresh_token: refresh });
    },
    ({ status, body }) => (status === 200 ? undefined : `the token was revoked: ${body}`),
  ),
];

const FLOOD = 100;

/** Anybody may register, but must not push out clients that the owner allowed. */
const flood = [
  attack(
    'a flood of clients pushes out one that was let in',
    withTokens,
    async (scene) => {
      const { refresh, client } = await newTokens(scene);
      const metadata = { redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' };
      for (let n = 0; n < FLOOD; n++) await scene.send(registering(metadata));
      return form('/oauth/token', { grant_type: 'refresh_token', client_id: client, refresh_token: refresh });
    },
    ({ status, body }) => (status === 200 ? undefined : `it is no longer known: ${body}`),
  ),
];

export const registrationClass: AttackClass = {
  name: 'registration',
  title: 'Registration and consent',
  attacks: [
    ...redirects,
    ...oddly,
    ...claimed,
    ...authorizing,
    ...exchanging,
    ...consenting,
    ...pages,
    ...elsewhere,
    ...endpoints,
    ...flood,
  ],
  controls: [
    attack(
      'registers as it should be',
      withTokens,
      () => registering({ redirect_uris: [CALLBACK], token_endpoint_auth_method: 'none' }),
      registered,
    ),
    attack(
      'asks for authorization as it should be',
      withTokens,
      async (scene) => ({
        method: 'GET',
        path: fieldsOf(scene, await knownClient(scene), {}),
        headers: [['Accept', 'text/html']],
      }),
      goesOn,
    ),
    attack('exchanges a code', withTokens, async (scene) => form('/oauth/token', await newCode(scene)), issued),
    attack(
      'a form of consent as it should be',
      withTokens,
      async (scene) => {
        const { page, cookie } = await consent(scene);
        return form(new URL(page.url).pathname, { token: formToken(page), do: 'allow', scope: 'tools:read' }, [
          ['Cookie', cookie],
          ['Origin', scene.url],
        ]);
      },
      agreed,
    ),
    attack(
      'uses what a code gave',
      withTokens,
      async (scene) => ({
        headers: [['Authorization', `Bearer ${(await newTokens(scene)).access}`]],
        body: rpc('tools/list'),
      }),
      shows('open__'),
    ),
    attack('a page without those headers is noticed', withTokens, () => ({ method: 'GET', path: '/health' }), exposed),
  ],
};
