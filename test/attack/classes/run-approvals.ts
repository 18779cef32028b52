import {
  as,
  attack,
  type AttackClass,
  call,
  either,
  modernWire,
  type Oracle,
  reached,
  rpc,
  type Scene,
  type Who,
  type Wire,
  withAuth,
} from '../attack.ts';
import { asked, callBody, confirmed, confirmIn, definition, named, resultOf } from '../blueprint-calls.ts';
import type { Headers } from '../console-sessions.ts';

type Json = Record<string, unknown>;

const calls = (scene: Scene, word: string): number =>
  scene.around.world.journal.filter((line) => line.startsWith(`slow finished ${word}`)).length;

/** A step that a person has to approve. */
const act = (word: string, more = '') =>
  `id: act, tool: open__slow, arguments: { ms: 0, tag: "${word}" }, confirm: human${more}`;

/** `owner` deploys it. Returns the run, which waits for a person then. */
async function deployed(scene: Scene, tag: string, steps: readonly string[], who: Who = 'owner'): Promise<string> {
  const name = named(tag);
  await asked(scene, who, 'blueprint_save', { text: definition(name, steps) });
  const args = { name, wait_seconds: 1 };
  const first = await scene.call(who, 'tools/call', { name: 'blueprint_deploy', arguments: args });
  const isAsked = confirmIn(first) !== undefined;
  const { run } = (isAsked ? await confirmed(scene, who, 'blueprint_deploy', args) : first.structuredContent) as Json;
  await waits(scene, String(run));
  scene.kept.set(`run of ${tag}`, String(run));
  return String(run);
}

const ended: ReadonlySet<string> = new Set(['succeeded', 'failed', 'undone', 'cancelled', 'unknown']);

async function stateOf(scene: Scene, run: string): Promise<Json> {
  return await asked(scene, 'admin', 'blueprint_status', { run, wait_seconds: 1 });
}

async function waits(scene: Scene, run: string): Promise<void> {
  for (let state = ''; state !== 'waiting'; ) {
    state = String((await stateOf(scene, run)).state);
    if (ended.has(state)) throw new Error(`The run ${run} did not wait: it is ${state}.`);
  }
}

/** Until it has ended, or waits for somebody and has not moved for some looks. */
async function rests(scene: Scene, run: string): Promise<void> {
  for (let same = 0, before = ''; same < 3; ) {
    const { state, progress } = await stateOf(scene, run);
    if (ended.has(String(state))) return;
    const now = JSON.stringify([state, progress]);
    same = state === 'waiting' && now === before ? same + 1 : 0;
    before = now;
  }
}

const approval = (scene: Scene, run: string, who: Who = 'approver', step = 'act'): Wire =>
  as(scene, who, callBody('blueprint_approve', { run, step, approve: true }));

/** The word was called, after everything that the decision set off. */
const called =
  (word: (tag: string) => string, most = 0): Oracle =>
  async (_, scene, tag) => {
    await rests(scene, scene.kept.get(`run of ${tag}`) ?? '');
    const times = calls(scene, word(tag));
    return times > most ? `${word(tag)} was called ${times} times, of which ${most} were approved` : undefined;
  };

const ran = called((tag) => `do-${tag}`);

const decisions = [
  attack(
    'approving a step lets its undo run',
    withAuth,
    async (scene, tag) => {
      const undo = `, undo: { tool: open__slow, arguments: { ms: 0, tag: "undo-${tag}" } }`;
      const fails = 'id: fail, tool: open__fail, arguments: { kind: isError }';
      return approval(scene, await deployed(scene, tag, [act(`do-${tag}`, undo), fails]));
    },
    called((tag) => `undo-${tag}`),
  ),
  attack(
    'one approval for the five items of a list',
    withAuth,
    async (scene, tag) => {
      const each = ', for_each: [1, 2, 3, 4, 5], as: n';
      return approval(scene, await deployed(scene, tag, [act(`each-${tag}-\${n}`, each)]));
    },
    called((tag) => `each-${tag}`, 1),
  ),
  attack(
    'who approves is shown no arguments',
    withAuth,
    async (scene, tag) => {
      const run = await deployed(scene, tag, [act(`do-${tag}`)]);
      const waiting = await scene.send(as(scene, 'approver', { method: 'GET', path: '/api/v1/waiting' }));
      const status = await scene.call('approver', 'tools/call', { name: 'blueprint_status', arguments: { run } });
      scene.kept.set(`seen ${tag}`, `${waiting.body} ${JSON.stringify(status)}`);
      return approval(scene, run);
    },
    async (reply, scene, tag) =>
      (scene.kept.get(`seen ${tag}`) ?? '').includes(`do-${tag}`) ? undefined : await ran(reply, scene, tag),
  ),
];

const bySomebodyElse = (['owner', 'other', 'narrow', 'readOnly', 'reader'] as const).flatMap((who) => [
  attack(
    `${who} approves a step of a run of owner`,
    withAuth,
    async (scene, tag) => approval(scene, await deployed(scene, tag, [act(`do-${tag}`)]), who),
    ran,
  ),
  attack(
    `${who} approves a step of a run of owner, among what waits`,
    withAuth,
    async (scene, tag) => {
      const run = await deployed(scene, tag, [act(`do-${tag}`)]);
      return as(scene, who, { path: `/api/v1/waiting/blueprints/${run}:act`, body: '{"approve":true}' });
    },
    ran,
  ),
]);

