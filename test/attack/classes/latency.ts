import { spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  as,
  attack,
  type AttackClass,
  call,
  everyMode,
  type Mode,
  type Oracle,
  type Scene,
  type Wire,
} from '../attack.ts';
import { asked } from '../blueprint-calls.ts';
import { capitals, fillings, largest, type Schema } from '../largest-input.ts';
import { atRest, during, gatewayOf, type Pause } from '../pauses.ts';
import { stackStage } from '../stages.ts';

interface Tool {
  readonly name: string;
  readonly inputSchema: Schema;
}

const SECOND = 1;
/** A machine on which even a quiet gateway needs long for an answer judges less strictly. */
const TIMES_AT_REST = 20;

const pauses = new Map<string, { readonly rest: Pause; readonly longest: Pause; readonly by: string }>();

const isTooLong = (longest: Pause, rest: Pause): boolean =>
  longest.computing >= Math.max(SECOND, TIMES_AT_REST * rest.computing);

/** Another caller waited for longer than a second, because the gateway computed for the first one. */
const keptWaiting: Oracle = (_, scene, tag) => {
  const found = pauses.get(`${scene.mode} ${tag}`);
  if (!found) return 'nothing was measured';
  const { rest, longest, by } = found;
  if (!isTooLong(longest, rest)) return undefined;
  const [took, computing, usual] = [longest.seconds, longest.computing, rest.seconds].map((one) => one.toFixed(2));
  return `${longest.what} of another caller took ${took} s during ${by}, of which the gateway computed ${computing} s; at rest ${usual} s`;
};

/** Measures while somebody does all of this, one after the other, until it is clear. */
async function measured(
  scene: Scene,
  tag: string,
  all: Iterable<readonly [name: string, work: () => Promise<unknown>]>,
  watched = gatewayOf(scene),
): Promise<Wire> {
  const rest = await atRest(watched);
  let worst: { longest: Pause; by: string } | undefined;
  for (const [by, work] of all) {
    const longest = await during(watched, work());
    if (!worst || longest.computing > worst.longest.computing) worst = { longest, by };
    if (isTooLong(worst.longest, rest)) break;
  }
  if (worst) pauses.set(`${scene.mode} ${tag}`, { rest, ...worst });
  return { method: 'GET', path: '/health' };
}

/** One caller sends it, and does not wait longer than for a minute. */
const sends = (scene: Scene, name: string, args: unknown) => async () =>
  await scene.send(as(scene, 'owner', { body: call(name, args), patience: 60_000 }));

async function tools(scene: Scene): Promise<readonly Tool[]> {
  const found: Tool[] = [];
  for (let cursor: unknown; ; ) {
    const page = await scene.call('owner', 'tools/list', cursor === undefined ? {} : { cursor }, '/mcp?expose=flat');
    found.push(...(page.tools as Tool[]));
    cursor = page.nextCursor;
    if (cursor === undefined) return found;
  }
}

/** Waiting is what they are for. */
const waitsOnPurpose = /^(?:blueprint_deploy|blueprint_status|recipe_run|open__)/;

const families = [
  'memory',
  'graph',
  'blueprint',
  'recipe',
  'project',
  'gateway',
  'n8n',
  'bridge',
  'redis',
  'postgres',
  'mongodb',
  'rabbitmq',
  'docker',
] as const;

/** There, a caller has all of them, and no quota refuses anything. */
const everyTools: readonly Mode[] = ['none'];

/** Every tool of a family that the scene lists, twice with each filling: the second time there is something to compare. */
const ofFamily = families.map((family) =>
  attack(
    `every tool of ${family} at its largest input`,
    everyTools,
    async (scene, tag) => {
      const all = (await tools(scene)).filter(
        ({ name }) => name.startsWith(`${family}_`) && !waitsOnPurpose.test(name),
      );
      return await measured(scene, tag, works(scene, all));
    },
    keptWaiting,
  ),
);

/** Those of Sluice that belong to no family, and the wrappers of an exposure. */
const others = attack(
  'every other tool at its largest input',
  everyTools,
  async (scene, tag) => {
    const known = new RegExp(`^(?:${families.join('|')}|giant-\\w+|limited)_|__`);
    const all = (await tools(scene)).filter(({ name }) => !known.test(name));
    return await measured(scene, tag, works(scene, all));
  },
  keptWaiting,
);

const extents = [
  ['required', 'what it needs'],
  ['required', 'what it needs, again'],
  ['all', 'all that it takes'],
] as const;

