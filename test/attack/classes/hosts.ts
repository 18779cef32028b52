import {
  as,
  attack,
  type AttackClass,
  either,
  everyMode,
  leaks,
  type Oracle,
  reach,
  shows,
  type Wire,
} from '../attack.ts';

const hosts = [
  'evil.example',
  'localhost.evil.example',
  '127.0.0.1.evil.example',
  'evil.example:3500',
  '127.0.0.1@evil.example',
  'evil.example#localhost',
  'evil.example/localhost',
  '169.254.169.254',
  '[::ffff:169.254.169.254]',
  '0.0.0.0',
  'localhost evil.example',
  'localhost,evil.example',
  'xn--lcalhost-p5a',
  'app.example.com',
  'localhost:99999',
  'localhost:-1',
  '127.0.0.1:80:80',
  '2130706433',
  '0x7f000001',
  '127.1',
  '',
];

const posted = hosts.map((host) =>
  attack(`Host: ${host}`, everyMode, (scene, tag) =>
    as(scene, 'owner', { headers: [['Host', host]], body: reach(tag) }),
  ),
);

/** DNS rebinding: a page whose name resolves to this machine sends its own name as Host. */
const rebound = ['/api/v1/status', '/api/v1/events', '/metrics', '/', '/api/v1/mcp/tools', '/openapi.json'].map(
  (path) =>
    attack(
      `a rebound name reads ${path}`,
      everyMode,
      (scene) => as(scene, 'admin', { method: 'GET', path, headers: [['Host', 'rebound.evil.example']] }),
      either(leaks, shows('open__', 'vault__', 'sluice_', '"openapi"')),
    ),
);

const documents = ['/.well-known/oauth-protected-resource', '/.well-known/oauth-authorization-server', '/mcp'].map(
  (path) =>
    attack(
      `a Host in the answers of ${path}`,
      everyMode,
      () => ({ method: 'GET', path, headers: [['Host', 'evil.example']] }),
      // Only a URL built from the name leads anybody there; the refusal may repeat the name as text.
      shows(/https?:\/\/evil\.example/),
    ),
);

const absolute = [
  attack('a whole URL as the path', everyMode, (scene, tag) =>
    as(scene, 'owner', { path: 'http://evil.example/mcp', headers: [['Host', 'evil.example']], body: reach(tag) }),
  ),
  attack('no Host at all', everyMode, (scene, tag) => {
    const body = reach(tag);
    const headers = scene.as('owner').map(([name, value]) => `${name}: ${value}\r\n`);
    const lines = `Connection: close\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n${headers.join('')}`;
    return { bytes: `POST /mcp HTTP/1.1\r\n${lines}\r\n${body}` };
  }),
  attack('two Hosts', everyMode, (scene, tag) =>
    as(scene, 'owner', {
      headers: [
        ['Host', 'localhost'],
        ['Host', 'evil.example'],
      ],
      body: reach(tag),
    }),
  ),
];

const FLOOD = 30;
/** They all come from one address that nothing else uses. */
const FLOODER = '127.200.0.1';

/** A caller without a key must not be able to fill the audit log by varying a word. */
const flooded: Oracle = async (_, scene) => {
  const path = '/api/v1/events?event_type=auth.refused&limit=1000';
  const { text } = await scene.send(as(scene, 'admin', { method: 'GET', path }));
  const events = text.split(`"address":"${FLOODER}"`).length - 1;
  return events > FLOOD / 2 ? `${FLOOD} requests left ${events} events` : undefined;
};

const flood = [
  attack(
    'a flood of Hosts in the audit log',
    everyMode,
    async (scene, tag) => {
      const one = (n: number): Wire => ({
        headers: [['Host', `${tag}-${n}.example`]],
        body: reach(tag),
        from: FLOODER,
      });
      for (let n = 1; n < FLOOD; n++) await scene.send(one(n));
      return one(FLOOD);
    },
    flooded,
  ),
  attack(
    'a flood of Origins in the audit log',
    everyMode,
    async (scene, tag) => {
      const one = (n: number): Wire => ({
        headers: [['Origin', `https://${tag}-${n}.example`]],
        body: reach(tag),
        from: FLOODER,
      });
      for (let n = 1; n < FLOOD; n++) await scene.send(one(n));
      return one(FLOOD);
    },
    flooded,
  ),
];

export const hostClass: AttackClass = {
  name: 'hosts',
  title: 'Hosts and DNS rebinding',
  attacks: [...posted, ...rebound, ...documents, ...absolute, ...flood],
  controls: [
    attack(
      'a refusal stands in the audit log',
      everyMode,
      (_, tag) => ({ headers: [['Host', `${tag}.example`]], body: reach(tag) }),
      async (_, scene) => {
        const { text } = await scene.send(
          as(scene, 'admin', { method: 'GET', path: '/api/v1/events?event_type=auth.refused' }),
        );
        return text.includes('auth.refused') ? 'it does' : undefined;
      },
    ),
    attack('Host: localhost and its port', everyMode, (scene, tag) =>
      as(scene, 'owner', { headers: [['Host', `localhost:${new URL(scene.url).port}`]], body: reach(tag) }),
    ),
    attack(
      'an administrator reads the tools',
      everyMode,
      (scene) => as(scene, 'admin', { method: 'GET', path: '/api/v1/mcp/tools' }),
      shows('open__'),
    ),
  ],
};
