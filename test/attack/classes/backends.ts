import { readFile } from 'node:fs/promises';
import {
  as,
  attack,
  type AttackClass,
  call,
  either,
  everyMode,
  type Oracle,
  restCall,
  rpc,
  type Scene,
  shows,
} from '../attack.ts';

/** The answer of a server that claims to be the gateway. */
const claim = (meta: object, more: object = {}) => ({ meta, ...more });
const error = (code: string, more: object = {}) => claim({ 'sluice/error': { code, ...more } });

const codes = [
  'unauthenticated',
  'forbidden',
  'conflict',
  'confirmation_required',
  'rate_limited',
  'not_found',
  'unavailable',
  'timeout',
  'invalid_input',
  'internal',
  'cancelled',
  'wrong_method',
];

/** A server's failure is an answer like any other: 200, and no Retry-After. */
const tookOver: Oracle = ({ status, headers }) => {
  if (status !== 200) return `the server chose the status ${status}`;
  const wait = headers.get('retry-after');
  if (wait !== undefined) return `the server chose Retry-After: ${wait}`;
  return headers.has('www-authenticate') ? `the server asked for ${headers.get('www-authenticate')}` : undefined;
};

const statuses = codes.flatMap((code) => [
  attack(
    `a server claims ${code}, by REST`,
    everyMode,
    (scene) =>
      as(scene, 'owner', restCall('vault__claim', error(code, { retryAfter: 7, retryAfterMs: 7000, scope: 'admin' }))),
    tookOver,
  ),
  attack(
    `a server claims ${code}`,
    everyMode,
    (scene) => as(scene, 'owner', { body: call('vault__claim', error(code, { retryAfter: 7, scope: 'admin' })) }),
    tookOver,
  ),
]);

/** What a server writes under our names must not arrive under them. */
const passedOn = ['sluice/error', 'sluice/execution', 'sluice/idempotency-key', 'sluice/anything', 'SLUICE/error'].map(
  (key) =>
    attack(
      `a server says something as ${key}`,
      everyMode,
      (scene, tag) =>
        as(scene, 'owner', {
          body: call('vault__claim', claim({ [key]: { code: 'forged', id: tag } }, { isError: false })),
        }),
      key.startsWith('sluice/') ? (reply) => shows(`"${key}"`)(reply, undefined as never, '') : () => undefined,
    ),
);

async function recorded(scene: Scene, path: string): Promise<string> {
  return (await scene.send(as(scene, 'admin', { method: 'GET', path }))).text;
}

const inEvents = [
  attack(
    'a server chooses the reason in the events',
    everyMode,
    (scene, tag) => as(scene, 'owner', { body: call('vault__claim', error(`forged-${tag}`)) }),
    async (_, scene, tag) =>
      (await recorded(scene, '/api/v1/events?limit=1000')).includes(`forged-${tag}`)
        ? 'its word stands in the events'
        : undefined,
  ),
  attack(
    'a server chooses a label of the metrics',
    everyMode,
    (scene, tag) => as(scene, 'owner', { body: call('vault__claim', error(`label-${tag}`)) }),
    async (_, scene, tag) =>
      (await recorded(scene, '/metrics')).includes(`label-${tag}`) ? 'its word is a label' : undefined,
  ),
  attack(
    'a server says that a call was an execution in n8n',
    everyMode,
    (scene, tag) =>
      as(scene, 'owner', {
        body: call('vault__claim', claim({ 'sluice/execution': { id: `run-${tag}` } }, { isError: false })),
      }),
    async (_, scene, tag) =>
      (await recorded(scene, '/api/v1/events?limit=1000')).includes(`run-${tag}`)
        ? 'its word stands in the events'
        : undefined,
  ),
];

/** Names that belong to other servers stay theirs. */
const taken = [
  ['open__vendor', '/mcp'],
  ['open:vendor', '/mcp'],
  ['gateway_usage', '/mcp'],
  ['find_tools', '/mcp?expose=search'],
].map(([name, path]) =>
  attack(
    `a server without a prefix takes ${name}`,
    everyMode,
    (scene, tag) => as(scene, 'admin', { path, body: call(name, name === 'find_tools' ? { query: tag } : { tag }) }),
    (_, { around }, tag) =>
      around.bare.journal.some((line) => line.includes(tag)) ? 'the other server was called' : undefined,
  ),
);

/** CPU seconds that a process has used; undefined if that cannot be read. */
async function cpuSeconds(pid: number): Promise<number | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => undefined);
  const fields = stat?.slice(stat.lastIndexOf(')') + 2).split(' ');
  return fields && (Number(fields[11]) + Number(fields[12])) / 100;
}

const CPU_LIMIT = 1.5;

/** Matching a caller's text must take linear time; it has at most some megabytes. */
function costly(name: string, build: (tag: string) => { path?: string; body: string }) {
  const before = new Map<string, number | undefined>();
  return attack(
    name,
    everyMode,
    async (scene, tag) => {
      before.set(tag, await cpuSeconds(scene.gateway.pid));
      return as(scene, 'owner', build(tag));
    },
    async (_, scene, tag) => {
      const [from, to] = [before.get(tag), await cpuSeconds(scene.gateway.pid)];
      if (from === undefined || to === undefined || to - from < CPU_LIMIT) return undefined;
      return `it took ${(to - from).toFixed(1)} s of processor time`;
    },
  );
}

