import {
  as,
  attack,
  type AttackClass,
  call,
  everyMode,
  modernWire,
  type Oracle,
  restCall,
  type Scene,
  type Wire,
} from '../attack.ts';

/** What the gateway gave to a server, and never to a caller. */
const tells: Oracle = ({ text }, { around: { canaries } }) => {
  for (const name of ['given', 'header'] as const) {
    const at = text.indexOf(canaries[name]);
    if (at >= 0) return `it shows the secret ${name}: …${text.slice(Math.max(0, at - 80), at + 60)}…`;
  }
  return undefined;
};

type Args = Record<string, unknown>;

const ways: readonly [string, (tool: string, args: Args) => Wire][] = [
  ['', (tool, args) => ({ body: call(`careless__${tool}`, args) })],
  [' in the era of 2026', (tool, args) => modernWire('tools/call', { name: `careless__${tool}`, arguments: args })],
  [
    ' by call_tool',
    (tool, args) => ({
      path: '/mcp?expose=search',
      body: call('call_tool', { name: `careless__${tool}`, arguments: args }),
    }),
  ],
  [
    ' by careless_read',
    (tool, args) => ({ path: '/mcp?expose=compact', body: call('careless_read', { tool, params: args }) }),
  ],
  [' by REST', (tool, args) => restCall(`careless__${tool}`, args)],
  [
    ' by REST, in the path',
    (tool, args) => ({ path: `/api/v1/mcp/tools/careless__${tool}/invoke`, body: JSON.stringify(args) }),
  ],
];

/** The crash comes last: after it, every call tells of it. */
const saids = ['refuse', 'fail', 'crash'].flatMap((tool) =>
  ['plain', 'uri', 'json', 'parts'].map((how) => [tool, how] as const),
);

const ofChild = saids.flatMap(([tool, how]) =>
  ways.map(([way, wire]) =>
    attack(
      `a server's ${tool} tells its variable, ${how}${way}`,
      everyMode,
      (scene) => as(scene, 'owner', wire(tool, { how })),
      tells,
    ),
  ),
);

/** The header as it reached the server, which puts it into its refusal. */
const headerOf = (scene: Scene) => scene.around.vault.received.findLast(({ headers }) => headers['x-vault-token']);

const ofHeader = [true, false].map((isRest) =>
  attack(
    `a server's refusal tells the header that it gets${isRest ? ', by REST' : ''}`,
    everyMode,
    (scene) => {
      const text = `refused with ${String(headerOf(scene)?.headers['x-vault-token'])}`;
      const args = { text, isError: true };
      return as(scene, 'owner', isRest ? restCall('vault__claim', args) : { body: call('vault__claim', args) });
    },
    tells,
  ),
);

export const givenSecretClass: AttackClass = {
  name: 'given-secrets',
  title: 'Secrets that the gateway gave to a server, in errors about it and of it',
  attacks: [...ofChild, ...ofHeader],
  controls: [
    attack(
      'what is no error of the server comes as it said it',
      everyMode,
      (scene) => as(scene, 'owner', { body: call('careless__say', { how: 'plain' }) }),
      tells,
    ),
    attack(
      'what a caller says comes back as it was',
      everyMode,
      (scene) => as(scene, 'owner', { body: call('open__echo', { text: scene.around.canaries.given }) }),
      tells,
    ),
  ],
};
