import { rm, writeFile } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import type { Lane } from '../../../src/gateway/backends/lane.ts';
import { AppError } from '../../../src/kernel/errors.ts';
import { type ScriptedServer, startScripted } from '../../fixtures/scripted-server.ts';
import { callTool, connectV1, type Json, startGateway, textOf } from '../harness.ts';
import { ask, askIn, callIn, said, sessionOf } from '../../support/exchange.ts';
import { listen } from '../../support/listening.ts';
import { backendOf, call, errorOf, toolNames } from '../../support/plain-calls.ts';
import { alive, odd, scratch } from '../../support/processes.ts';

const SOON = { interval: 20 };

/** A server with one resource to subscribe to. */
function library(era: 'legacy' | 'modern', more: ScriptedServer['script'] = {}): Promise<ScriptedServer> {
  return startScripted(
    era,
    {
      'tools/list': () => ({ tools: [{ name: 'do', inputSchema: { type: 'object' } }] }),
      'tools/call': () => ({ content: [{ type: 'text', text: 'done' }] }),
      'resources/list': () => ({ resources: [{ uri: 'x://1', name: 'one' }] }),
      'resources/subscribe': () => ({}),
      'resources/unsubscribe': () => ({}),
      'logging/setLevel': () => ({}),
      ...more,
    },
    { tools: {}, logging: {}, resources: { subscribe: true } },
  );
}

const count = (backend: ScriptedServer, wanted: string) =>
  backend.received.filter(({ method }) => method === wanted).length;

test('subscriptions to a resource survive a changed configuration of its server', async () => {
  await using backend = await library('legacy');
  await using gateway = await startGateway({ mcpServers: { lib: backend.entry } });
  using old = await listen(gateway.mcp, 'legacy');
  await askIn(gateway.mcp, old.session, 'resources/subscribe', { uri: 'x://1' });
  using young = await listen(gateway.mcp, 'modern', { filter: { resourceSubscriptions: ['x://1'] } });
  expect(count(backend, 'resources/subscribe')).toBe(1);
  await gateway.reload({ mcpServers: { lib: { ...backend.entry, headers: { 'X-New': '1' } } } });
  await expect.poll(() => count(backend, 'resources/subscribe'), SOON).toBe(2);
  await expect.poll(() => backend.streams(), SOON).toBe(1);
  backend.notify('notifications/resources/updated', { uri: 'x://1' });
  await expect.poll(() => old.updates(), SOON).toEqual(['x://1']);
  await expect.poll(() => young.updates(), SOON).toEqual(['x://1']);

  // The subscription still ends with its last subscriber.
  await askIn(gateway.mcp, old.session, 'resources/unsubscribe', { uri: 'x://1' });
  expect(count(backend, 'resources/unsubscribe')).toBe(0);
  young.stream.close();
  await expect.poll(() => count(backend, 'resources/unsubscribe'), SOON).toBe(1);
});

test('the same with a 2026 server', async () => {
  await using backend = await library('modern');
  await using gateway = await startGateway({ mcpServers: { lib: backend.entry } });
  using client = await listen(gateway.mcp, 'legacy');
  await askIn(gateway.mcp, client.session, 'resources/subscribe', { uri: 'x://1' });
  const watched = () => backend.listening().flatMap(({ resourceSubscriptions }) => resourceSubscriptions ?? []);
  await expect.poll(watched, SOON).toEqual(['x://1']);
  await gateway.reload({ mcpServers: { lib: { ...backend.entry, headers: { 'X-New': '1' } } } });
  await expect.poll(() => count(backend, 'subscriptions/listen'), SOON).toBe(2);
  await expect.poll(watched, SOON).toEqual(['x://1']);
  await askIn(gateway.mcp, client.session, 'resources/unsubscribe', { uri: 'x://1' });
  await expect.poll(watched, SOON).toEqual([]);
});

