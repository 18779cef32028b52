import {
  attack,
  type AttackClass,
  call,
  type Oracle,
  type Reply,
  reach,
  rpc,
  type Scene,
  withTokens,
} from '../attack.ts';
import { jsonOf } from '../exchange.ts';

const scope = 'tools:read tools:execute';

async function asking(scene: Scene, claims: Record<string, unknown>, name = 'person__whoami') {
  const token = await scene.token({ claims: { scope, ...claims } });
  return { headers: [['Authorization', `Bearer ${token}`]] as const, body: call(name) };
}

/** What the server was told about its caller, as the server reports it. */
function told(reply: Reply): Record<string, unknown> {
  const { content } = (jsonOf(reply)?.result ?? {}) as { content?: [{ text: string }] };
  try {
    return JSON.parse(content?.[0].text ?? '{}') as Record<string, unknown>;
  } catch {
    return {};
  }
}

const injected: Oracle = (reply) => {
  const headers = told(reply);
  for (const name of ['x-admin', 'x-injected', 'x-vault-token']) {
    if (headers[name] !== undefined) return `the server was sent ${name}: ${JSON.stringify(headers[name])}`;
  }
  return undefined;
};

const hostile = [
  'x\r\nX-Admin: yes',
  'x\nX-Admin: yes',
  'x\rX-Admin: yes',
  'x\r\n\r\nGET /admin HTTP/1.1\r\nX-Admin: yes',
  'x\u2028X-Admin: yes',
  'x\0\r\nX-Admin: yes',
  'x"\r\n X-Admin: yes',
  '${principal.id}\r\nX-Admin: ${VAULT_TOKEN}',
  'x%0d%0aX-Admin: yes',
  'x\u560a\u560dX-Admin: yes',
];

const headers = hostile.flatMap((value) => [
  attack(
    `an email ${JSON.stringify(value)}`,
    withTokens,
    (scene, tag) => asking(scene, { sub: tag, email: value }),
    injected,
  ),
  attack(
    `a sub ${JSON.stringify(value)}`,
    withTokens,
    (scene, tag) => asking(scene, { sub: `${tag}${value}` }),
    injected,
  ),
]);

/** Templates in a claim are text. */
const templates = ['${principal.id}', '${API_TOKEN}', '${env:PATH}', '{{constructor}}', '$(id)', '`id`'].map((value) =>
  attack(
    `an email ${value}`,
    withTokens,
    (scene, tag) => asking(scene, { sub: tag, email: value }),
    (reply) => {
      const mail = told(reply)['x-mail'];
      return mail === undefined || mail === value ? undefined : `it was filled in: ${JSON.stringify(mail)}`;
    },
  ),
);

/** One process per caller, told who it is through its environment and arguments. */
const processes = ['a b', 'a\0b', '--eval=process.exit(9)', '; touch /tmp/x', '$(id)', 'a\nWHO=root'].map((value) =>
  attack(
    `an email in a process: ${JSON.stringify(value)}`,
    withTokens,
    (scene, tag) => asking(scene, { sub: tag, email: value }, 'child__who'),
    (reply) => {
      const { who, args } = told(reply) as { who?: string; args?: string[] };
      if (who === undefined) return undefined;
      const wanted = value.replaceAll('\0', '');
      return who === wanted && args?.length === 2 && args[1] === wanted
        ? undefined
        : `it was told ${JSON.stringify({ who, args })}`;
    },
  ),
);

/** Claims that are not texts are unknown; nothing is sent in their place. */
const typed = [42, true, ['root@example.com'], { toString: 'x' }, null, ''].map((value) =>
  attack(
    `an email that is ${JSON.stringify(value)}`,
    withTokens,
    (scene, tag) => asking(scene, { sub: tag, email: value }),
    (reply) => {
      const mail = told(reply)['x-mail'];
      return mail === undefined || mail === 'none' ? undefined : `it was told ${JSON.stringify(mail)}`;
    },
  ),
);

