import { randomUUID } from 'node:crypto';
import {
  as,
  attack,
  type AttackClass,
  call,
  either,
  everyMode,
  modernWire,
  type Oracle,
  reach,
  reached,
  reachedOrAnswered,
  rpc,
  type Scene,
  type Who,
  withAuth,
  shows,
  withTokens,
} from '../attack.ts';
import { jsonOf } from '../exchange.ts';

const TASKS = { extensions: { 'io.modelcontextprotocol/tasks': {} } };
const streams = new Map<Scene, AbortController>();

/** A session of the owner, one in the toolset ops, a legacy stream that stays open, and a task. */
async function prepare(scene: Scene): Promise<void> {
  const open = async (path: string) => {
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'owner', version: '1' } };
    const reply = await scene.send(as(scene, 'owner', { path, body: rpc('initialize', params) }));
    return reply.headers.get('mcp-session-id') ?? '';
  };
  scene.kept.set('session', await open('/mcp'));
  scene.kept.set('ops', await open('/mcp/ops'));
  const closing = new AbortController();
  streams.set(scene, closing);
  const response = await fetch(`${scene.url}/sse`, {
    headers: [
      ...scene.as('owner').map(([name, value]): [string, string] => [name, value]),
      ['accept', 'text/event-stream'],
    ],
    signal: closing.signal,
  });
  const hello = new TextDecoder().decode((await response.body?.getReader().read())?.value);
  scene.kept.set('stream', /sessionId=([\w-]+)/.exec(hello)?.[1] ?? '');
  scene.kept.set('task', await makeTask(scene, 'owner', 'owners-task'));
}

async function makeTask(scene: Scene, who: Who, label: string): Promise<string> {
  const made = modernWire('tools/call', { name: 'open__slow_compute', arguments: { seconds: 0, label } }, TASKS);
  const reply = await scene.send(as(scene, who, made));
  const { taskId } = (jsonOf(reply)?.result ?? {}) as { taskId?: string };
  if (taskId === undefined) throw new Error(`No task was made: ${reply.text.slice(0, 500)}`);
  return taskId;
}

const kept = (scene: Scene, name: string) => scene.kept.get(name) ?? '';
const inSession = (scene: Scene, name = 'session') => [['Mcp-Session-Id', kept(scene, name)]] as const;
const accepted: Oracle = ({ status }) => (status === 202 ? 'the message was accepted' : undefined);
const anything: Oracle = either(reachedOrAnswered, accepted, shows('sessionId='));
const done: Oracle = ({ status }) => (status >= 200 && status < 300 ? `it was done: ${status}` : undefined);

const strangers = ['other', 'admin', 'reader', 'narrow', undefined] as const;
const asStranger = (scene: Scene, who: (typeof strangers)[number]) => (who === undefined ? [] : scene.as(who));

const stolen = strangers.flatMap((who) => [
  attack(`${who ?? 'nobody'} calls in the session of another`, withAuth, (scene, tag) => ({
    headers: [...asStranger(scene, who), ...inSession(scene)],
    body: reach(tag),
  })),
  attack(
    `${who ?? 'nobody'} answers in the session of another`,
    withAuth,
    (scene) => ({
      headers: [...asStranger(scene, who), ...inSession(scene)],
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, result: { action: 'accept', content: {} } }),
    }),
    accepted,
  ),
  attack(
    `${who ?? 'nobody'} cancels in the session of another`,
    withAuth,
    (scene) => ({
      headers: [...asStranger(scene, who), ...inSession(scene)],
      body: JSON.stringify({ jsonrpc: '2.0', method: 'notifications/cancelled', params: { requestId: 1 } }),
    }),
    accepted,
  ),
  attack(
    `${who ?? 'nobody'} reads the stream of another`,
    withAuth,
    (scene) => ({
      method: 'GET',
      headers: [...asStranger(scene, who), ...inSession(scene), ['Accept', 'text/event-stream']],
      until: /\r\n\r\n/,
    }),
    done,
  ),
  attack(
    `${who ?? 'nobody'} ends the session of another`,
    withAuth,
    (scene) => ({ method: 'DELETE', headers: [...asStranger(scene, who), ...inSession(scene)] }),
    done,
  ),
  attack(
    `${who ?? 'nobody'} writes to the legacy stream of another`,
    withAuth,
    (scene, tag) => ({
      path: `/message?sessionId=${kept(scene, 'stream')}`,
      headers: asStranger(scene, who),
      body: reach(tag),
    }),
    anything,
  ),
  attack(
    `${who ?? 'nobody'} writes to the legacy stream of another, as /messages`,
    withAuth,
    (scene, tag) => ({
      path: `/messages?sessionId=${kept(scene, 'stream')}&sessionId=x`,
      headers: asStranger(scene, who),
      body: reach(tag),
    }),
    anything,
  ),
]);

