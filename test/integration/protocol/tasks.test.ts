import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { connectV1, connectV2, type Json, send, startGateway, startReference } from '../harness.ts';
import { odd } from '../../support/processes.ts';
import { ask, askIn, call, callIn, said, sessionOf } from '../../support/exchange.ts';
import { listen } from '../../support/listening.ts';
import { Refusal, type ScriptedServer, startScripted } from '../../fixtures/scripted-server.ts';
import { as, serve } from '../../support/served-wire.ts';

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

test('tasks of several servers coexist, each at its own server', async () => {
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

test('a failed task says why it failed', async () => {
  await using a = await startReference('http', 'modern');
  await using gateway = await startGateway({ mcpServers: { a: a.entry } });
  const broken = await start(gateway.mcp, 'a__protocol_error_job');
  await expect.poll(() => status(gateway.mcp, broken)).toBe('failed');
  expect((await get(gateway.mcp, broken)).result.error).toEqual({ code: -32603, message: 'The job broke down' });
});

test('a call that first asks and then continues as a task is one task', async () => {
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

test('clients without the extension get no task and may not ask for one', async () => {
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

/** A server whose tasks are only an id, and that records the requests. */
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

test('a 2026 request for a task reaches only its server, with the original id', async () => {
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

test('tasks of 2025-11-25 are routed the same way, and listed together', async () => {
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

test.each(['legacy', 'modern'] as const)(
  'a %s server that is down does not hide the tasks of the others',
  async (era) => {
    const a = await tasked(era, 'a');
    await using b = await tasked(era, 'b');
    await using gateway = await startGateway({ mcpServers: { a: a.entry, b: b.entry } });
    const session = await sessionOf(gateway.mcp, {});
    await call(gateway.mcp, 'b__job', { id: 'tb' }, knowing);
    await a[Symbol.asyncDispose]();
    if (era === 'modern') return expect((await get(gateway.mcp, 'tb')).result).toMatchObject({ by: 'b' });
    expect((await askIn(gateway.mcp, session, 'tasks/get', { taskId: 'tb' })).result).toMatchObject({ by: 'b' });
    const { result } = await askIn(gateway.mcp, session, 'tasks/list');
    expect(result.tasks).toMatchObject([{ taskId: 'tb' }]);
  },
);

test('only the user who started a task can access it', async () => {
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

test('with replicas, requests for a task go to the replica that has it', async () => {
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

const job = async (url: string, session: Json, name: string, id: string, more: Json = {}) => {
  const params = { name, arguments: { id }, task: { ttl: 60_000 }, ...more };
  const { result } = await askIn(url, session as Record<string, string>, 'tools/call', params);
  return String((result.task as Json).taskId);
};

test('two 2025 servers with the same task id are told apart, and the first keeps its id', async () => {
  await using a = await tasked('legacy', 'a');
  await using b = await tasked('legacy', 'b');
  await using gateway = await startGateway({ mcpServers: { a: a.entry, b: b.entry } });
  using client = await listen(gateway.mcp, 'legacy');
  const { session } = client;
  expect(await job(gateway.mcp, session, 'b__job', '1')).toBe('1');
  expect(await job(gateway.mcp, session, 'a__job', '1')).toBe('a+1');
  for (const method of ['tasks/get', 'tasks/result', 'tasks/cancel']) {
    expect((await askIn(gateway.mcp, session, method, { taskId: '1' })).result).toMatchObject({ taskId: '1', by: 'b' });
    expect((await askIn(gateway.mcp, session, method, { taskId: 'a+1' })).result).toMatchObject({
      taskId: 'a+1',
      by: 'a',
    });
  }
  expect(asked(a)).toEqual(['tasks/get 1', 'tasks/result 1', 'tasks/cancel 1']);
  expect(asked(b)).toEqual(['tasks/get 1', 'tasks/result 1', 'tasks/cancel 1']);
  expect((await askIn(gateway.mcp, session, 'tasks/list')).result.tasks).toEqual([
    { taskId: 'a+1', status: 'working', by: 'a' },
    { taskId: '1', status: 'working', by: 'b' },
  ]);
  await expect.poll(() => a.streams() + b.streams()).toBe(2);
  a.notify('notifications/tasks/status', { taskId: '1', status: 'completed', by: 'a' });
  await expect.poll(() => client.notices('notifications/tasks/status')).toHaveLength(1);
  b.notify('notifications/tasks/status', { taskId: '1', status: 'completed', by: 'b' });
  await expect.poll(() => client.notices('notifications/tasks/status')).toHaveLength(2);
  expect(client.notices('notifications/tasks/status')).toMatchObject([
    { params: { taskId: 'a+1', by: 'a' } },
    { params: { taskId: '1', by: 'b' } },
  ]);
});

test('two 2026 servers with the same task id are told apart', async () => {
  await using a = await tasked('modern', 'a');
  await using b = await tasked('modern', 'b');
  await using gateway = await startGateway({ mcpServers: { a: a.entry, b: b.entry } });
  const first = await call(gateway.mcp, 'a__job', { id: '1' }, knowing);
  expect(first.result).toMatchObject({ resultType: 'task', taskId: '1' });
  const second = await call(gateway.mcp, 'b__job', { id: '1' }, knowing);
  expect(second.result).toMatchObject({ resultType: 'task', taskId: 'b+1' });
  for (const method of ['tasks/get', 'tasks/update', 'tasks/cancel']) {
    expect((await ask(gateway.mcp, method, { taskId: '1' }, knowing)).result).toMatchObject({ taskId: '1', by: 'a' });
    expect((await ask(gateway.mcp, method, { taskId: 'b+1' }, knowing)).result).toMatchObject({
      taskId: 'b+1',
      by: 'b',
    });
  }
  expect(b.received.find(({ method }) => method === 'tasks/cancel')?.headers['mcp-name']).toBe('1');
});

/** A home that several gateways use one after the other. */
async function home() {
  const path = await mkdtemp(join(tmpdir(), 'sluice-tasks-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

test.each(['legacy', 'modern'] as const)(
  'after a restart the tasks of %s servers keep their ids and owners',
  async (era) => {
    await using a = await tasked(era, 'a');
    await using b = await tasked(era, 'b');
    await using place = await home();
    const config = { mcpServers: { a: a.entry, b: b.entry } };
    const askAs = async (url: string, user: string, method: string, params: Json) =>
      era === 'modern'
        ? ask(url, method, params, { ...knowing, headers: as(user) })
        : askIn(url, await sessionOf(url, as(user)), method, params);
    {
      await using first = await startGateway(config, { home: place.path });
      await using wire = await serve(first);
      for (const [user, tool] of [
        ['alice', 'a__job'],
        ['bob', 'b__job'],
      ] as const)
        await askAs(wire.mcp, user, 'tools/call', { name: tool, arguments: { id: '1' }, task: {} });
    }
    await using second = await startGateway(config, { home: place.path });
    await using wire = await serve(second);
    const methods = ['tasks/get', 'tasks/cancel', era === 'modern' ? 'tasks/update' : 'tasks/result'];
    for (const method of methods) {
      for (const [user, taskId] of [
        ['alice', 'b+1'],
        ['bob', '1'],
        ['eve', '1'],
        ['eve', 'a+1'],
        ['alice', '2'],
      ] as const)
        expect((await askAs(wire.mcp, user, method, { taskId })).error, `${method} ${taskId} by ${user}`).toEqual({
          code: -32602,
          message: `Unknown task: ${taskId}`,
        });
    }
    expect([...asked(a), ...asked(b)]).toEqual([]);
    expect((await askAs(wire.mcp, 'alice', 'tasks/cancel', { taskId: '1' })).result).toMatchObject({
      taskId: '1',
      by: 'a',
    });
    expect((await askAs(wire.mcp, 'bob', 'tasks/cancel', { taskId: 'b+1' })).result).toMatchObject({
      taskId: 'b+1',
      by: 'b',
    });
    expect([...asked(a), ...asked(b)]).toEqual(['tasks/cancel 1', 'tasks/cancel 1']);
    if (era === 'modern') return;
    const listedFor = async (user: string) => {
      const { result } = await askAs(wire.mcp, user, 'tasks/list', {});
      return (result.tasks as Json[]).map(({ taskId, by }) => [taskId, by]);
    };
    expect(await listedFor('alice')).toEqual([['1', 'a']]);
    expect(await listedFor('bob')).toEqual([['b+1', 'b']]);
    expect(await listedFor('eve')).toEqual([]);
  },
);

test('a task that was not started in this home is inaccessible, even if there is only one user', async () => {
  await using a = await tasked('legacy', 'a');
  {
    await using elsewhere = await startGateway({ mcpServers: { a: a.entry } });
    await job(elsewhere.mcp, await sessionOf(elsewhere.mcp, {}), 'a__job', 'x');
  }
  await using gateway = await startGateway({ mcpServers: { a: a.entry } });
  using client = await listen(gateway.mcp, 'legacy');
  const { session } = client;
  for (const method of ['tasks/get', 'tasks/cancel', 'tasks/result'])
    expect((await askIn(gateway.mcp, session, method, { taskId: 'x' })).error).toMatchObject({ code: -32602 });
  expect((await askIn(gateway.mcp, session, 'tasks/list')).result.tasks).toEqual([]);
  await expect.poll(() => a.streams()).toBe(1);
  a.notify('notifications/tasks/status', { taskId: 'x', status: 'completed' });
  await a.ping();
  await job(gateway.mcp, session, 'a__job', 'mine');
  a.notify('notifications/tasks/status', { taskId: 'mine', status: 'completed' });
  await expect.poll(() => client.notices('notifications/tasks/status')).toHaveLength(1);
  expect(client.notices('notifications/tasks/status')).toMatchObject([{ params: { taskId: 'mine' } }]);
  expect(asked(a).filter((line) => line.endsWith(' x'))).toEqual([]);
});

test('a task keeps its owner when the configuration of its server changes', async () => {
  await using a = await tasked('legacy', 'a');
  await using gateway = await startGateway({ mcpServers: { a: a.entry } });
  await using wire = await serve(gateway);
  const alice = await sessionOf(wire.mcp, as('alice'));
  const bob = await sessionOf(wire.mcp, as('bob'));
  await job(wire.mcp, alice, 'a__job', 'ta');
  await gateway.reload({ mcpServers: { a: { ...a.entry, headers: { 'X-New': '1' } } } });
  expect((await askIn(wire.mcp, alice, 'tasks/get', { taskId: 'ta' })).result).toMatchObject({ by: 'a' });
  expect((await askIn(wire.mcp, bob, 'tasks/get', { taskId: 'ta' })).error).toMatchObject({ code: -32602 });
});

test('messages of a task carry the id that the client knows, and answers the id that the server knows', async () => {
  const related = (taskId: string) => ({ 'io.modelcontextprotocol/related-task': { taskId } });
  const asking = async () => {
    const backend: ScriptedServer = await startScripted(
      'legacy',
      {
        'tools/list': () => ({ tools: [{ name: 'job', inputSchema: { type: 'object' } }] }),
        'tools/call': () => ({ task: { taskId: '1', status: 'working', ttl: 60_000 } }),
        'tasks/result': async (_, { send: tell }) => {
          const asked = { message: '?', requestedSchema: { type: 'object', properties: {} }, _meta: related('1') };
          tell({ method: 'notifications/message', params: { level: 'info', data: 'x', _meta: related('1') } });
          tell({ id: 'q', method: 'elicitation/create', params: asked });
          await expect.poll(() => backend.received.some(({ id }) => id === 'q')).toBe(true);
          return { content: [], _meta: related('1') };
        },
      },
      { tools: {}, logging: {}, tasks: {} },
    );
    return backend;
  };
  await using a = await asking();
  await using b = await asking();
  await using gateway = await startGateway({ mcpServers: { a: a.entry, b: b.entry } });
  const seen: unknown[] = [];
  await using client = await connectV2(gateway, {
    answer: (_, params) => {
      seen.push(params?._meta);
      return { action: 'accept', content: {}, _meta: params?._meta };
    },
  });
  client.fallbackNotificationHandler = async ({ method, params }) => {
    if (method === 'notifications/message') seen.push(params?._meta);
  };
  const loose = z.looseObject({});
  for (const name of ['a__job', 'b__job'])
    await client.request({ method: 'tools/call', params: { name, arguments: {}, task: {} } }, loose);
  const result = await client.request({ method: 'tasks/result', params: { taskId: 'b+1' } }, loose);
  expect(result._meta).toMatchObject(related('b+1'));
  expect(seen).toMatchObject([related('b+1'), related('b+1')]);
  expect(b.received.find(({ id }) => id === 'q')?.result?._meta).toMatchObject(related('1'));
  expect(a.received.some(({ method }) => method === 'tasks/result')).toBe(false);
});

/** A 2025 server that reports progress of its tasks on demand. */
function reporting() {
  const tokens = new Map<string, unknown>();
  return startScripted(
    'legacy',
    {
      'tools/list': () => ({ tools: [{ name: 'job', inputSchema: { type: 'object' } }] }),
      'tools/call': ({ arguments: args, _meta }, { send: tell }) => {
        const taskId = String((args as Json).id);
        const { progressToken } = _meta as Json;
        tokens.set(taskId, progressToken);
        tell({ method: 'notifications/progress', params: { progressToken, progress: 0 } });
        return { task: { taskId, status: 'working', createdAt: '2026-01-01T00:00:00Z', ttl: 60_000 } };
      },
      'tasks/get': ({ taskId }) => ({ taskId, status: 'working' }),
      'tasks/cancel': ({ taskId }) => ({ taskId, status: 'cancelled' }),
      'test/token': ({ taskId }) => ({ token: tokens.get(String(taskId)) }),
    },
    { tools: {}, tasks: { list: {}, cancel: {}, requests: { tools: { call: {} } } } },
  );
}

async function tokenOf(backend: { entry: { url: string } }, taskId: string): Promise<unknown> {
  const { messages } = await send(backend.entry.url, {
    body: { jsonrpc: '2.0', id: 1, method: 'test/token', params: { taskId } },
  });
  return (messages[0]?.result as Json | undefined)?.token;
}

test('progress of a 2025 task reaches only the client that started it, until the task ends', async () => {
  await using a = await reporting();
  await using gateway = await startGateway({ mcpServers: { a: a.entry } });
  using alice = await listen(gateway.mcp, 'legacy');
  using bob = await listen(gateway.mcp, 'legacy');
  const progress = (who: typeof alice) => who.notices('notifications/progress').map(({ params }) => params);
  await job(gateway.mcp, alice.session, 'a__job', 'ta', { _meta: { progressToken: 'alice-token' } });
  await job(gateway.mcp, bob.session, 'a__job', 'tb', { _meta: { progressToken: 'bob-token' } });
  await expect.poll(() => a.streams()).toBe(1);
  const report = async (taskId: string, step: number) =>
    a.notify('notifications/progress', { progressToken: await tokenOf(a, taskId), progress: step });
  await report('ta', 1);
  await report('tb', 2);
  await report('ta', 3);
  await expect.poll(() => progress(alice)).toHaveLength(2);
  await expect.poll(() => progress(bob)).toHaveLength(1);
  expect(progress(alice)).toEqual([
    { progressToken: 'alice-token', progress: 1 },
    { progressToken: 'alice-token', progress: 3 },
  ]);
  expect(progress(bob)).toEqual([{ progressToken: 'bob-token', progress: 2 }]);

  a.notify('notifications/tasks/status', { taskId: 'ta', status: 'completed' });
  await report('ta', 4);
  await askIn(gateway.mcp, bob.session, 'tasks/cancel', { taskId: 'tb' });
  await report('tb', 5);
  await a.ping();
  expect(progress(alice)).toHaveLength(2);
  expect(progress(bob)).toHaveLength(1);
});

test('progress before the answer of a task stays on the stream of the call', async () => {
  await using a = await reporting();
  await using gateway = await startGateway({ mcpServers: { a: a.entry } });
  const session = await sessionOf(gateway.mcp, {});
  const params = { name: 'a__job', arguments: { id: 't' }, task: {}, _meta: { progressToken: 'mine' } };
  const { before, result } = await askIn(gateway.mcp, session, 'tools/call', params);
  expect(before).toMatchObject([{ params: { progressToken: 'mine', progress: 0 } }]);
  expect(result.task).toMatchObject({ taskId: 't' });
});

test.each(['http', 'sse', 'stdio'] as const)(
  'a real client over %s gets the progress of its task to the end',
  async (transport) => {
    await using a = await reporting();
    await using gateway = await startGateway({ mcpServers: { a: a.entry } });
    await using client = await connectV1(gateway, { transport });
    const heard: unknown[] = [];
    client.fallbackNotificationHandler = async ({ method, params }) => {
      if (method === 'notifications/progress') heard.push(params?.progress);
    };
    client.removeNotificationHandler('notifications/progress');
    const params = { name: 'a__job', arguments: { id: 't' }, task: { ttl: 60_000 }, _meta: { progressToken: 7 } };
    await client.request({ method: 'tools/call', params }, z.looseObject({}));
    await expect.poll(() => a.streams()).toBe(1);
    for (const step of [1, 2, 3])
      a.notify('notifications/progress', { progressToken: await tokenOf(a, 't'), progress: step });
    await expect.poll(() => heard).toEqual([0, 1, 2, 3]);
  },
);
