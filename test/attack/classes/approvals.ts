import { hash } from 'node:crypto';
import {
  as,
  attack,
  type AttackClass,
  call,
  either,
  everyMode,
  type Oracle,
  reached,
  type Scene,
  shows,
  succeeds,
  type Who,
  withAuth,
  withKeys,
} from '../attack.ts';
import { cookieOf, csrfOf, type Headers, signedIn, signInAll } from '../console-sessions.ts';

const TOOL = 'strict__write';
const people: readonly Who[] = ['admin', 'owner', 'other', 'narrow', 'readOnly', 'reader'];
const ROOM = '/api/v1/waiting/confirmations';

/** `owner` asks for a call that only a person may approve. Returns where that waits. */
async function asked(scene: Scene, tag: string): Promise<string> {
  const result = await scene.call('owner', 'tools/call', { name: TOOL, arguments: { tag } });
  const { confirm } = ((result._meta as Record<string, unknown>)['sluice/error'] ?? {}) as { confirm?: string };
  if (confirm === undefined) throw new Error(`No token: ${JSON.stringify(result)}`);
  scene.kept.set(`token of ${tag}`, confirm);
  return `${ROOM}/${hash('sha256', confirm, 'base64url')}`;
}

/** The call runs now. */
const runs: Oracle = async (reply, scene, tag) => {
  const confirm = scene.kept.get(`token of ${tag}`);
  await scene.send(as(scene, 'owner', { body: call(TOOL, { tag, confirm }) }));
  return reached(reply, scene, tag);
};

type Deciding = readonly [name: string, headers: (scene: Scene) => Headers];

const approving = (modes: Parameters<typeof attack>[1], all: readonly Deciding[]) =>
  all.map(([name, headers]) =>
    attack(
      `approves ${name}`,
      modes,
      async (scene, tag) => ({ path: await asked(scene, tag), headers: headers(scene), body: '{"approve":true}' }),
      runs,
    ),
  );

/** Whoever asked, others who may not see it, and programs with any key. */
const bySomebodyElse = approving(withAuth, [
  ['as nobody', () => []],
  ...people.map((who): Deciding => [`as ${who}, without a browser`, (scene) => scene.as(who)]),
  ...people
    .filter((who) => who !== 'admin')
    .map((who): Deciding => [`in the session of ${who}`, (scene) => signedIn(scene, who)]),
  ['in the session of an admin, without its token', (scene) => [cookieOf(scene, 'admin')]],
  ['with the token of who asked', (scene) => [cookieOf(scene, 'admin'), csrfOf(scene, 'owner')]],
  ['with the cookie of who asked', (scene) => [cookieOf(scene, 'owner'), csrfOf(scene, 'admin')]],
  ['from another site', (scene) => [...signedIn(scene, 'admin'), ['Sec-Fetch-Site', 'cross-site']]],
  ['from another port', (scene) => [...signedIn(scene, 'admin'), ['Sec-Fetch-Site', 'same-site']]],
  ['with a key beside the session of an admin', (scene) => [...signedIn(scene, 'admin'), ...scene.as('owner')]],
  ['as a page says', (scene) => [...scene.as('owner'), ['Sec-Fetch-Site', 'same-origin'], ['Sluice-Via', 'console']]],
]);

/** Without authentication: programs and other pages. */
const byAProgram = approving(
  ['none'],
  [
    ['as a program', () => []],
    ['as a program that names the console', () => [['Sluice-Via', 'console']]],
    ['as a page of another port', () => [['Sec-Fetch-Site', 'same-site']]],
    [
      'as a page of another name',
      () => [
        ['Sec-Fetch-Site', 'cross-site'],
        ['Origin', 'http://localhost:9'],
      ],
    ],
    ['as an address that somebody typed', () => [['Sec-Fetch-Site', 'none']]],
    [
      'as a page that says it twice',
      () => [
        ['Sec-Fetch-Site', 'same-origin'],
        ['Sec-Fetch-Site', 'cross-site'],
      ],
    ],
    [
      'through a proxy',
      () => [
        ['Sec-Fetch-Site', 'same-origin'],
        ['X-Forwarded-For', '10.0.0.1'],
      ],
    ],
    [
      'under a foreign name',
      () => [
        ['Sec-Fetch-Site', 'same-origin'],
        ['Host', 'evil.example'],
      ],
    ],
    [
      'as a page of a foreign Origin',
      () => [
        ['Sec-Fetch-Site', 'same-origin'],
        ['Origin', 'https://evil.example'],
      ],
    ],
  ],
);

const person = (scene: Scene): Headers =>
  scene.mode === 'none' ? [['Sec-Fetch-Site', 'same-origin']] : signedIn(scene, 'admin');

