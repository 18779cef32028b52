import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import type {
  DefinitionDetail,
  DefinitionOverview,
  RunTimeline,
} from '../../../src/blueprints/service/detail-views.ts';
import type { KeyGrant } from '../../../src/store/store.ts';
import { startStepServer, type StepServer } from '../../fixtures/step-server.ts';
import { type Json, send, type SendOptions, startGateway, type TestGateway } from '../harness.ts';

let server: StepServer;
let gateway: TestGateway;
let admin: Record<string, string>;
let made = 0;

beforeAll(async () => {
  server = await startStepServer();
  gateway = await startGateway({
    auth: { mode: 'keys' },
    mcpServers: { steps: { ...server.entry, confirm: ['act'] } },
  });
  admin = await key(['admin']);
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.before = () => {};
});

async function key(scopes: string[], more: Partial<KeyGrant> = {}): Promise<Record<string, string>> {
  const grant = { name: `key-${++made}`, scopes, createdBy: 'test', createdAt: new Date().toISOString(), ...more };
  return { 'x-api-key': (await createKey(gateway.runtime.store.keys, grant)).key };
}

async function ask(path: string, headers = admin, options: SendOptions = {}) {
  const { status, messages, headers: answered } = await send(`${gateway.url}/api/v1${path}`, { ...options, headers });
  return { status, headers: answered, body: messages[0] ?? {} };
}

const post = (path: string, body: unknown = {}, headers = admin) => ask(path, headers, { method: 'POST', body });
const messageOf = ({ body }: { body: unknown }) => (body as { error: { message: string } }).error.message;

async function saved(steps: string): Promise<string> {
  const name = `detail-${++made}`;
  expect(await post('/blueprints', { text: `name: ${name}\n${steps}` })).toMatchObject({ status: 200 });
  return name;
}

async function deployed(name: string, inputs: Json = {}, headers = admin): Promise<string> {
  const answer = await post(`/blueprints/${name}/deploy`, { inputs, wait_seconds: 30 }, headers);
  const { confirm } = ((answer.body.error as Json | undefined)?.data ?? {}) as { confirm?: string };
  const body = confirm
    ? (await post(`/blueprints/${name}/deploy`, { inputs, wait_seconds: 30, confirm }, headers)).body
    : answer.body;
  return String(body.run);
}

const overviewOf = async (headers = admin) =>
  (await ask('/blueprint-definitions', headers)).body as unknown as DefinitionOverview;

const timeline = async (run: string, headers = admin) =>
  (await ask(`/blueprint-runs/${run}/timeline`, headers)).body as unknown as RunTimeline;

const put = (id: string) =>
  `  - { id: ${id}, tool: steps__put, arguments: { name: ${id} }, undo: { tool: steps__drop, arguments: { name: ${id} } } }\n`;

test('definitions at a glance: what is wrong now, schedules, and the last run', async () => {
  const good = await saved(`description: Good\nschedule: "0 3 * * *"\nsteps:\n${put('a')}`);
  const bad = await saved('steps: [{ id: a, tool: steps__gone, arguments: {} }]');
  await deployed(good);
  const last = await deployed(good);
  await post(`/blueprints/${good}/deploy`, { schedule: true });
  const answer = await ask('/blueprint-definitions');
  expect(answer.headers['cache-control']).toBe('no-store');
  const { definitions } = answer.body as unknown as DefinitionOverview;
  const by = (name: string) => definitions.find((one) => one.name === name);
  expect(by(good)).toMatchObject({
    description: 'Good',
    origin: 'store',
    steps: 1,
    errors: 0,
    schedule: '0 3 * * *',
    schedules: 1,
    last: { run: last, state: 'succeeded' },
  });
  expect(by(bad)).toMatchObject({ errors: 1, problem: expect.stringContaining('steps__gone') });
  expect(by(bad)?.last).toBeUndefined();
});

test('a definition whole', async () => {
  const name = await saved(
    `inputs: { who: { type: string }, token: { type: string, secret: true, default: "" } }\nneeds: [steps]\nsteps:\n${put('a')}  - { id: each, for_each: [1, 2], when: "\${inputs.who != ''}", tool: steps__look, arguments: { name: x } }\n  - { id: go, approval: Go? }\n`,
  );
  const body = (await ask(`/blueprints/${name}/definition`)).body as unknown as DefinitionDetail;
  expect(body).toMatchObject({
    name,
    text: expect.stringContaining('steps__put'),
    inputs: [
      { name: 'who', required: true, secret: false },
      { name: 'token', required: false, secret: true },
    ],
    needs: [{ source: 'steps', there: true }],
    steps: [
      { step: 'a', kind: 'tool', does: 'steps__put', undo: 'steps__drop' },
      { step: 'each', for_each: '[1,2]', when: "${inputs.who != ''}" },
      { step: 'go', kind: 'approval', does: 'Go?', confirm: 'person' },
    ],
  });
  expect((await ask('/blueprints/none/definition')).status).toBe(404);
});