test('a failed subscription does not affect a later one that succeeds', async () => {
  let refuse = true;
  await using backend = await library('legacy', {
    'resources/subscribe': () => (refuse ? { error: { code: -32603, message: 'Not now' } } : {}),
  });
  await using gateway = await startGateway({ mcpServers: { lib: backend.entry } });
  using first = await listen(gateway.mcp, 'modern', { filter: { resourceSubscriptions: ['x://1'] } });
  await expect.poll(() => count(backend, 'resources/subscribe'), SOON).toBe(1);
  using second = await listen(gateway.mcp, 'legacy');
  const subscribe = () => askIn(gateway.mcp, second.session, 'resources/subscribe', { uri: 'x://1' });
  expect((await subscribe()).error?.message).toContain('Not now');
  refuse = false;
  expect((await subscribe()).error).toBeUndefined();
  first.stream.close();
  await expect.poll(() => backend.streams(), SOON).toBe(1);
  await ask(gateway.mcp, 'tools/list');
  expect(count(backend, 'resources/unsubscribe')).toBe(0);
  backend.notify('notifications/resources/updated', { uri: 'x://1' });
  await expect.poll(() => second.updates(), SOON).toEqual(['x://1']);
});

test('removing a server with subscribers does not disturb their sessions', async () => {
  await using backend = await library('legacy');
  await using other = await library('modern');
  await using gateway = await startGateway({ mcpServers: { lib: backend.entry, other: other.entry } });
  using client = await listen(gateway.mcp, 'legacy');
  await askIn(gateway.mcp, client.session, 'resources/subscribe', { uri: 'x://1' });
  client.forget();
  await gateway.reload({ mcpServers: { other: other.entry } });
  await expect.poll(() => client.listChanges('resources'), SOON).toBe(1);
  expect((await askIn(gateway.mcp, client.session, 'resources/unsubscribe', { uri: 'x://1' })).error).toBeUndefined();
  expect(said(await callIn(gateway.mcp, client.session, 'other__do'))).toBe('done');
});

test('the log level of a client also applies to servers that are changed or added later', async () => {
  await using backend = await library('legacy');
  await using added = await library('legacy');
  await using gateway = await startGateway({ mcpServers: { lib: backend.entry } });
  const session = await sessionOf(gateway.mcp, {});
  await askIn(gateway.mcp, session, 'logging/setLevel', { level: 'debug' });
  await gateway.reload({ mcpServers: { lib: { ...backend.entry, headers: { 'X-New': '1' } }, added: added.entry } });
  const levels = (of: ScriptedServer) =>
    of.received.filter(({ method }) => method === 'logging/setLevel').map(({ params }) => params.level);
  await expect.poll(() => levels(backend), SOON).toEqual(['debug', 'debug']);
  await expect.poll(() => levels(added), SOON).toEqual(['debug']);
});

test('calls during many reloads are all answered, and no process is left over', async () => {
  await using files = await scratch();
  const entry = odd('--roll', files.roll);
  await using gateway = await startGateway({ mcpServers: { srv: entry, still: odd() } });
  const end = new AbortController();
  const answers: string[] = [];
  const callers = Array.from({ length: 4 }, async (_, caller) => {
    while (!end.signal.aborted) {
      const name = caller % 2 === 0 ? 'srv__echo' : 'still__echo';
      const result = await call(gateway.url, name, { text: name });
      const problem = errorOf(result);
      // A call to a server that is being replaced may fail, but must be marked as retryable.
      answers.push(problem ? `${name} ${problem.code} ${problem.retryable}` : textOf(result));
      await delay(1);
    }
  });
  const served = () => answers.filter((answer) => answer === 'srv__echo').length;
  for (let round = 0; round < 8; round++) {
    const before = served();
    await gateway.reload({ mcpServers: { srv: { ...entry, env: { ROUND: String(round) } }, still: odd() } });
    // Every other round, reload again while the server is still starting.
    if (round % 2 === 0) await expect.poll(served, SOON).toBeGreaterThan(before);
  }
  end.abort();
  await Promise.all(callers);
  expect([...new Set(answers)].filter((answer) => answer !== 'srv__echo unavailable true').sort()).toEqual([
    'srv__echo',
    'still__echo',
  ]);
  expect(textOf(await call(gateway.url, 'srv__echo', { text: 'after' }))).toBe('after');
  await expect.poll(async () => (await files.left()).length, SOON).toBe(1);
});

