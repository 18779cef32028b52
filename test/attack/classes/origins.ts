import {
  as,
  attack,
  type AttackClass,
  either,
  everyMode,
  type Oracle,
  reach,
  reachedOrAnswered,
  restCall,
} from '../attack.ts';

/** A page of that origin was allowed to read the answer. */
const granted: Oracle = ({ headers }) => {
  const allowed = headers.get('access-control-allow-origin');
  return allowed === undefined || allowed === 'https://app.example.com' ? undefined : `CORS is granted to ${allowed}`;
};

const origins = [
  'https://evil.example',
  'null',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'https://app.example.com.evil.example',
  'https://app.example.com@evil.example',
  'http://app.example.com',
  'https://app.example.com:444',
  'https://APP.example.com.',
  'https://app.example.com ,https://evil.example',
  'file://',
  'chrome-extension://abcdefghijklmnop',
  'http://169.254.169.254',
  'javascript:alert(1)',
  'http://0.0.0.0',
  'http://[::ffff:127.0.0.1]',
];

const posted = origins.map((origin) =>
  attack(
    `Origin: ${origin}`,
    everyMode,
    (scene, tag) => as(scene, 'owner', { headers: [['Origin', origin]], body: reach(tag) }),
    either(reachedOrAnswered, granted),
  ),
);

const elsewhere = origins.slice(0, 5).flatMap((origin) => [
  attack(
    `Origin: ${origin}, REST`,
    everyMode,
    (scene, tag) => {
      const wire = restCall('open__slow', { ms: 0, tag });
      return as(scene, 'owner', { ...wire, headers: [['Origin', origin]] });
    },
    either(reachedOrAnswered, granted),
  ),
  attack(
    `Origin: ${origin}, asking beforehand`,
    everyMode,
    () => ({
      method: 'OPTIONS',
      headers: [
        ['Origin', origin],
        ['Access-Control-Request-Method', 'POST'],
        ['Access-Control-Request-Headers', 'authorization,content-type'],
      ],
    }),
    granted,
  ),
  attack(
    `Origin: ${origin}, the stream`,
    everyMode,
    (scene) =>
      as(scene, 'owner', {
        method: 'GET',
        path: '/sse',
        headers: [
          ['Origin', origin],
          ['Accept', 'text/event-stream'],
        ],
        until: /endpoint/,
      }),
    either(granted, ({ text }) => (text.includes('sessionId=') ? 'the stream was opened' : undefined)),
  ),
]);

/** Requests that a page can send anywhere without a preflight. */
const types = [
  'text/plain',
  'text/plain; charset=utf-8',
  'text/plain; application/json',
  'application/x-www-form-urlencoded',
  'application/x-www-form-urlencoded; charset=application/json',
  'multipart/form-data; boundary=x',
  'text/html',
  'text/json',
  'application/xml',
  '"application/json"',
].flatMap((type) => [
  attack(`Content-Type: ${type}`, everyMode, (scene, tag) =>
    as(scene, 'owner', { headers: [['Content-Type', type]], body: reach(tag) }),
  ),
  attack(`Content-Type: ${type}, REST`, everyMode, (scene, tag) => {
    const wire = restCall('open__slow', { ms: 0, tag });
    return as(scene, 'owner', { ...wire, headers: [['Content-Type', type]] });
  }),
]);

export const originClass: AttackClass = {
  name: 'origins',
  title: 'Origins and content types',
  attacks: [...posted, ...elsewhere, ...types],
  controls: [
    attack('the allowed origin', everyMode, (scene, tag) =>
      as(scene, 'owner', { headers: [['Origin', 'https://app.example.com']], body: reach(tag) }),
    ),
    attack('JSON, REST', everyMode, (scene, tag) => as(scene, 'owner', restCall('open__slow', { ms: 0, tag }))),
  ],
};