describe('a run whole', () => {
  test('every item and its undo, and what may be undone is not what was undone before', async () => {
    const name = await saved(
      `on_failure: undo\nsteps:\n${put('a')}  - { id: each, for_each: [x, y], tool: steps__put, arguments: { name: "\${item}" }, undo: { tool: steps__drop, arguments: { name: "\${item}" } } }\n`,
    );
    const run = await deployed(name);
    const first = await timeline(run);
    expect(first).toMatchObject({
      state: 'succeeded',
      name,
      origin: 'store',
      can: { undo: { allowed: true, steps: ['each', 'a'] } },
    });
    expect(first.trace).toMatch(/^[\da-f]{32}$/);
    expect(first.steps[1]?.bars.map(({ item, phase }) => [item, phase])).toEqual([
      [undefined, 'do'],
      [0, 'do'],
      [1, 'do'],
    ]);
    expect(first.steps[1]?.items).toEqual({ done: 2 });

    // The undo of the first step fails: only that one is left.
    server.before = ({ tool, name: thing }) => {
      if (tool === 'drop' && thing === 'a') throw new Error('not now');
    };
    const asked = await post(`/blueprint-runs/${run}/undo`, { wait_seconds: 30 });
    const { confirm } = (asked.body.error as { data: { confirm: string } }).data;
    expect((await post(`/blueprint-runs/${run}/undo`, { wait_seconds: 30, confirm })).body.state).toBe('failed');
    const half = await timeline(run);
    expect(half.can).toEqual({ undo: { allowed: true, steps: ['a'], unsure: [] } });
    expect(half.steps[0]?.bars.at(-1)).toMatchObject({
      phase: 'undo',
      state: 'failed',
      error: expect.stringContaining('not now'),
    });

    server.before = () => {};
    const again = await post(`/blueprint-runs/${run}/undo`, { wait_seconds: 30 });
    const token = (again.body.error as { data: { confirm: string } }).data.confirm;
    expect((await post(`/blueprint-runs/${run}/undo`, { wait_seconds: 30, confirm: token })).body.state).toBe('undone');
    expect((await timeline(run)).can).toEqual({});
  });

  test('says what a caller may do about it, and why not', async () => {
    const name = await saved(`steps:\n${put('a')}  - { id: go, approval: Go? }\n`);
    const run = await deployed(name);
    const own = await timeline(run);
    expect(own.can).toMatchObject({
      approve: { allowed: false, why: expect.stringContaining('You deployed this run') },
      cancel: { allowed: true, undo: true },
    });
    expect((await timeline(run, await key(['blueprint:approve', 'blueprint:read']))).can).toMatchObject({
      approve: { allowed: true },
      cancel: { allowed: false, why: expect.stringContaining('blueprint:execute') },
    });
    expect((await timeline(run, await key(['blueprint:read']))).can).toMatchObject({
      approve: { allowed: false, why: expect.stringContaining('blueprint:approve') },
    });
    // What a read-only key is told it may not do, it may not do.
    const readOnly = await key(['admin'], { readOnly: true });
    const seen = await timeline(run, readOnly);
    expect([seen.can.approve?.allowed, seen.can.cancel?.allowed]).toEqual([false, false]);
    expect((await post(`/blueprint-runs/${run}/approve`, {}, readOnly)).status).toBe(403);
    expect((await post(`/blueprint-runs/${run}/cancel`, { undo: true })).body.state).toBe('undone');
  });

  test('steps of which nobody knows the end', async () => {
    const name = await saved(
      'on_failure: keep\nsteps: [{ id: act, timeout: 50ms, tool: steps__act, arguments: { name: a, ms: 400 } }]',
    );
    const run = await deployed(name);
    expect(await timeline(run)).toMatchObject({
      state: 'unknown',
      can: { resume: { allowed: true, unknown: ['act'] } },
    });
    expect((await post(`/blueprint-runs/${run}/resume`, { unknown: 'done', wait_seconds: 30 })).body.state).toBe(
      'succeeded',
    );
  });

  test('its blueprint is gone', async () => {
    const name = await saved(`steps:\n${put('a')}`);
    const run = await deployed(name);
    const { confirm } = (
      (await ask(`/blueprints/${name}`, admin, { method: 'DELETE' })).body.error as { data: { confirm: string } }
    ).data;
    expect((await ask(`/blueprints/${name}?confirm=${confirm}`, admin, { method: 'DELETE' })).status).toBe(200);
    expect(await timeline(run)).toMatchObject({ state: 'succeeded', steps: [{ step: 'a', does: 'steps__put' }] });
  });

  test('three hundred items with long errors stay an answer of some hundred kilobytes', async () => {
    const items = Array.from({ length: 300 }, (_, n) => n).join(', ');
    const name = await saved(
      `on_failure: keep\nsteps:\n  - { id: each, for_each: [${items}], parallel: 20, tool: steps__put, arguments: { name: "n\${string(item)}" } }\n`,
    );
    server.before = () => {
      throw new Error(`No. ${'x'.repeat(3000)}`);
    };
    const run = await deployed(name);
    const answer = await timeline(run);
    expect(answer.state).toBe('failed');
    expect(JSON.stringify(answer).length).toBeLessThan(300_000);
  });
});

