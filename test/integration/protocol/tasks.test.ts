import { expect, test } from 'vitest';
import { type Json, send, startGateway, startReference } from '../harness.ts';
import { odd } from '../lifecycle/processes.ts';
import { ask, askIn, call, callIn, said, sessionOf } from './exchange.ts';
import { listen } from './listening.ts';
import { Refusal, startScripted } from './scripted-backend.ts';
import { as, serve } from './served.ts';

const TASKS = 'io.modelcontextprotocol/tasks';
const capabilities = { extensions: { [TASKS]: {} }, elicitation: { form: {} } };
const knowing = { capabilities };

const start = async (url: string, name: string, args: Json = {}) => {
  const { result } = await call(url, name, args, knowing);
  expect(result).toMatchObject({ resultType: 'task', status: 'working' });
  return String(result.taskId);
};
const get = (url: string, taskId: string) => ask(url, 'tasks/get', { taskId }, knowing);
const status = async (url: string, taskId: string) => (await get(url, taskId)).result.status;

test('33: tasks of several servers live side by side, each where it was made', async () => {
  await using a = await startReference('http', 'modern');
  await using b = await startReference('stdio', 'modern');
  await using gateway = await startGateway({ mcpServers: { a: a.entry, b: b.entry } });
  const { mcp } = gateway;
  const first = await start(mcp, 'a__slow_compute', { seconds: 0.2, label: 'first' });
  const second = await start(mcp, 'b__slow_compute', { seconds: 60, label: 'second' });
  await expect.poll(() => status(mcp, first)).toBe('completed');
  expect((await get(mcp, first)).result).toMatchObject({ result: { content: [{ text: 'Computed first in 0.2 s' }] } });
  expect(await status(mcp, second)).toBe('working');
  const cancelled = await ask(mcp, 'tasks/cancel', { taskId: second }, knowing);
  expect(cancelled.error).toBeUndefined();
  expect(await status(mcp, second)).toBe('cancelled');

  const asking = await start(mcp, 'b__confirm_delete', { filename: 'x' });
  await expect.poll(() => status(mcp, asking)).toBe('input_required');
  expect((await get(mcp, asking)).result.inputRequests).toHaveProperty('confirm');
  const inputResponses = { confirm: { action: 'accept', content: { confirm: 'yes' } } };
  await ask(mcp, 'tasks/update', { taskId: asking, inputResponses }, knowing);
  await expect.poll(() => status(mcp, asking)).toBe('completed');
  expect(JSON.stringify((await get(mcp, asking)).result)).toContain('x: {');
});

test('33: a failed task tells how it failed', async () => {
  await using a = await startReference('http', 'modern');
  await using gateway = await startGateway({ mcpServers: { a: a.entry } });
  const broken = await start(gateway.mcp, 'a__protocol_error_job');
  await expect.poll(() => status(gateway.mcp, broken)).toBe('failed');
  expect((await get(gateway.mcp, broken)).result.error).toEqual({ code: -32603, message: 'The job broke down' });
});

test('33: a call that asks first and then goes on as a task is one', async () => {
  await using a = await startReference('http', 'modern');
  await using gateway = await startGateway({ mcpServers: { a: a.entry } });
  const { result } = await call(gateway.mcp, 'a__test_tool_with_task', {}, knowing);
  expect(result.resultType).toBe('input_required');
  const inputResponses = { user_name: { action: 'accept', content: { name: 'Ada' } } };
  const params = { inputResponses, ...(result.requestState !== undefined && { requestState: result.requestState }) };
  const { result: task } = await call(gateway.mcp, 'a__test_tool_with_task', {}, { ...knowing, params });
  expect(task.resultType).toBe('task');
  await expect.poll(() => status(gateway.mcp, String(task.taskId))).toBe('completed');
});

test('33: clients without the extension get no task and may not ask for one', async () => {
  await using a = await startReference('http', 'modern');
  await using gateway = await startGateway({ mcpServers: { a: a.entry } });
  expect(said(await call(gateway.mcp, 'a__slow_compute', { seconds: 0.05 }))).toContain('Computed');
  const session = await sessionOf(gateway.mcp, {});
  expect(said(await callIn(gateway.mcp, session, 'a__slow_compute', { seconds: 0.05 }))).toContain('Computed');
  const task = await start(gateway.mcp, 'a__slow_compute', { seconds: 60 });
  expect(await ask(gateway.mcp, 'tasks/get', { taskId: task })).toMatchObject({ status: 400, error: { code: -32021 } });
  expect((await get(gateway.mcp, 'no-such-task')).error).toMatchObject({ code: -32602 });
  expect((await ask(gateway.mcp, 'tasks/get', {}, knowing)).error).toMatchObject({ code: -32602 });
});

