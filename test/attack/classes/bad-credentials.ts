import { as, attack, type AttackClass, reach, restCall, type Scene, type Wire, withAuth, withKeys } from '../attack.ts';

type Headers = readonly (readonly [string, string])[];
const bearer = (text: string): Headers => [['Authorization', `Bearer ${text}`]];
const good = (scene: Scene) => scene.credential('owner');

/** Derived from a valid credential, but invalid. */
const spoilt: [string, (credential: string) => Headers][] = [
  ['none', () => []],
  ['an empty bearer', () => [['Authorization', 'Bearer ']]],
  ['the word alone', () => [['Authorization', 'Bearer']]],
  ['an empty header', () => [['Authorization', '']]],
  ['another scheme', (text) => [['Authorization', `Token ${text}`]]],
  ['a scheme that begins like it', (text) => [['Authorization', `BearerX ${text}`]]],
  ['Basic', (text) => [['Authorization', `Basic ${Buffer.from(`x:${text}`).toString('base64')}`]]],
  ['no scheme', (text) => [['Authorization', text]]],
  ['cut short', (text) => bearer(text.slice(0, -1))],
  ['one letter more', (text) => bearer(`${text}A`)],
  ['one letter before', (text) => bearer(`A${text}`)],
  ['in capitals', (text) => bearer(text.toUpperCase())],
  ['in small letters', (text) => bearer(text.toLowerCase())],
  ['with a wildcard', (text) => bearer(`${text.slice(0, -1)}*`)],
  ['with a NUL behind', (text) => bearer(`${text}%00`)],
  ['in quotes', (text) => bearer(`"${text}"`)],
  ['with a comma', (text) => bearer(`${text},${text}`)],
  ['with a space inside', (text) => bearer(`${text.slice(0, 10)} ${text.slice(10)}`)],
  ['backwards', (text) => bearer(text.split('').toReversed().join(''))],
  ['20 kB', (text) => bearer(text + 'x'.repeat(12_000))],
  ['in a cookie', (text) => [['Cookie', `token=${text}; authorization=Bearer ${text}`]]],
  ['in another header', (text) => [['X-Auth-Token', text]]],
  ['in the header of a proxy', (text) => [['Proxy-Authorization', `Bearer ${text}`]]],
  ['as a protocol of a web socket', (text) => [['Sec-WebSocket-Protocol', `bearer, ${text}`]]],
  ['twice, the same', (text) => [...bearer(text), ...bearer(text)]],
  ['twice, the first wrong', (text) => [...bearer('wrong'), ...bearer(text)]],
  ['twice, the second wrong', (text) => [...bearer(text), ...bearer('wrong')]],
  ['beside a wrong API key', (text) => [...bearer(text), ['X-API-Key', 'wrong']]],
  ['undefined', () => bearer('undefined')],
  ['null', () => bearer('null')],
  ['[object Object]', () => bearer('[object Object]')],
  ['__proto__', () => bearer('__proto__')],
];

const atMcp = spoilt.map(([name, headers]) =>
  attack(
    `the credential ${name}`,
    withAuth,
    (scene, tag): Wire => ({ headers: headers(good(scene)), body: reach(tag) }),
  ),
);

const byRest = spoilt
  .slice(0, 12)
  .map(([name, headers]) =>
    attack(
      `the credential ${name}, by REST`,
      withAuth,
      (scene, tag): Wire => ({ ...restCall('open__slow', { ms: 0, tag }), headers: headers(good(scene)) }),
    ),
  );

const queries = ['token', 'access_token', 'api_key', 'apikey', 'key', 'authorization', 'bearer', 'x-api-key'].flatMap(
  (name) =>
    ['/mcp', '/api/v1/mcp/invoke'].map((path) =>
      attack(`the credential in the URL of ${path}, as ${name}`, withAuth, (scene, tag) => ({
        path: `${path}?${name}=${good(scene)}`,
        body: path === '/mcp' ? reach(tag) : JSON.stringify({ name: 'open__slow', arguments: { ms: 0, tag } }),
      })),
    ),
);

const bodies = [
  attack('the credential in the body, as a form has it', withAuth, (scene, tag) => ({
    body: JSON.stringify({ ...(JSON.parse(reach(tag)) as object), access_token: good(scene) }),
  })),
  attack('the credential in _meta', withAuth, (scene, tag) => ({
    body: JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: { name: 'open__slow', arguments: { ms: 0, tag }, _meta: { authorization: `Bearer ${good(scene)}` } },
    }),
  })),
  attack('the credential as user of the URL', withAuth, (scene, tag) => ({
    path: `http://${good(scene)}@127.0.0.1/mcp`,
    body: reach(tag),
  })),
];

const ended = (['revoked', 'expired'] as const).flatMap((which) => [
  attack(`a key that is ${which}`, withKeys, (scene, tag) => ({
    headers: bearer(scene.credential(which)),
    body: reach(tag),
  })),
  attack(`a key that is ${which}, as X-API-Key`, withKeys, (scene, tag) => ({
    headers: [['X-API-Key', scene.credential(which)]],
    body: reach(tag),
  })),
  attack(`a key that is ${which}, by REST`, withKeys, (scene, tag) => ({
    ...restCall('open__slow', { ms: 0, tag }),
    headers: bearer(scene.credential(which)),
  })),
]);

const mixed = [
  attack("the id of one key with another's secret", withKeys, (scene, tag) => ({
    headers: bearer(scene.credential('owner').slice(0, 15) + scene.credential('other').slice(15)),
    body: reach(tag),
  })),
  attack('the id of a key with a made-up secret', withKeys, (scene, tag) => ({
    headers: bearer(`${scene.credential('admin').slice(0, 15)}${'A'.repeat(43)}`),
    body: reach(tag),
  })),
  attack('the hash of a key', withKeys, (_, tag) => ({
    headers: bearer(`slc_0000000000_${'0'.repeat(43)}`),
    body: reach(tag),
  })),
  attack('two different keys', withKeys, (scene, tag) => ({
    headers: [...bearer(scene.credential('owner')), ['X-API-Key', scene.credential('admin')]],
    body: reach(tag),
  })),
];

export const badCredentialClass: AttackClass = {
  name: 'bad-credentials',
  title: 'Bad credentials',
  attacks: [...atMcp, ...byRest, ...queries, ...bodies, ...ended, ...mixed],
  controls: [
    attack('the credential as it is', withAuth, (scene, tag) => as(scene, 'owner', { body: reach(tag) })),
    attack('the credential as it is, by REST', withAuth, (scene, tag) =>
      as(scene, 'owner', restCall('open__slow', { ms: 0, tag })),
    ),
    attack('a key as X-API-Key', withKeys, (scene, tag) => ({
      headers: [['X-API-Key', scene.credential('owner')]],
      body: reach(tag),
    })),
  ],
};