const ofOneself = attack(
  'who may approve approves their own run',
  withAuth,
  async (scene, tag) => approval(scene, await deployed(scene, tag, [act(`do-${tag}`)], 'approver')),
  ran,
);

export const runApprovalClass: AttackClass = {
  name: 'run-approvals',
  title: 'One decision about a step used for more, and decisions of others',
  attacks: [...decisions, ...bySomebodyElse, ofOneself],
  controls: [
    attack(
      'what was approved runs',
      withAuth,
      async (scene, tag) => approval(scene, await deployed(scene, tag, [act(`do-${tag}`)])),
      ran,
    ),
    attack(
      'five items that nobody has to approve run',
      withAuth,
      async (scene, tag) => {
        const each = `id: each, for_each: [1, 2, 3, 4, 5], as: n, tool: open__slow, arguments: { ms: 0, tag: "each-${tag}-\${n}" }`;
        return approval(scene, await deployed(scene, tag, [each, act(`do-${tag}`)]));
      },
      called((tag) => `each-${tag}`, 1),
    ),
  ],
};

/** What a browser sends for a page that another program of this machine serves. */
const pages = ['localhost', '127.0.0.1', '[::1]'].flatMap((host): readonly (readonly [string, Headers])[] => {
  const origin = ['Origin', `http://${host}:9`] as const;
  return [
    [`a page at another port of ${host}`, [origin]],
    [`a page at another port of ${host}, by fetch`, [origin, ['Sec-Fetch-Site', 'same-site']]],
  ];
});

const ways: readonly [string, (run: string) => Wire][] = [
  ['among what waits', (run) => ({ path: `/api/v1/waiting/blueprints/${run}:act`, body: '{"approve":true}' })],
  ['at the run', (run) => ({ path: `/api/v1/blueprint-runs/${run}/approve`, body: '{"step":"act","approve":true}' })],
  [
    'by REST',
    (run) => ({ path: '/api/v1/mcp/tools/blueprint_approve/invoke', body: JSON.stringify({ run, approve: true }) }),
  ],
  ['by MCP', (run) => ({ body: call('blueprint_approve', { run, step: 'act', approve: true }) })],
  [
    'by MCP of 2026',
    (run) => modernWire('tools/call', { name: 'blueprint_approve', arguments: { run, step: 'act', approve: true } }),
  ],
];

const withHeaders = (wire: Wire, more: Headers): Wire =>
  'bytes' in wire ? wire : { ...wire, headers: [...(wire.headers ?? []), ...more] };

const approving = pages.flatMap(([page, headers]) =>
  ways.map(([way, wire]) =>
    attack(
      `${page} approves a step, ${way}`,
      ['none'],
      async (scene, tag) => withHeaders(wire(await deployed(scene, tag, [act(`do-${tag}`)])), headers),
      ran,
    ),
  ),
);

const ELICITATION = { elicitation: { form: {} } };

/** Calls what needs a person, and answers the question itself. */
async function ownAnswer(scene: Scene, params: Json, headers: Headers): Promise<Wire> {
  const first = resultOf(await scene.send(withHeaders(modernWire('tools/call', params, ELICITATION), headers)));
  const inputs = (first?.inputRequests ?? {}) as Json;
  const inputResponses = Object.fromEntries(
    Object.keys(inputs).map((key) => [key, { action: 'accept', content: { approve: true, decision: 'approve' } }]),
  );
  const again = { ...params, inputResponses, requestState: first?.requestState };
  return withHeaders(modernWire('tools/call', again, ELICITATION), headers);
}

const accepting = pages.flatMap(([page, headers]) => [
  attack(
    `${page} accepts the question of its own call`,
    ['none'],
    (scene, tag) => ownAnswer(scene, { name: 'strict__write', arguments: { tag } }, headers),
    reached,
  ),
  attack(
    `${page} accepts the question about its own run`,
    ['none'],
    async (scene, tag) => {
      const name = named(tag);
      await asked(scene, 'owner', 'blueprint_save', { text: definition(name, [act(`do-${tag}`)]) });
      const wire = await ownAnswer(scene, { name: 'blueprint_deploy', arguments: { name, wait_seconds: 5 } }, headers);
      const { runs } = (await asked(scene, 'admin', 'blueprint_history', { name })) as { runs: { run: string }[] };
      scene.kept.set(`run of ${tag}`, runs[0]?.run ?? '');
      return wire;
    },
    (reply, scene, tag) => (scene.kept.get(`run of ${tag}`) === '' ? undefined : ran(reply, scene, tag)),
  ),
]);

export const pageClass: AttackClass = {
  name: 'pages',
  title: 'Pages of other programs of this machine that approve while there is no authentication',
  attacks: [...approving, ...accepting],
  controls: [
    attack(
      'a program approves a step',
      ['none'],
      async (scene, tag) => approval(scene, await deployed(scene, tag, [act(`do-${tag}`)])),
      ran,
    ),
    attack(
      'a client asks its user',
      ['none'],
      (scene, tag) => ownAnswer(scene, { name: 'strict__write', arguments: { tag } }, []),
      reached,
    ),
    attack(
      'a page may list tools',
      ['none'],
      () => ({ headers: pages[0]?.[1] ?? [], body: rpc('tools/list') }),
      either(({ body }) => (body.includes('"tools"') ? 'it was answered' : undefined)),
    ),
  ],
};