/** A server whose tasks are nothing but a name, and who remembers who asked. */
function tasked(era: 'legacy' | 'modern', name: string) {
  const made = new Set<string>();
  const known = ({ taskId }: Json) => {
    if (!made.has(String(taskId))) throw new Refusal(-32602, `Unknown task ${String(taskId)}`);
    return { taskId: taskId as string, status: 'working', by: name };
  };
  const methods = ['tasks/get', 'tasks/cancel', 'tasks/update', 'tasks/result'];
  const capabilitiesOf = era === 'legacy' ? { tasks: { list: {}, cancel: {} } } : { extensions: { [TASKS]: {} } };
  return startScripted(
    era,
    {
      'tools/list': () => ({
        tools: [{ name: 'job', inputSchema: { type: 'object' } }],
        ttlMs: 0,
        cacheScope: 'private',
      }),
      'tools/call': ({ arguments: args }) => {
        const taskId = String((args as Json).id);
        made.add(taskId);
        const task = { taskId, status: 'working', createdAt: '2026-01-01T00:00:00Z', ttl: 1000, ttlMs: 1000 };
        return era === 'legacy' ? { task } : { resultType: 'task', ...task };
      },
      ...Object.fromEntries(methods.map((method) => [method, known])),
      'tasks/list': () => ({ tasks: [...made].map((taskId) => ({ taskId, status: 'working', by: name })) }),
    },
    { tools: {}, ...capabilitiesOf },
  );
}

const asked = (backend: { received: readonly { method: string; params: Json }[] }) =>
  backend.received
    .filter(({ method }) => method.startsWith('tasks/'))
    .map(({ method, params }) => `${method} ${String(params.taskId)}`);

test('33: a 2026 request for a task reaches its server and no other, under its own name', async () => {
  await using a = await tasked('modern', 'a');
  await using b = await tasked('modern', 'b');
  await using gateway = await startGateway({ mcpServers: { a: a.entry, b: b.entry } });
  for (const [tool, id] of [
    ['a__job', 'ta'],
    ['b__job', 'tb'],
  ] as const)
    await call(gateway.mcp, tool, { id }, knowing);
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    for (const taskId of ['tb', 'ta']) {
      const { result } = await ask(gateway.mcp, method, { taskId }, knowing);
      expect(result).toMatchObject({ taskId, by: taskId.slice(1) });
    }
  }
  expect(asked(a)).toEqual(['tasks/get ta', 'tasks/update ta', 'tasks/cancel ta']);
  expect(asked(b)).toEqual(['tasks/get tb', 'tasks/update tb', 'tasks/cancel tb']);
  expect(a.received.find(({ method }) => method === 'tasks/get')?.headers['mcp-name']).toBe('ta');
});

test('33: tasks of 2025-11-25 are routed the same way, and listed together', async () => {
  await using a = await tasked('legacy', 'a');
  await using b = await tasked('legacy', 'b');
  await using gateway = await startGateway({ mcpServers: { a: a.entry, b: b.entry } });
  const session = await sessionOf(gateway.mcp, {});
  for (const [name, id] of [
    ['a__job', 'ta'],
    ['b__job', 'tb'],
  ] as const) {
    const { result } = await askIn(gateway.mcp, session, 'tools/call', {
      name,
      arguments: { id },
      task: { ttl: 1000 },
    });
    expect(result.task).toMatchObject({ taskId: id });
  }
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
    for (const taskId of ['tb', 'ta']) {
      expect((await askIn(gateway.mcp, session, method, { taskId })).result).toMatchObject({
        taskId,
        by: taskId.slice(1),
      });
    }
  }
  expect(asked(a)).toEqual(['tasks/get ta', 'tasks/result ta', 'tasks/cancel ta']);
  expect(asked(b)).toEqual(['tasks/get tb', 'tasks/result tb', 'tasks/cancel tb']);
  const { tasks } = (await askIn(gateway.mcp, session, 'tasks/list')).result as { tasks: Json[] };
  expect(tasks.map(({ taskId }) => taskId)).toEqual(['ta', 'tb']);
});