function* works(scene: Scene, all: readonly Tool[]): Generator<readonly [string, () => Promise<unknown>]> {
  for (const { name, inputSchema } of all)
    for (const [filling, fill] of Object.entries(fillings))
      for (const room of [20_000, 1_000_000])
        for (const [extent, words] of extents) {
          const args = largest(inputSchema, fill, room, extent);
          yield [`${name} with ${words}, ${room} characters of ${filling}`, sends(scene, name, args)];
        }
}

/** It must not be refused: then nothing was compared. */
const stores = (scene: Scene, namespace: string, text: string) => async () => {
  const { id } = await asked(scene, 'owner', 'memory_store', { text, namespace });
  scene.kept.set(`near ${namespace}`, String(id));
};

const looksNear = (scene: Scene, namespace: string) => async () => {
  const path = `/api/v1/memories/${scene.kept.get(`near ${namespace}`)}/near`;
  const { status, body } = await scene.send(as(scene, 'owner', { method: 'GET', path, patience: 60_000 }));
  if (status !== 200) throw new Error(`What is near was answered ${status}: ${body.slice(0, 300)}`);
};

/** What the default key needs to slow down a memory: words, and something to compare them with. */
const memory = attack(
  'memories of 20 KB of names, and what is near them',
  everyMode,
  async (scene, tag) => {
    const text = (at: number) => capitals(20_000 - 1).slice(at * 4);
    return await measured(scene, tag, [
      ['the first memory', stores(scene, tag, text(0))],
      ['the second memory', stores(scene, tag, text(1))],
      ['the third memory', stores(scene, tag, text(2))],
      ['looking for what is near', looksNear(scene, tag)],
    ]);
  },
  keptWaiting,
);

const emoji = attack(
  'memories of 1 MB of emoji',
  everyMode,
  async (scene, tag) =>
    await measured(scene, tag, [
      ...['first', 'second', 'third'].map(
        (which) => [`the ${which} memory`, stores(scene, tag, `${'😀'.repeat(490_000)} ${which}`)] as const,
      ),
      ['looking for what is near', looksNear(scene, tag)],
      ['a search', sends(scene, 'memory_search', { query: '😀'.repeat(490_000), namespace: tag })],
    ]),
  keptWaiting,
);

const versions = attack(
  'two versions of a workflow with 200,000 connections',
  everyMode,
  async (scene, tag) => {
    const query = `workflow=${scene.services.n8n?.workflow}&before=older&after=draft`;
    const path = `/api/v1/n8n/version-diff?${query}`;
    const id = scene.services.n8n?.workflow;
    return await measured(scene, tag, [
      ['the page', () => scene.send(as(scene, 'owner', { method: 'GET', path, patience: 60_000 }))],
      ['the tool', sends(scene, 'n8n_diff_versions', { id, before: 'older', after: 'draft' })],
    ]);
  },
  keptWaiting,
  ['n8n'],
);

/** Answers `/block` after two seconds of work, and everything else at once. */
const BLOCKING = `
  const used = () => { const { user, system } = process.cpuUsage(); return user + system; };
  require('node:http').createServer(({ url }, response) => {
    for (const end = used() + 2e6; url === '/block' && used() < end; );
    response.end();
  }).listen(0, '127.0.0.1', function () { console.log(this.address().port); });`;

const blocked = attack(
  'a server that computes for two seconds',
  everyMode,
  async (scene, tag) => {
    const server = spawn(process.execPath, ['-e', BLOCKING], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      const [port] = (await once(server.stdout, 'data')) as [Buffer];
      const get = (path: string) => async () =>
        await (await fetch(`http://127.0.0.1:${String(port).trim()}${path}`)).text();
      const watched = { pid: server.pid as number, asks: [['/health', get('/health')]] as const };
      return await measured(scene, tag, [['its work', get('/block')]], watched);
    } finally {
      server.kill('SIGKILL');
    }
  },
  keptWaiting,
);

export const latencyClass: AttackClass = {
  name: 'latency',
  title: 'Another caller is kept waiting while one key sends what is costly to judge',
  stage: stackStage,
  inOrder: true,
  attacks: [memory, emoji, versions],
  controls: [blocked],
};

export const everyToolClass: AttackClass = {
  name: 'every-tool',
  title: 'Another caller is kept waiting while one key sends the largest input to every tool',
  stage: stackStage,
  isLong: true,
  inOrder: true,
  attacks: [...ofFamily, others],
  controls: [blocked],
};