const resumed = ['0', '0-0', '1', '-1', '99999999999999999999', '*', '../0', '__proto__'].map((id) =>
  attack(
    `the stream of another from the event ${id} on`,
    withAuth,
    (scene) => ({
      method: 'GET',
      headers: [...scene.as('other'), ...inSession(scene), ['Accept', 'text/event-stream'], ['Last-Event-ID', id]],
      until: /\r\n\r\n/,
    }),
    done,
  ),
);

const spellings: [string, (id: string) => string][] = [
  ['cut short', (id) => id.slice(1)],
  ['in capitals', (id) => id.toUpperCase()],
  ['__proto__', () => '__proto__'],
  ['constructor', () => 'constructor'],
  ['with a comma', (id) => `${id},${id}`],
  ['with a wildcard', () => '*'],
  ['made up', () => randomUUID()],
];

const misspelt = spellings.flatMap(([name, spell]) => [
  attack(`a session id that is ${name}`, everyMode, (scene, tag) => ({
    headers: [...scene.as('owner'), ['Mcp-Session-Id', spell(kept(scene, 'session'))]],
    body: reach(tag),
  })),
  attack(
    `a legacy stream that is ${name}`,
    everyMode,
    (scene, tag) => ({
      path: `/message?sessionId=${spell(kept(scene, 'stream'))}`,
      headers: scene.as('owner'),
      body: reach(tag),
    }),
    anything,
  ),
]);

/** A session opened in a toolset stays in it. */
const outOfToolset = ['/mcp', '/mcp?expose=search', '/mcp/looking', '/', '/sse'].map((path) =>
  attack(`a session of a toolset calls out of it, at ${path}`, everyMode, (scene, tag) => ({
    path,
    headers: [...scene.as('owner', path), ...inSession(scene, 'ops')],
    body: call('vault__secret', { tag }),
  })),
);

const task: Oracle = (reply) => {
  const result = jsonOf(reply)?.result as object | undefined;
  const shown = JSON.stringify(result ?? {});
  return shown.includes('taskId') ||
    shown.includes('owners-task') ||
    (reply.status === 200 && result !== undefined && !shown.includes('"tasks":[]'))
    ? `the task of another: ${shown.slice(0, 200)}`
    : undefined;
};

const tasks = (['other', 'admin', 'reader', 'narrow'] as const).flatMap((who) => [
  ...['tasks/get', 'tasks/cancel', 'tasks/update'].map((method) =>
    attack(
      `${who}: ${method} of another's task`,
      withAuth,
      (scene) =>
        as(
          scene,
          who,
          modernWire(
            method,
            { taskId: kept(scene, 'task'), ...(method === 'tasks/update' && { inputResponses: {} }) },
            TASKS,
          ),
        ),
      task,
    ),
  ),
  ...['tasks/get', 'tasks/result', 'tasks/cancel', 'tasks/list'].map((method) =>
    attack(
      `${who}: ${method} of another's task, in 2025`,
      withAuth,
      (scene) => as(scene, who, { body: rpc(method, method === 'tasks/list' ? {} : { taskId: kept(scene, 'task') }) }),
      task,
    ),
  ),
  attack(
    `${who}: the task under the name of its server`,
    withAuth,
    (scene) => as(scene, who, modernWire('tasks/get', { taskId: `open+${kept(scene, 'task')}` }, TASKS)),
    task,
  ),
]);

/** The first answer of a call that needs confirmation has the token. */
async function tokenFor(scene: Scene, tag: string, who: Who = 'owner'): Promise<string> {
  const result = await scene.call(who, 'tools/call', { name: 'ask__write', arguments: { tag } });
  const { confirm } = ((result._meta as Record<string, unknown>)['sluice/error'] ?? {}) as { confirm?: string };
  if (confirm === undefined) throw new Error(`No token: ${JSON.stringify(result)}`);
  return confirm;
}

