import {
  as,
  attack,
  type AttackClass,
  either,
  everyMode,
  leaks,
  modernWire,
  type Mode,
  type Oracle,
  rpc,
  type Scene,
  type Wire,
  withAuth,
  withKeys,
} from '../attack.ts';

const asked =
  (method: string, what: string): Oracle =>
  (_, { around }) => {
    const line = around.vault.journal.find((entry) => entry.startsWith(method) && entry.includes(what));
    return line === undefined ? undefined : `the vault was asked: ${line}`;
  };

type Question = readonly [name: string, method: string, params: (tag: string) => Record<string, unknown>];

const questions: readonly Question[] = [
  ['lists resources', 'resources/list', () => ({})],
  ['lists templates', 'resources/templates/list', () => ({})],
  ['reads a resource', 'resources/read', () => ({ uri: 'vault://secret' })],
  ['reads a resource by its server', 'resources/read', () => ({ uri: 'vault+vault://secret' })],
  ['reads by a template', 'resources/read', (tag) => ({ uri: `vault://item/${tag}` })],
  ['reads a resource in capitals', 'resources/read', () => ({ uri: 'VAULT://secret' })],
  ['reads a resource with a space', 'resources/read', () => ({ uri: 'vault://secret ' })],
  ['lists prompts', 'prompts/list', () => ({})],
  ['gets a prompt', 'prompts/get', () => ({ name: 'vault__plan' })],
  ['gets a prompt by the alias', 'prompts/get', () => ({ name: 'vault:plan' })],
  ['gets a prompt in capitals', 'prompts/get', () => ({ name: 'VAULT__PLAN' })],
  ['gets a prompt by its own name', 'prompts/get', () => ({ name: 'plan' })],
  [
    'completes an argument of a prompt',
    'completion/complete',
    (tag) => ({ ref: { type: 'ref/prompt', name: 'vault__plan' }, argument: { name: 'topic', value: tag } }),
  ],
  [
    'completes a template',
    'completion/complete',
    (tag) => ({ ref: { type: 'ref/resource', uri: 'vault://item/{id}' }, argument: { name: 'id', value: tag } }),
  ],
];

function ask(
  who: 'narrow' | 'partial' | 'owner',
  path: string,
  [, method, params]: Question,
  tag: string,
  scene: Scene,
  modern: boolean,
): Wire {
  const wire = modern ? modernWire(method, params(tag)) : { body: rpc(method, params(tag)) };
  return { ...as(scene, who, wire), path };
}

const each = (who: 'narrow' | 'partial' | 'owner', path: string, modes: readonly Mode[], words: string) =>
  questions.flatMap((question) =>
    [false, true].map((modern) =>
      attack(
        `${words} ${question[0]}${modern ? ', in 2026' : ''}`,
        modes,
        (scene, tag) => ask(who, path, question, tag, scene, modern),
        leaks,
      ),
    ),
  );

const subscribed = [
  attack(
    'narrow subscribes to a resource',
    withAuth,
    async (scene) => {
      const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'narrow', version: '1' } };
      const opened = await scene.send(as(scene, 'narrow', { body: rpc('initialize', params) }));
      return as(scene, 'narrow', {
        headers: [['Mcp-Session-Id', opened.headers.get('mcp-session-id') ?? '']],
        body: rpc('resources/subscribe', { uri: 'vault://secret' }),
      });
    },
    either(leaks, asked('resources/subscribe', 'vault://secret')),
  ),
];

/** No address of the gateway's own machine can be read through it. */
const foreign = [
  'file:///etc/passwd',
  'http://127.0.0.1:22/',
  'data:text/html,x',
  '../../etc/passwd',
  'vault://../open',
  '__proto__',
  'open+file:///etc/passwd',
].map((uri) =>
  attack(
    `reads ${uri}`,
    everyMode,
    (scene) => as(scene, 'narrow', { body: rpc('resources/read', { uri }) }),
    (reply, scene, tag) =>
      reply.text.includes('root:') ? 'a file was read' : scene.mode === 'none' ? undefined : leaks(reply, scene, tag),
  ),
);

export const resourceClass: AttackClass = {
  name: 'resources',
  title: 'Resources, prompts and completion of limited keys and toolsets',
  attacks: [
    ...each('narrow', '/mcp', withAuth, 'narrow'),
    ...each('owner', '/mcp/ops', everyMode, 'in a toolset without it, somebody'),
    ...each('partial', '/mcp', withKeys, 'who has one tool of it'),
    ...subscribed,
    ...foreign,
  ],
  controls: [
    ...questions
      .filter(([name]) =>
        [
          'lists resources',
          'reads a resource',
          'gets a prompt',
          'lists prompts',
          'completes an argument of a prompt',
        ].includes(name),
      )
      .map((question) =>
        attack(
          `the owner ${question[0]}`,
          everyMode,
          (scene, tag) => ask('owner', '/mcp', question, tag, scene, false),
          leaks,
        ),
      ),
    attack(
      'the key is limited, and works',
      withKeys,
      (scene, tag) => as(scene, 'narrow', { body: rpc('resources/read', { uri: 'test://static-text' }, tag) }),
      ({ text }) => (text.includes('static text resource') ? 'it reads what it may' : undefined),
    ),
  ],
};