/** The second caller must not be mistaken for the first. */
const second = [
  attack(
    'the same sub with another email',
    withTokens,
    async (scene, tag) => {
      await scene.send(await asking(scene, { sub: tag, email: 'first@example.com' }));
      return asking(scene, { sub: tag, email: 'second@example.com' });
    },
    (reply) => (told(reply)['x-mail'] === 'first@example.com' ? 'it was sent the email of the first' : undefined),
  ),
  attack(
    'the same sub without an email',
    withTokens,
    async (scene, tag) => {
      await scene.send(await asking(scene, { sub: tag, email: 'first@example.com' }));
      return asking(scene, { sub: tag });
    },
    (reply) => (told(reply)['x-mail'] === 'first@example.com' ? 'it was sent the email of the first' : undefined),
  ),
  attack(
    'the same sub with another email, in a process',
    withTokens,
    async (scene, tag) => {
      await scene.send(await asking(scene, { sub: tag, email: 'first@example.com' }, 'child__who'));
      return asking(scene, { sub: tag, email: 'second@example.com' }, 'child__who');
    },
    (reply) => (told(reply).who === 'first@example.com' ? 'it was sent the email of the first' : undefined),
  ),
  attack(
    'a sub that is a number, after one that is the text',
    withTokens,
    async (scene) => {
      await scene.send(await asking(scene, { sub: '8', email: 'eight@example.com' }));
      return asking(scene, { sub: 8 });
    },
    (reply) =>
      told(reply)['x-mail'] === undefined ? undefined : `it was let in as ${JSON.stringify(told(reply)['x-user'])}`,
  ),
  attack(
    'a sub that is a number, after one that was never said',
    withTokens,
    async (scene) => {
      await scene.send(await asking(scene, { sub: 'undefined', email: 'undefined@example.com' }));
      return asking(scene, { sub: 9 });
    },
    (reply) =>
      told(reply)['x-mail'] === undefined ? undefined : `it was let in as ${JSON.stringify(told(reply)['x-user'])}`,
  ),
];

/** Ids that look like those of others open none of their sessions. */
const alike = [
  'oauth:victim',
  'key:victim',
  'local',
  'owner',
  'VICTIM',
  'victim ',
  ' victim',
  'victim\0',
  'vic\u200btim',
  'victim:',
  ':victim',
  'victim\n',
].map((sub) =>
  attack(`the sub ${JSON.stringify(sub)} in the session of victim`, withTokens, async (scene, tag) => {
    const token = await scene.token({ claims: { scope, sub: 'victim' } });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'victim', version: '1' } };
    const opened = await scene.send({
      headers: [['Authorization', `Bearer ${token}`]],
      body: rpc('initialize', params),
    });
    const other = await scene.token({ claims: { scope, sub } });
    return {
      headers: [
        ['Authorization', `Bearer ${other}`],
        ['Mcp-Session-Id', opened.headers.get('mcp-session-id') ?? ''],
      ],
      body: reach(tag),
    };
  }),
);

export const claimClass: AttackClass = {
  name: 'claims',
  title: 'Claim injection',
  attacks: [...headers, ...templates, ...processes, ...typed, ...second, ...alike],
  controls: [
    attack(
      'a server is told who calls',
      withTokens,
      (scene, tag) => asking(scene, { sub: tag, email: 'ada@example.com' }),
      (reply) => (told(reply)['x-mail'] === 'ada@example.com' ? 'it was told' : undefined),
    ),
    attack(
      'a process is told who calls',
      withTokens,
      (scene, tag) => asking(scene, { sub: tag, email: 'ada@example.com' }, 'child__who'),
      (reply) => (told(reply).who === 'ada@example.com' ? 'it was told' : undefined),
    ),
    attack('victim in its own session', withTokens, async (scene, tag) => {
      const token = await scene.token({ claims: { scope, sub: 'victim' } });
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'victim', version: '1' } };
      const opened = await scene.send({
        headers: [['Authorization', `Bearer ${token}`]],
        body: rpc('initialize', params),
      });
      return {
        headers: [
          ['Authorization', `Bearer ${token}`],
          ['Mcp-Session-Id', opened.headers.get('mcp-session-id') ?? ''],
        ],
        body: reach(tag),
      };
    }),
  ],
};