/** What a person approved is that very call of that very caller, once. */
const othersUse: [string, (scene: Scene, tag: string, confirm: string) => Parameters<Scene['send']>[0]][] = [
  [
    'with other arguments',
    (scene, tag, confirm) => as(scene, 'owner', { body: call(TOOL, { tag, more: 1, confirm }) }),
  ],
  ['for another tool', (scene, tag, confirm) => as(scene, 'owner', { body: call('ask__write', { tag, confirm }) })],
  [
    'after it was used',
    (scene, tag, confirm) => as(scene, 'owner', { body: call(TOOL, { tag, again: true, confirm }) }),
  ],
];
const misused = othersUse.map(([name, wire]) =>
  attack(
    `uses an approval ${name}`,
    everyMode,
    async (scene, tag) => {
      const path = await asked(scene, `approved-${tag}`);
      await scene.send({ path, headers: person(scene), body: '{"approve":true}' });
      return wire(scene, tag, scene.kept.get(`token of approved-${tag}`) ?? '');
    },
    ({ text }, { around }, tag) => {
      const ran = around.vault.journal.some((line) => line.includes(tag) && !line.includes(`approved-${tag}`));
      return ran ? `it ran: ${text.slice(0, 200)}` : undefined;
    },
  ),
);
const stolen = attack(
  'uses the approval of somebody else',
  withAuth,
  async (scene, tag) => {
    await scene.send({ path: await asked(scene, tag), headers: person(scene), body: '{"approve":true}' });
    return as(scene, 'other', { body: call(TOOL, { tag, confirm: scene.kept.get(`token of ${tag}`) }) });
  },
  reached,
);
const afterRefusal = attack(
  'approves what was refused',
  everyMode,
  async (scene, tag) => {
    const path = await asked(scene, tag);
    await scene.send({ path, headers: person(scene), body: '{"approve":false}' });
    return { path, headers: person(scene), body: '{"approve":true}' };
  },
  runs,
);

/** Bodies that are no decision, and things that do not wait. */
const none = [
  '',
  '[]',
  '{}',
  '{"approve":"true"}',
  '{"approve":1}',
  '{"approve":true,"approve_all":true}',
  '{"approve":true,"note":{"toString":"x"}}',
  `{"approve":true,"note":"${'x'.repeat(2001)}"}`,
  '{"__proto__":{"approve":true}}',
  '{"approve":true',
  ' '.repeat(17_000_000),
  `${'['.repeat(100_000)}${']'.repeat(100_000)}`,
];
const odd = none.map((body) =>
  attack(
    `decides with ${body.slice(0, 40).trim() || `${body.length} characters`}`,
    everyMode,
    async (scene, tag) => ({ path: await asked(scene, tag), headers: person(scene), body }),
    either(succeeds, runs, ({ status }) => (status >= 500 ? `${status}` : undefined)),
  ),
);
const nowhere = [
  '__proto__/x',
  'constructor/x',
  'confirmations/__proto__',
  'confirmations/..%2f..%2fkeys',
  `confirmations/${encodeURIComponent("' OR 1=1 --")}`,
  'confirmations/%00',
  `confirmations/${'a'.repeat(6000)}`,
  'gateway/definition:vault:',
  'gateway/definition:__proto__:x',
  'blueprints/x:y',
  'blueprints/:',
].map((place) =>
  attack(
    `decides about ${place.slice(0, 40)}`,
    everyMode,
    (scene) => ({ path: `/api/v1/waiting/${place}`, headers: person(scene), body: '{"approve":true}' }),
    either(succeeds, ({ status }) => (status >= 500 ? `${status}` : undefined)),
  ),
);

/** What waits is for whoever asked, and for admins. */
const looked = (['other', 'narrow', 'reader', 'readOnly'] as const).flatMap((who) =>
  [(scene: Scene) => scene.as(who), (scene: Scene) => signedIn(scene, who)].map((headers, index) =>
    attack(
      `${who} sees what waits for others${index === 0 ? '' : ', in a session'}`,
      withAuth,
      async (scene, tag) => {
        await asked(scene, tag);
        return { method: 'GET', path: '/api/v1/waiting', headers: headers(scene) };
      },
      shows('"by":"owner'),
    ),
  ),
);
const refusing = (['other', 'reader', 'narrow'] as const).map((who) =>
  attack(
    `${who} refuses the call of another`,
    withKeys,
    async (scene, tag) => ({ path: await asked(scene, tag), headers: scene.as(who), body: '{"approve":false}' }),
    succeeds,
  ),
);

const controls = [
  ...approving(everyMode, [['as a person', person]]),
  attack(
    'an admin sees what waits',
    withAuth,
    async (scene, tag) => {
      await asked(scene, tag);
      return { method: 'GET', path: '/api/v1/waiting', headers: signedIn(scene, 'admin') };
    },
    shows('"by":"owner'),
  ),
  attack(
    'a person refuses a call',
    everyMode,
    async (scene, tag) => ({ path: await asked(scene, tag), headers: person(scene), body: '{"approve":false}' }),
    succeeds,
  ),
];

export const approvalClass: AttackClass = {
  name: 'approvals',
  title: 'Approving your own calls, deciding for others, and using an approval for something else',
  prepare: (scene) => signInAll(scene, people),
  attacks: [
    ...bySomebodyElse,
    ...byAProgram,
    ...misused,
    stolen,
    afterRefusal,
    ...odd,
    ...nowhere,
    ...looked,
    ...refusing,
  ],
  controls,
};