test('33: after a restart of the gateway a task is found at its server', async () => {
  await using a = await tasked('modern', 'a');
  await using b = await tasked('modern', 'b');
  const config = { mcpServers: { a: a.entry, b: b.entry } };
  await using first = await startGateway(config);
  await call(first.mcp, 'b__job', { id: 'tb' }, knowing);
  await using second = await startGateway(config);
  expect((await get(second.mcp, 'tb')).result).toMatchObject({ by: 'b' });
  const before = asked(a).length;
  expect((await get(second.mcp, 'tb')).result).toMatchObject({ by: 'b' });
  expect(asked(a)).toHaveLength(before);
});

test.each(['legacy', 'modern'] as const)(
  '33: a %s server that is down does not hide the tasks of the others',
  async (era) => {
    const a = await tasked(era, 'a');
    await using b = await tasked(era, 'b');
    await using gateway = await startGateway({ mcpServers: { a: a.entry, b: b.entry } });
    const session = await sessionOf(gateway.mcp, {});
    // Made behind the back of the gateway, so that it has to look for it.
    const job = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'job', arguments: { id: 'tb' } } };
    await send(b.entry.url, { body: job });
    await a[Symbol.asyncDispose]();
    if (era === 'modern') return expect((await get(gateway.mcp, 'tb')).result).toMatchObject({ by: 'b' });
    expect((await askIn(gateway.mcp, session, 'tasks/get', { taskId: 'tb' })).result).toMatchObject({ by: 'b' });
    const { result } = await askIn(gateway.mcp, session, 'tasks/list');
    expect(result.tasks).toMatchObject([{ taskId: 'tb' }]);
  },
);

test("33: a task is its maker's", async () => {
  await using a = await tasked('legacy', 'a');
  await using gateway = await startGateway({ mcpServers: { a: a.entry } });
  await using wire = await serve(gateway);
  using alice = await listen(wire.mcp, 'legacy', { headers: as('alice') });
  using bob = await listen(wire.mcp, 'legacy', { headers: as('bob') });
  await callIn(wire.mcp, alice.session, 'a__job', { id: 'ta' });
  expect((await askIn(wire.mcp, bob.session, 'tasks/get', { taskId: 'ta' })).error).toMatchObject({ code: -32602 });
  expect((await askIn(wire.mcp, bob.session, 'tasks/cancel', { taskId: 'ta' })).error).toMatchObject({ code: -32602 });
  expect((await askIn(wire.mcp, bob.session, 'tasks/list')).result.tasks).toEqual([]);
  expect((await askIn(wire.mcp, alice.session, 'tasks/get', { taskId: 'ta' })).result).toMatchObject({ by: 'a' });
  expect((await askIn(wire.mcp, alice.session, 'tasks/list')).result.tasks).toMatchObject([{ taskId: 'ta' }]);

  await expect.poll(() => a.streams()).toBe(1);
  a.notify('notifications/tasks/status', { taskId: 'ta', status: 'completed' });
  await expect.poll(() => alice.notices('notifications/tasks/status')).toHaveLength(1);
  await callIn(wire.mcp, bob.session, 'a__job', { id: 'tb' });
  a.notify('notifications/tasks/status', { taskId: 'tb', status: 'completed' });
  await expect.poll(() => bob.notices('notifications/tasks/status')).toHaveLength(1);
  expect(bob.notices('notifications/tasks/status')).toMatchObject([{ params: { taskId: 'tb' } }]);
  expect(alice.notices('notifications/tasks/status')).toMatchObject([{ params: { taskId: 'ta' } }]);
});

test('33: with replicas a task is asked for at the one that made it', async () => {
  await using reference = await startReference('stdio', 'modern');
  await using gateway = await startGateway({ mcpServers: { ref: { ...reference.entry, replicas: 3 }, odd: odd() } });
  const tasks = await Promise.all(
    Array.from({ length: 9 }, (_, index) =>
      start(gateway.mcp, 'ref__slow_compute', { seconds: 60, label: String(index) }),
    ),
  );
  const states = await Promise.all([...tasks, ...tasks].map((taskId) => status(gateway.mcp, taskId)));
  expect(states).toEqual(states.map(() => 'working'));
});