test('a call does not run if its server is removed while it waits for confirmation', async () => {
  await using files = await scratch();
  const entry = { ...odd('--roll', files.roll), isolation: 'session', confirm: ['write'] };
  await using gateway = await startGateway({ mcpServers: { srv: entry } });
  const asked = Promise.withResolvers<void>();
  const allowed = Promise.withResolvers<void>();
  await using client = await connectV1(gateway, {
    capabilities: { elicitation: {} },
    answer: async (): Promise<Json> => {
      asked.resolve();
      await allowed.promise;
      return { action: 'accept', content: {} };
    },
  });
  const waiting = callTool(client, 'srv__write', { text: 'x' });
  await asked.promise;
  await gateway.reload({ mcpServers: {} });
  allowed.resolve();
  expect(errorOf(await waiting)).toMatchObject({ code: 'unavailable' });
  await expect.poll(() => alive(files.started()), SOON).toEqual([]);
});

test('a server that is removed while it is being restarted does not come back', async () => {
  await using files = await scratch();
  const entry = odd('--roll', files.roll, '--ignores-sigterm');
  await using gateway = await startGateway({ mcpServers: { srv: entry } });
  const restarted = gateway.runtime.apis.gateway.backend('srv')?.lanes.restart();
  await gateway.reload({ mcpServers: {} });
  await restarted;
  expect(files.started()).toHaveLength(1);
  await expect.poll(() => files.left(), SOON).toEqual([]);
});

test('a changed tool that is accepted while its server is down is listed when the server is back', async () => {
  await using files = await scratch();
  const tool = (description: string) => ({ name: 'one', description, inputSchema: { type: 'object' } });
  const list = (description: string) => writeFile(files.path('tools'), JSON.stringify([tool(description)]));
  await list('As it was.');
  const entry = { ...odd('--changes-tools', files.path('tools'), '--mute-file', files.path('mute')), onChange: 'hold' };
  await using gateway = await startGateway({ mcpServers: { srv: { ...entry, timeout: '3s' } } });
  const listed = async () => (await toolNames(gateway.url)).filter((name) => name === 'srv__one');
  await list('Changed.');
  await call(gateway.url, 'srv__announce');
  await expect.poll(listed, SOON).toEqual([]);
  await writeFile(files.path('mute'), '');
  const restarted = call(gateway.url, 'gateway_restart_server', { name: 'srv' });
  await expect.poll(async () => (await backendOf(gateway.url, 'srv'))?.state, SOON).not.toBe('RUNNING');
  const accepted = await call(gateway.url, 'gateway_accept_tools', { name: 'srv' });
  expect(accepted.structuredContent).toEqual({ name: 'srv', accepted: ['one'] });
  expect(await listed()).toEqual(['srv__one']);
  await rm(files.path('mute'));
  await restarted;
  await expect.poll(async () => (await backendOf(gateway.url, 'srv'))?.state, SOON).toBe('RUNNING');
  expect(await listed()).toEqual(['srv__one']);
  expect(textOf(await call(gateway.url, 'srv__one'))).toBe('one');
});

test('while one replica waits for its retry, a call waits for the other one that is starting', async () => {
  await using files = await scratch();
  const entry = { ...odd('--roll', files.roll, '--slow-start', '300'), replicas: 2 };
  await using gateway = await startGateway({ mcpServers: { srv: entry } });
  const { shared } = gateway.runtime.apis.gateway.backend('srv')?.lanes ?? { shared: [] };
  const second = shared[1];
  if (!second) throw new Error('There is no second replica.');
  const retryAt = Date.now() + 60_000;
  const error = new AppError('unavailable', 'It fell over.');
  const restarted = second.restart();
  await expect.poll(() => second.state.state, SOON).toBe('starting');
  const first = shared[0] as Lane;
  const running = first.state;
  first.state = { state: 'failed', since: Date.now(), error, retryAt };
  try {
    expect(textOf(await call(gateway.url, 'srv__write', { text: 'served' }))).toBe('served');
  } finally {
    first.state = running;
    await restarted;
  }
});