const runs = ({ around: { world, vault } }: Scene, tag: string) =>
  world.journal.filter((line) => line === `slow finished ${tag}`).length +
  vault.journal.filter((line) => line === `write ${JSON.stringify({ tag })}`).length;
const ranMore =
  (than: number): Oracle =>
  (_, scene, tag) =>
    runs(scene, tag) > than ? `it ran ${runs(scene, tag)} times, confirmed ${than} times` : undefined;

const confirmed = (tag: string, token: string) => call('ask__write', { tag, confirm: token });
const stated = (tag: string, requestState: string) => ({ name: 'ask__write', arguments: { tag }, requestState });

const confirmations = [
  attack(
    'a confirmation that was used',
    everyMode,
    async (scene, tag) => {
      const token = await tokenFor(scene, tag);
      await scene.send(as(scene, 'owner', { body: confirmed(tag, token) }));
      return as(scene, 'owner', { body: confirmed(tag, token) });
    },
    ranMore(1),
  ),
  attack(
    'a confirmation as the state of a request',
    everyMode,
    async (scene, tag) => as(scene, 'owner', { body: rpc('tools/call', stated(tag, await tokenFor(scene, tag))) }),
    ranMore(0),
  ),
  attack(
    'a confirmation as the state of a request of 2026',
    everyMode,
    async (scene, tag) => as(scene, 'owner', modernWire('tools/call', stated(tag, await tokenFor(scene, tag)))),
    ranMore(0),
  ),
  attack(
    'a used confirmation as the state of a request',
    everyMode,
    async (scene, tag) => {
      const token = await tokenFor(scene, tag);
      await scene.send(as(scene, 'owner', { body: confirmed(tag, token) }));
      return as(scene, 'owner', { body: rpc('tools/call', stated(tag, token)) });
    },
    ranMore(1),
  ),
  attack(
    'a confirmation, by REST, that was used over MCP',
    everyMode,
    async (scene, tag) => {
      const token = await tokenFor(scene, tag);
      await scene.send(as(scene, 'owner', { body: confirmed(tag, token) }));
      const body = JSON.stringify({ name: 'ask__write', arguments: { tag }, confirm: token });
      return as(scene, 'owner', { path: '/api/v1/mcp/invoke', body });
    },
    ranMore(1),
  ),
  attack(
    'one confirmation, sent in a batch',
    everyMode,
    async (scene, tag) => {
      const token = await tokenFor(scene, tag);
      const each = [1, 2, 3, 4].map((id) => call('ask__write', { tag, confirm: token }, id));
      return as(scene, 'owner', { headers: [['MCP-Protocol-Version', '2025-03-26']], body: `[${each.join()}]` });
    },
    ranMore(1),
  ),
  attack(
    'a confirmation for other arguments',
    everyMode,
    async (scene, tag) => {
      const token = await tokenFor(scene, `${tag}-asked`);
      return as(scene, 'owner', { body: confirmed(tag, token) });
    },
    ranMore(0),
  ),
  attack(
    'the confirmation of another',
    withAuth,
    async (scene, tag) => as(scene, 'other', { body: confirmed(tag, await tokenFor(scene, tag)) }),
    ranMore(0),
  ),
  ...['true', 'yes', '', '*', randomUUID(), '__proto__'].map((made) =>
    attack(
      `a confirmation made up: ${JSON.stringify(made)}`,
      everyMode,
      (scene, tag) => as(scene, 'owner', { body: confirmed(tag, made) }),
      ranMore(0),
    ),
  ),
  ...['e30', '', 'null', '{"confirmed":true}'].map((made) =>
    attack(
      `a state made up: ${JSON.stringify(made)}`,
      everyMode,
      (scene, tag) => as(scene, 'owner', modernWire('tools/call', stated(tag, made))),
      ranMore(0),
    ),
  ),
];

/** The same person with another token must not get the rights that the session was opened with. */
const sameSub = [
  attack('the same sub with fewer scopes, in the session', withTokens, async (scene, tag) => {
    const open = await scene.token({ claims: { sub: `twin-${tag}`, scope: 'tools:read tools:execute' } });
    const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'twin', version: '1' } };
    const opened = await scene.send({
      headers: [['Authorization', `Bearer ${open}`]],
      body: rpc('initialize', params),
    });
    const weak = await scene.token({ claims: { sub: `twin-${tag}`, scope: 'tools:read' } });
    return {
      headers: [
        ['Authorization', `Bearer ${weak}`],
        ['Mcp-Session-Id', opened.headers.get('mcp-session-id') ?? ''],
      ],
      body: reach(tag),
    };
  }),
];