describe('who sees what', () => {
  const SECRET = 'hunter2-hunter2';
  let run: string;
  let name: string;

  beforeAll(async () => {
    server.before = () => {};
    name = await saved(
      'inputs: { token: { type: string, secret: true } }\nsteps: [{ id: a, tool: steps__put, arguments: { name: "${inputs.token}", value: "${inputs.token}" } }, { id: go, approval: "Use ${inputs.token}?" }]\n',
    );
    run = await deployed(name, { token: SECRET });
  });

  const paths = () => [
    '/blueprint-definitions',
    `/blueprints/${name}/definition`,
    `/blueprint-runs/${run}/timeline`,
    `/blueprint-runs/${run}/steps/a`,
    `/blueprint-runs/${run}/steps/go`,
  ];

  test('nobody without blueprint:read', async () => {
    const others = await key(['memory:read', 'health:check']);
    const otherTools = await key(['tools:execute'], { tools: ['gateway_*'] });
    for (const path of paths()) {
      expect((await ask(path, {})).status, path).toBe(401);
      expect((await ask(path, others)).status, path).toBe(403);
      expect((await ask(path, otherTools)).status, path).toBe(403);
    }
  });

  test('a key that is limited to some tools learns nothing of the runs of others', async () => {
    const limited = await key(['tools:execute'], { tools: ['blueprint_*', 'steps__*'] });
    for (const path of paths().slice(2)) expect((await ask(path, limited)).status, path).toBe(404);
    const seen = (await overviewOf(limited)).definitions;
    expect(seen.find((one) => one.name === name)?.last).toBeUndefined();
    const own = await deployed(name, { token: 'another-one' }, limited);
    expect((await timeline(own, limited)).state).toBe('waiting');
    const now = (await overviewOf(limited)).definitions;
    expect(now.find((one) => one.name === name)?.last?.run).toBe(own);
  });

  test('who may not list runs is not told of the last one', async () => {
    const listing = await key(['tools:execute'], { tools: ['blueprint_list_definitions'] });
    const seen = (await overviewOf(listing)).definitions;
    expect(seen.find((one) => one.name === name)).toBeDefined();
    expect(seen.filter(({ last }) => last)).toEqual([]);
    expect((await ask(`/blueprints/${name}/definition`, listing)).status).toBe(403);
  });

  test('values of steps are for whoever deployed it, and for admins', async () => {
    const reading = await key(['blueprint:read', 'blueprint:execute', 'tools:execute']);
    const refused = await ask(`/blueprint-runs/${run}/steps/a`, reading);
    expect([refused.status, messageOf(refused)]).toEqual([403, expect.stringContaining('or an admin')]);
    expect((await ask(`/blueprint-runs/${run}/steps/a`, await key(['admin']))).status).toBe(200);
  });

  test('secrets are masked everywhere', async () => {
    for (const path of [...paths(), `/blueprint-runs/${run}`]) {
      const { status, body } = await ask(path);
      expect(status, path).toBe(200);
      expect(JSON.stringify(body), path).not.toContain(SECRET);
    }
    expect((await ask(`/blueprint-runs/${run}/steps/a`)).body).toMatchObject({
      step: 'a',
      phase: 'do',
      result: expect.anything(),
    });
  });

  test.each([
    ['/steps/none', 404],
    ['/steps/a?item=3', 404],
    ['/steps/a?item=x', 400],
    ['/steps/a?item=-1', 400],
    ['/steps/a?phase=undo', 404],
    ['/steps/__proto__', 404],
  ])('wrong requests: %s', async (rest, status) => {
    expect((await ask(`/blueprint-runs/${run}${rest}`)).status).toBe(status);
  });

  test('a value that is too large is cut, and says so', async () => {
    const big = await deployed(
      await saved('steps: [{ id: a, tool: steps__look, arguments: { name: a, bytes: 300000 } }]'),
    );
    const { body } = await ask(`/blueprint-runs/${big}/steps/a`);
    expect(body.cut).toEqual(['result']);
    expect(String(body.result).length).toBeLessThan(110_000);
  });
});