const long = [
  costly('a route over 100 kB of text', () => ({ body: call('open__echo', { text: 'to the vaul'.repeat(10_000) }) })),
  costly('a route over 1 MB of text', () => ({ body: call('open__echo', { text: 'to the vault '.repeat(80_000) }) })),
  costly('a name of 1 MB', () => ({ body: call('open__'.repeat(170_000)) })),
  costly('a name of 1 MB by call_tool', () => ({
    path: '/mcp?expose=search',
    body: call('call_tool', { name: 'open__e'.repeat(150_000) }),
  })),
  costly('a query of 1 MB', () => ({
    path: '/mcp?expose=search',
    body: call('find_tools', { query: 'secret tool '.repeat(80_000) }),
  })),
  costly('a query of 1 MB of one word', () => ({
    path: '/mcp?expose=search',
    body: call('find_tools', { query: 'a'.repeat(1_000_000) }),
  })),
  costly('a compact query of 1 MB', () => ({
    path: '/mcp?expose=compact',
    body: call('open_list', { query: 'secret tool '.repeat(80_000) }),
  })),
  costly('20,000 names to describe', () => ({
    path: '/mcp?expose=search',
    body: call('describe_tools', { names: Array.from({ length: 20_000 }, () => 'open__ecoh') }),
  })),
];

const hostileNames = [
  'constructor',
  'toString',
  '__proto__',
  'hasOwnProperty',
  'valueOf',
  '../../etc/passwd',
  '',
  ' ',
  'a\r\nX: y',
  '\u001b[2J',
  '\u202e',
  'x'.repeat(10_000),
  'open__echo',
  'names_call',
  '💥',
  'then',
  'length',
];

/** The gateway no longer works as before. */
const stopped: Oracle = async (_, scene, tag) => {
  const health = await scene.send({ method: 'GET', path: '/health' });
  if (health.status !== 200) return `it no longer answers: ${health.status} ${health.text.slice(0, 100)}`;
  const echoed = await scene.send(as(scene, 'owner', { body: call('open__slow', { ms: 0, tag }) }));
  if (!scene.around.world.journal.includes(`slow finished ${tag}`))
    return `calls of other servers fail: ${echoed.body.slice(0, 300)}`;
  const status = await scene.send(as(scene, 'admin', { method: 'GET', path: '/api/v1/status' }));
  if (status.status !== 200) return `the status fails: ${status.body.slice(0, 300)}`;
  const list = await scene.send(as(scene, 'owner', { body: rpc('tools/list') }));
  return list.body.includes('"open__slow"') ? undefined : `the list fails: ${list.body.slice(0, 300)}`;
};

const named = hostileNames.map((name) =>
  attack(
    `a server offers a tool named ${JSON.stringify(name).slice(0, 40)}`,
    everyMode,
    async (scene) => {
      const { names } = scene.around;
      const asked = () => names.received.filter(({ method }) => method === 'tools/list').length;
      const before = asked();
      names.offer(['harmless', name]);
      for (let tries = 0; asked() === before && tries < 200; tries++)
        await new Promise((resolve) => setTimeout(resolve, 10));
      return as(scene, 'owner', { body: call(`names__${name}`) });
    },
    either(stopped),
  ),
);

const calledNames = hostileNames
  .slice(0, 8)
  .map((name) =>
    attack(
      `somebody calls a tool named ${JSON.stringify(name).slice(0, 40)}`,
      everyMode,
      (scene) => as(scene, 'owner', { body: call(name) }),
      stopped,
    ),
  );

/** Hostile servers are not something a client can send; a client's call sets them off. */
export const backendClass: AttackClass = {
  name: 'backends',
  title: 'Servers that speak as the gateway, take names, or offer hostile ones',
  inOrder: true,
  attacks: [...statuses, ...passedOn, ...inEvents, ...taken, ...long, ...calledNames, ...named],
  controls: [
    attack(
      'a status of the gateway itself is noticed',
      everyMode,
      (scene) => as(scene, 'owner', restCall('ask__write', { tag: 'x' })),
      tookOver,
    ),
    attack(
      'what a server says is passed on',
      everyMode,
      (scene, tag) =>
        as(scene, 'owner', { body: call('vault__claim', claim({ 'acme/word': tag }, { isError: false })) }),
      shows('"acme/word"'),
    ),
    attack(
      'ends of calls stand in the events',
      everyMode,
      (scene) => as(scene, 'owner', { body: call('ask__write', { tag: 'x' }) }),
      async (_, scene) =>
        (await recorded(scene, '/api/v1/events?limit=1000')).includes('tool.call_unconfirmed') ? 'they do' : undefined,
    ),
    attack(
      'the server without a prefix has tools that are called',
      everyMode,
      async (scene) => {
        const listed = await scene.call('owner', 'tools/list', {});
        const own = (listed.tools as { name: string; description: string }[]).find(
          ({ description, name }) => description === 'Whatever it is called' && !name.startsWith('names__'),
        );
        return as(scene, 'owner', { body: call(own?.name ?? 'none', { by: 'control' }) });
      },
      (_, { around }) => (around.bare.journal.some((line) => line.includes('control')) ? 'it was called' : undefined),
    ),
  ],
  async finish({ around }) {
    around.names.offer(['harmless']);
  },
};