export const sessionClass: AttackClass = {
  name: 'sessions',
  title: 'Sessions, streams, tasks and confirmations of others',
  prepare,
  attacks: [...stolen, ...resumed, ...misspelt, ...outOfToolset, ...tasks, ...confirmations, ...sameSub],
  controls: [
    attack('the owner calls in the session', everyMode, (scene, tag) => ({
      headers: [...scene.as('owner'), ...inSession(scene)],
      body: reach(tag),
    })),
    attack(
      'the owner writes to the legacy stream',
      everyMode,
      (scene, tag) => ({
        path: `/message?sessionId=${kept(scene, 'stream')}`,
        headers: scene.as('owner'),
        body: reach(tag),
      }),
      anything,
    ),
    attack(
      'the owner asks for the task',
      everyMode,
      (scene) => as(scene, 'owner', modernWire('tasks/get', { taskId: kept(scene, 'task') }, TASKS)),
      task,
    ),
    attack(
      'the owner confirms',
      everyMode,
      async (scene, tag) => as(scene, 'owner', { body: confirmed(tag, await tokenFor(scene, tag)) }),
      ranMore(0),
    ),
    attack(
      'what runs twice is noticed',
      everyMode,
      async (scene, tag) => {
        await scene.send(as(scene, 'owner', { body: reach(tag) }));
        return as(scene, 'owner', { body: reach(tag) });
      },
      ranMore(1),
    ),
  ],
  async finish(scene) {
    streams.get(scene)?.abort();
    streams.delete(scene);
  },
};

/** After a restart, the gateway must still know the owners of tasks and which confirmations were used. */
export const restartClass: AttackClass = {
  name: 'after-restart',
  title: 'After a restart, and read-only as a whole',
  async prepare(scene) {
    scene.kept.set('oldTask', await makeTask(scene, 'owner', 'owners-task'));
    scene.kept.set('oldSession', kept(scene, 'session'));
  },
  restart: (config) => ({ ...config, gateway: { ...(config.gateway as object), readOnly: true } }),
  attacks: [
    ...(['other', 'admin', 'reader', 'narrow'] as const).flatMap((who) =>
      ['tasks/get', 'tasks/cancel', 'tasks/update'].map((method) =>
        attack(
          `${who}: ${method} of a task that was made before`,
          withAuth,
          (scene) =>
            as(
              scene,
              who,
              modernWire(
                method,
                { taskId: kept(scene, 'oldTask'), ...(method === 'tasks/update' && { inputResponses: {} }) },
                TASKS,
              ),
            ),
          task,
        ),
      ),
    ),
    ...(['other', 'admin'] as const).map((who) =>
      attack(
        `${who}: the list of tasks, in 2025`,
        withAuth,
        (scene) => as(scene, who, { body: rpc('tasks/list') }),
        task,
      ),
    ),
    ...['/mcp', '/mcp?expose=compact', '/mcp?expose=search', '/mcp/ops', '/mcp/looking'].flatMap((path) => [
      attack(
        `a change, at ${path}`,
        everyMode,
        (scene, tag) => as(scene, 'admin', { path, body: reach(tag) }),
        reached,
      ),
      attack(
        `a change by the alias, at ${path}`,
        everyMode,
        (scene, tag) => as(scene, 'admin', { path, body: call('vault:write', { tag }) }),
        reached,
      ),
      attack(
        `a change by call_tool, at ${path}`,
        everyMode,
        (scene, tag) =>
          as(scene, 'admin', { path, body: call('call_tool', { name: 'vault__write', arguments: { tag } }) }),
        reached,
      ),
    ]),
    attack(
      'a change by REST',
      everyMode,
      (scene, tag) =>
        as(scene, 'admin', { path: '/api/v1/mcp/tools/vault__write/invoke', body: JSON.stringify({ tag }) }),
      reached,
    ),
    attack('a server is added', everyMode, (scene) =>
      as(scene, 'admin', {
        body: call('gateway_add_server', { name: 'late', server: { url: 'https://example.com/mcp' } }),
      }),
    ),
  ],
  controls: [
    attack(
      'what only reads',
      everyMode,
      (scene, tag) => as(scene, 'admin', { body: call('vault__secret', { tag }) }),
      reached,
    ),
  ],
};
