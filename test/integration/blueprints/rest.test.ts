import { Validator } from '@seriousme/openapi-schema-validator';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createKey } from '../../../src/auth/keys.ts';
import type { KeyGrant } from '../../../src/store/store.ts';
import { startStepServer, type StepServer } from '../../fixtures/step-server.ts';
import { type Json, open, send, type SendOptions, startGateway, type TestGateway } from '../harness.ts';

let server: StepServer;
let gateway: TestGateway;
let admin: Record<string, string>;
let other: Record<string, string>;
let made = 0;

beforeAll(async () => {
  server = await startStepServer();
  gateway = await startGateway({
    auth: { mode: 'keys' },
    mcpServers: { steps: { ...server.entry, confirm: ['act'] } },
  });
  [admin, other] = [await key(['admin']), await key(['admin'])];
});
afterAll(async () => {
  await gateway[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});
beforeEach(() => {
  server.calls.length = 0;
  server.before = () => {};
});

async function key(scopes: string[], more: Partial<KeyGrant> = {}): Promise<Record<string, string>> {
  const grant = { name: `key-${++made}`, scopes, createdBy: 'test', createdAt: new Date().toISOString(), ...more };
  const { key: text } = await createKey(gateway.runtime.store.keys, grant);
  return { 'x-api-key': text };
}

/** A request, and the JSON of its answer. */
async function ask(path: string, options: SendOptions = {}): Promise<{ status: number; body: Json }> {
  const { status, messages } = await send(`${gateway.url}/api/v1${path}`, {
    ...options,
    headers: { ...admin, ...options.headers },
  });
  return { status, body: messages[0] ?? {} };
}

const post = (path: string, body: unknown = {}, headers = {}) => ask(path, { method: 'POST', body, headers });
const errorOf = ({ body }: { body: Json }) => body.error as { message: string; data: Json };

async function saved(steps: string): Promise<string> {
  const name = `rest-${++made}`;
  const { status } = await post('/blueprints', { text: `name: ${name}\n${steps}` });
  expect(status).toBe(200);
  return name;
}

const put = (id: string) =>
  `  - { id: ${id}, tool: steps__put, arguments: { name: ${id} }, undo: { tool: steps__drop, arguments: { name: ${id} } } }\n`;

test('a blueprint from its first check to the end of its run, and back', async () => {
  const text = `name: whole\ninputs: { team: { type: string } }\nsteps:\n${put('a')}outputs: { team: "\${inputs.team}" }\n`;
  expect(await post('/blueprints/validate', { text })).toMatchObject({ status: 200, body: { valid: true } });
  const yaml = { headers: { 'content-type': 'application/yaml' }, method: 'POST', body: text };
  expect(await ask('/blueprints', yaml)).toMatchObject({ status: 200, body: { name: 'whole' } });
  expect((await ask('/blueprints?query=whole')).body.definitions).toContainEqual(
    expect.objectContaining({ name: 'whole', origin: 'store' }),
  );
  expect((await ask('/blueprints/whole')).body).toMatchObject({ name: 'whole', text });
  expect((await ask('/blueprints/whole?offset=6')).body.text).toBe(text.slice(6));
  const inputs = { team: 'blue' };
  expect((await post('/blueprints/whole/plan', { inputs })).body).toMatchObject({ steps: [{ step: 'a' }] });
  const deployed = await post('/blueprints/whole/deploy', { inputs, run_id: 'once', wait_seconds: 30 });
  expect(deployed).toMatchObject({ status: 200, body: { state: 'succeeded', outputs: inputs } });
  const { run } = deployed.body;
  expect((await post('/blueprints/whole/deploy', { inputs, run_id: 'once' })).body.run).toBe(run);
  expect((await ask(`/blueprint-runs/${String(run)}`)).body).toMatchObject({ run, state: 'succeeded', inputs });
  expect((await ask('/blueprint-runs?name=whole&limit=5')).body.runs).toMatchObject([{ run }]);
  const refused = await post(`/blueprint-runs/${String(run)}/undo`, { wait_seconds: 30 });
  expect([refused.status, errorOf(refused).data.code]).toEqual([409, 'confirmation_required']);
  expect(server.things.has('a')).toBe(true);
  const { confirm } = errorOf(refused).data;
  expect((await post(`/blueprint-runs/${String(run)}/undo`, { wait_seconds: 30, confirm })).body.state).toBe('undone');
  expect(server.things.has('a')).toBe(false);
  const first = await ask('/blueprints/whole', { method: 'DELETE' });
  const token = String(errorOf(first).data.confirm);
  expect(await ask(`/blueprints/whole?confirm=${token}`, { method: 'DELETE' })).toMatchObject({ status: 200 });
  expect((await ask('/blueprints/whole')).status).toBe(404);
});

test('deploying confirms once, and the token holds for this request only', async () => {
  const name = await saved(
    'inputs: { n: { type: integer } }\nsteps: [{ id: a, tool: steps__act, arguments: { name: a } }]',
  );
  const asked = await post(`/blueprints/${name}/deploy`, { inputs: { n: 1 } });
  expect(asked.status).toBe(409);
  expect(errorOf(asked).message).toContain('a (steps__act)');
  const { confirm } = errorOf(asked).data;
  expect((await post(`/blueprints/${name}/deploy`, { inputs: { n: 2 }, confirm })).status).toBe(409);
  const again = errorOf(await post(`/blueprints/${name}/deploy`, { inputs: { n: 1 } })).data.confirm;
  const done = await post(`/blueprints/${name}/deploy`, { inputs: { n: 1 }, confirm: again });
  expect(done.status).toBe(200);
  const ended = await ask(`/blueprint-runs/${String(done.body.run)}?wait_seconds=30`);
  expect([ended.body.state, server.calls.length]).toEqual(['succeeded', 1]);
});

test('approvals, cancelling and resuming', async () => {
  const name = await saved(`steps:\n${put('a')}  - { id: go, approval: Go? }\n${put('b')}`);
  const deploy = async () => String((await post(`/blueprints/${name}/deploy`, { wait_seconds: 30 })).body.run);
  const [one, two] = [await deploy(), await deploy()];
  const own = await post(`/blueprint-runs/${one}/approve`);
  expect([own.status, errorOf(own).message]).toEqual([403, expect.stringContaining('cannot approve')]);
  expect((await post(`/blueprint-runs/${one}/approve`, { comment: 'fine' }, other)).status).toBe(200);
  expect((await ask(`/blueprint-runs/${one}?wait_seconds=30`)).body.state).toBe('succeeded');
  expect((await post(`/blueprint-runs/${one}/approve`, {}, other)).status).toBe(409);
  expect((await post(`/blueprint-runs/${two}/cancel`, { undo: false })).body.state).toBe('cancelled');
  expect((await post(`/blueprint-runs/${two}/resume`)).status).toBe(200);
  expect((await post(`/blueprint-runs/${two}/approve`, { step: 'go', approve: false }, other)).status).toBe(200);
  expect((await ask(`/blueprint-runs/${two}?wait_seconds=30`)).body.state).toBe('undone');
});

test('schedules', async () => {
  const name = await saved(`steps:\n${put('a')}`);
  const { body } = await post(`/blueprints/${name}/deploy`, { schedule: '0 2 * * *' });
  const id = String(body.run);
  expect(body).toMatchObject({ state: 'scheduled' });
  expect((await ask('/blueprint-schedules')).body.schedules).toMatchObject([{ schedule: id, cron: '0 2 * * *' }]);
  // Its values are not needed to list it or to end it, and may be unreadable.
  await gateway.runtime.store.tables.change("UPDATE blueprint_schedules SET sealed_inputs = 'x' WHERE id = ?", id);
  expect((await ask('/blueprint-schedules')).body.schedules).toMatchObject([{ schedule: id }]);
  expect((await ask(`/blueprint-schedules/${id}`, { method: 'DELETE' })).status).toBe(200);
  expect((await ask(`/blueprint-schedules/${id}`, { method: 'DELETE' })).status).toBe(404);
  expect((await ask('/blueprint-schedules')).body.schedules).toEqual([]);
});

test('a run is no schedule: deleting one does not cancel it', async () => {
  const name = await saved('steps: [{ id: go, approval: Go? }]');
  const { run } = (await post(`/blueprints/${name}/deploy`)).body;
  expect((await ask(`/blueprint-schedules/${String(run)}`, { method: 'DELETE' })).status).toBe(404);
  expect((await ask(`/blueprint-runs/${String(run)}?wait_seconds=5`)).body.state).toBe('waiting');
});

describe('rights are those of the tools', () => {
  const paths: [string, 'GET' | 'POST' | 'DELETE', string][] = [
    ['blueprint:read', 'GET', '/blueprints'],
    ['blueprint:read', 'GET', '/blueprint-runs'],
    ['blueprint:read', 'POST', '/blueprints/validate'],
    ['blueprint:write', 'POST', '/blueprints'],
    ['blueprint:write', 'DELETE', '/blueprints/none'],
    ['blueprint:execute', 'POST', '/blueprints/none/deploy'],
    ['blueprint:execute', 'POST', '/blueprint-runs/none/cancel'],
    ['blueprint:approve', 'POST', '/blueprint-runs/none/approve'],
  ];
  test.each(paths)('%s: %s %s', async (scope, method, path) => {
    const status = async (...scopes: string[]) =>
      (await ask(path, { method, headers: await key(scopes), ...(method === 'POST' && { body: {} }) })).status;
    expect(await status('health:check', 'tools:read')).toBe(403);
    expect(await status('redis:read')).toBe(403);
    expect(await status(scope)).not.toBe(403);
    if (scope === 'blueprint:approve') expect(await status('tools:execute')).toBe(403);
    else expect(await status('tools:execute')).not.toBe(403);
  });

  test('no key, a read-only key, and one that is limited to other tools', async () => {
    expect((await send(`${gateway.url}/api/v1/blueprints`)).status).toBe(401);
    const reading = await key(['tools:execute'], { readOnly: true });
    expect((await ask('/blueprints', { headers: reading })).status).toBe(200);
    const refused = await post('/blueprints', { text: 'name: x' }, reading);
    expect([refused.status, errorOf(refused).message]).toEqual([403, expect.stringContaining('read-only')]);
    const limited = await key(['tools:execute'], { tools: ['gateway_*'] });
    expect((await ask('/blueprints', { headers: limited })).status).toBe(403);
  });
});

describe('wrong requests', () => {
  test.each([
    ['/blueprints/none', {}, 404],
    ['/blueprints/none', { method: 'DELETE' }, 404],
    ['/blueprint-runs/none', {}, 404],
    ['/blueprint-runs/none/events', {}, 404],
    ['/blueprint-runs?limit=x', {}, 400],
    ['/blueprint-runs?limit=5&limits=5', {}, 400],
    ['/blueprint-runs?state=lost', {}, 400],
    ['/blueprints/none/deploy', { method: 'POST', body: {} }, 404],
    ['/blueprints', { method: 'POST', body: {} }, 400],
    ['/blueprints', { method: 'POST', body: '[' }, 400],
    ['/blueprints', { method: 'POST', body: [] }, 400],
    ['/blueprints', { method: 'POST', body: { text: 'x', confirm: 7 } }, 400],
    ['/blueprints', { method: 'POST', body: '{}', headers: { 'content-type': 'text/plain' } }, 415],
    ['/blueprints', { method: 'POST', body: { text: 'name: Wrong Name' } }, 400],
    ['/blueprints/none', { method: 'POST', body: {} }, 405],
  ] as [string, SendOptions, number][])('%s %j: %i', async (path, options, status) => {
    const answer = await ask(path, options);
    expect([answer.status, typeof errorOf(answer).message]).toEqual([status, 'string']);
  });
});

describe('the stream of a run', () => {
  const events = (run: string, headers = {}) =>
    open(`${gateway.url}/api/v1/blueprint-runs/${run}/events`, {
      headers: { ...admin, accept: 'text/event-stream', ...headers },
    });

  test('shows how it is, then every change, and ends with the run', async () => {
    const name = await saved(`steps:\n${put('a')}  - { id: go, approval: Go? }\n${put('b')}`);
    const run = String((await post(`/blueprints/${name}/deploy`, { wait_seconds: 30 })).body.run);
    using stream = await events(run);
    expect(stream.headers['content-type']).toBe('text/event-stream');
    await expect.poll(() => stream.messages.at(-1)).toMatchObject({ run, state: 'waiting', waits: { step: 'go' } });
    await post(`/blueprint-runs/${run}/approve`, {}, other);
    await stream.ended;
    const [last, end] = stream.messages.slice(-2);
    expect(last).toMatchObject({ state: 'succeeded', progress: { done: 3, total: 3 } });
    expect(end).toEqual({ state: 'succeeded' });
    expect(stream.messages.some(({ state }) => state === 'running')).toBe(true);
  });

  test('of a run that has ended is short, and not begun again by who saw the end', async () => {
    const name = await saved(`steps:\n${put('a')}`);
    const run = String((await post(`/blueprints/${name}/deploy`, { wait_seconds: 30 })).body.run);
    using stream = await events(run, { 'last-event-id': '17' });
    await stream.ended;
    expect(stream.messages).toMatchObject([{ state: 'succeeded' }, { state: 'succeeded' }]);
    using after = await events(run, { 'last-event-id': 'end' });
    expect(after.status).toBe(204);
  });

  test('a caller cannot open streams without end', async () => {
    const name = await saved('steps: [{ id: go, approval: Go? }]');
    const run = String((await post(`/blueprints/${name}/deploy`, { wait_seconds: 30 })).body.run);
    const opened = await Promise.all(Array.from({ length: 101 }, () => events(run)));
    expect(opened.filter(({ status }) => status === 429)).toHaveLength(1);
    for (const stream of opened) stream.close();
    await expect
      .poll(async () => {
        using again = await events(run);
        return again.status;
      })
      .toBe(200);
  });

  test('does not show the runs of others to who is limited to some tools', async () => {
    const name = await saved(`steps:\n${put('a')}`);
    const run = String((await post(`/blueprints/${name}/deploy`, { wait_seconds: 30 })).body.run);
    const limited = await key(['tools:execute'], { tools: ['blueprint_*'] });
    using stream = await events(run, limited);
    expect(stream.status).toBe(404);
  });
});

test('the description of the API is valid, with an operation for each endpoint', async () => {
  const { messages } = await send(`${gateway.url}/openapi.json`);
  const document = messages[0] as Json & { paths: Record<string, Record<string, { 'x-scope': string }>> };
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  const described = Object.entries(document.paths).flatMap(([path, methods]) =>
    path.includes('blueprint') ? Object.keys(methods).map((method) => `${method} ${path.slice(7)}`) : [],
  );
  expect(described.sort()).toEqual([
    'delete /blueprint-schedules/{id}',
    'delete /blueprints/{name}',
    'get /blueprint-definitions',
    'get /blueprint-runs',
    'get /blueprint-runs/{run}',
    'get /blueprint-runs/{run}/events',
    'get /blueprint-runs/{run}/steps/{step}',
    'get /blueprint-runs/{run}/timeline',
    'get /blueprint-schedules',
    'get /blueprints',
    'get /blueprints/{name}',
    'get /blueprints/{name}/definition',
    'post /blueprint-runs/{run}/approve',
    'post /blueprint-runs/{run}/cancel',
    'post /blueprint-runs/{run}/resume',
    'post /blueprint-runs/{run}/undo',
    'post /blueprints',
    'post /blueprints/validate',
    'post /blueprints/{name}/deploy',
    'post /blueprints/{name}/plan',
  ]);
  expect(document.paths['/api/v1/blueprint-runs/{run}/approve']?.post?.['x-scope']).toBe('blueprint:approve');
});
