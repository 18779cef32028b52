import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { type Eras, httpWithSse, listen as listenOn, streamableHttp } from '../../fixtures/reference/http.ts';
import { createWorld, type World } from '../../fixtures/reference/world.ts';
import {
  connectV1,
  connectV2,
  callTool,
  type Json,
  startGateway,
  startReference,
  type TestGateway,
  textOf,
} from '../harness.ts';
import { odd, scratch } from '../../support/processes.ts';
import { ask, askIn, call, callIn, type Exchanged, said, sessionOf } from '../../support/exchange.ts';
import { listen, warm } from '../../support/listening.ts';
import { serve as serveApart } from '../../support/serve-process.ts';
import { Cut, Refusal, startScripted } from '../../fixtures/scripted-server.ts';

const SOON = { timeout: 10_000 };
const stateOf = ({ runtime }: TestGateway, name: string) => runtime.apis.gateway.backend(name)?.state;
const names = async (url: string) =>
  ((await ask(url, 'tools/list')).result.tools as { name: string }[]).map(({ name }) => name);
const ours = ({ result }: Exchanged) => (result._meta as Json | undefined)?.['sluice/error'] as Json | undefined;

/** A reference server that can be replaced by one with fresh state on the same port. */
async function replaceable(transport: 'http' | 'sse', era: Eras) {
  const serve = (world: World, port: number) =>
    listenOn(transport === 'sse' ? httpWithSse(world) : streamableHttp(world, era), port);
  let world = createWorld();
  let server = await serve(world, 0);
  const { port } = server;
  async function stop(): Promise<void> {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
  return {
    entry: { url: `http://127.0.0.1:${port}/${transport === 'sse' ? 'sse' : 'mcp'}` },
    world: () => world,
    stop,
    async start(change: (next: World) => void = () => {}): Promise<void> {
      world = createWorld();
      change(world);
      server = await serve(world, port);
    },
    [Symbol.asyncDispose]: stop,
  };
}

test('a crashed program is restarted, and its new tools are listed', async () => {
  await using room = await scratch();
  const tool = (name: string) => ({ name, inputSchema: { type: 'object' } });
  await writeFile(room.path('tools'), JSON.stringify([tool('before')]));
  await using gateway = await startGateway({
    memory: false,
    mcpServers: { odd: odd('--changes-tools', room.path('tools')) },
  });
  expect(await names(gateway.mcp)).toContain('odd__before');
  await writeFile(room.path('tools'), JSON.stringify([tool('after')]));
  const [pid = 0] = gateway.runtime.apis.gateway.backend('odd')?.pids ?? [];
  process.kill(pid, 'SIGKILL');
  // It restarts without a call.
  await expect.poll(() => names(gateway.mcp), SOON).toContain('odd__after');
  expect(await names(gateway.mcp)).not.toContain('odd__before');
  expect(said(await call(gateway.mcp, 'odd__after'))).toBe('after');
  expect(gateway.runtime.apis.gateway.backend('odd')?.restarts).toBe(1);
});

test('a server that cannot start is retried with back-off until it can', async () => {
  await using room = await scratch();
  const { command, args } = odd('--roll', room.roll);
  const script = `date +%s%N >> ${room.path('tries')}; test -f ${room.path('ready')} || exit 1; exec "$0" "$@"`;
  const entry = { command: '/bin/sh', args: ['-c', script, command, ...args] };
  await using gateway = await startGateway({ memory: false, mcpServers: { odd: entry, other: odd() } });
  expect(said(await call(gateway.mcp, 'other__echo', { text: 'fine' }))).toBe('fine');
  // Each attempt starts it twice: it might have exited because of the 2026 probe.
  await expect.poll(() => room.lines('tries').length, SOON).toBeGreaterThanOrEqual(8);
  expect(['FAILED', 'STARTING']).toContain(stateOf(gateway, 'odd'));
  const times = room.lines('tries').map((line) => Number(line) / 1e6);
  const pauseBefore = (attempt: number) => (times[2 * attempt] ?? 0) - (times[2 * attempt - 1] ?? 0);
  // The second attempt is immediate. Then the back-off grows from half a second, minus up to half as jitter.
  expect(pauseBefore(2)).toBeGreaterThan(200);
  expect(pauseBefore(3)).toBeGreaterThan(450);
  await writeFile(room.path('ready'), '');
  await expect.poll(() => stateOf(gateway, 'odd'), SOON).toBe('RUNNING');
  expect(said(await call(gateway.mcp, 'odd__echo', { text: 'back' }))).toBe('back');
});

test('Sluice reconnects to a 2025 server that lost its session, and serves the call that noticed it', async () => {
  await using backend = await replaceable('http', 'legacy');
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: backend.entry } });
  expect(said(await call(gateway.mcp, 'ref__echo', { text: 'one' }))).toBe('one');
  await backend.stop();
  await backend.start((world) => world.grown.add('tools'));
  expect(said(await call(gateway.mcp, 'ref__echo', { text: 'two' }))).toBe('two');
  await expect.poll(() => names(gateway.mcp), SOON).toContain('ref__test_dynamic_tool');
  expect(stateOf(gateway, 'ref')).toBe('RUNNING');
});

test('Sluice reconnects to a legacy SSE server that went away', async () => {
  await using backend = await replaceable('sse', 'legacy');
  await using gateway = await startGateway({
    memory: false,
    mcpServers: { ref: { ...backend.entry, transport: 'sse' } },
  });
  expect(said(await call(gateway.mcp, 'ref__echo', { text: 'one' }))).toBe('one');
  await backend.stop();
  await expect.poll(() => stateOf(gateway, 'ref'), SOON).not.toBe('RUNNING');
  const away = await call(gateway.mcp, 'ref__echo', { text: 'lost' });
  expect(ours(away)).toMatchObject({ code: 'unavailable', retryable: true });
  expect(await names(gateway.mcp)).toContain('ref__echo');
  await backend.start((world) => world.grown.add('tools'));
  await expect.poll(() => names(gateway.mcp), SOON).toContain('ref__test_dynamic_tool');
  expect(said(await call(gateway.mcp, 'ref__echo', { text: 'two' }))).toBe('two');
});

test('a 2026 server that was replaced between calls is read again, and listeners are notified', async () => {
  await using backend = await replaceable('http', 'modern');
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: backend.entry } });
  using listener = await listen(gateway.mcp, 'modern');
  await warm(listener, () => backend.world().toggle('resources'));
  expect(await names(gateway.mcp)).not.toContain('ref__test_dynamic_tool');
  await backend.stop();
  const away = await call(gateway.mcp, 'ref__echo', { text: 'lost' });
  expect(ours(away)).toMatchObject({ code: 'unavailable', retryable: true });
  listener.forget();
  await backend.start((world) => world.grown.add('tools'));
  expect(said(await call(gateway.mcp, 'ref__echo', { text: 'back' }))).toBe('back');
  await expect.poll(() => names(gateway.mcp), SOON).toContain('ref__test_dynamic_tool');
  await expect.poll(() => listener.listChanges('tools'), SOON).toBe(1);
});

test('a replaced 2026 server has the capabilities of the new one', async () => {
  const hint = { ttlMs: 0, cacheScope: 'private' };
  const tools = { listChanged: true };
  const first = await startScripted('modern', { 'tools/list': () => ({ tools: [], ...hint }) }, { tools });
  const { port } = new URL(first.entry.url);
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: first.entry } });
  await expect.poll(() => first.streams()).toBe(1);
  expect((await ask(gateway.mcp, 'server/discover')).result.capabilities).not.toHaveProperty('prompts');
  await first[Symbol.asyncDispose]();
  const script = { 'prompts/list': () => ({ prompts: [{ name: 'new' }], ...hint }) };
  await using _second = await startScripted('modern', script, { tools, prompts: {} }, Number(port));
  await expect
    .poll(async () => (await ask(gateway.mcp, 'server/discover')).result.capabilities, SOON)
    .toHaveProperty('prompts');
  expect((await ask(gateway.mcp, 'prompts/list')).result.prompts).toEqual([{ name: 'ref__new' }]);
});

test.each(['legacy', 'modern'] as const)('a list of a %s server that failed to load is read later', async (era) => {
  let tries = 0;
  const tools = [{ name: 'late', inputSchema: { type: 'object' } }];
  await using backend = await startScripted(era, {
    'tools/list': () => {
      if (tries++ === 0) throw new Refusal(-32603, 'Not yet');
      return { tools, ttlMs: 0, cacheScope: 'private' };
    },
  });
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: backend.entry } });
  await expect.poll(() => names(gateway.mcp), SOON).toContain('ref__late');
});

test('an attempt that fails half-way leaves no connection behind', async () => {
  let broken = true;
  const list = (field: string) => () => {
    if (broken) throw new Refusal(-32603, 'Not yet');
    return { [field]: [] };
  };
  await using backend = await startScripted(
    'legacy',
    {
      'tools/list': list('tools'),
      'prompts/list': list('prompts'),
      'resources/list': list('resources'),
      'resources/templates/list': list('resourceTemplates'),
    },
    { tools: {}, prompts: {}, resources: {} },
  );
  await using gateway = await startGateway({ memory: false, mcpServers: { ref: backend.entry } });
  const attempts = () => backend.received.filter(({ method }) => method === 'initialize').length;
  await expect.poll(attempts, SOON).toBeGreaterThanOrEqual(3);
  broken = false;
  await expect.poll(() => stateOf(gateway, 'ref'), SOON).toBe('RUNNING');
  await expect.poll(() => backend.streams()).toBe(1);
});

test('a call that changes things fails on a crash, and is not retried', async () => {
  await using room = await scratch();
  await using gateway = await startGateway({
    memory: false,
    mcpServers: { odd: odd('--journal', room.path('journal')) },
  });
  const backend = gateway.runtime.apis.gateway.backend('odd');
  const calling = call(gateway.mcp, 'odd__hang_write');
  await expect.poll(() => room.lines('journal').length).toBe(1);
  process.kill(backend?.pids[0] ?? 0, 'SIGKILL');
  const told = await calling;
  expect(told.result.isError).toBe(true);
  expect(ours(told)).toMatchObject({ code: 'unavailable' });
  expect(said(told)).toContain('odd: The process was ended by SIGKILL');
  expect(said(await call(gateway.mcp, 'odd__echo', { text: 'next' }))).toBe('next');
  expect(room.lines('journal').map((line) => line.split(' ')[1])).toEqual(['hang_write', 'echo']);
});

test('with replicas, only a call that may run twice is retried on another', async () => {
  await using room = await scratch();
  const entry = { ...odd('--journal', room.path('journal')), replicas: 2 };
  await using gateway = await startGateway({ memory: false, mcpServers: { odd: entry } });
  const runs = () => room.lines('journal').map((line) => line.split(' ') as [string, string]);
  const killOwner = async (count: number) => {
    await expect.poll(() => runs().length).toBe(count);
    process.kill(Number(runs().at(-1)?.[0]), 'SIGKILL');
  };
  const changing = call(gateway.mcp, 'odd__hang_write');
  await killOwner(1);
  expect(ours(await changing)).toMatchObject({ code: 'unavailable' });
  const reading = call(gateway.mcp, 'odd__slow', { ms: 1500 });
  await killOwner(2);
  expect(said(await reading)).toBe('slow');
  expect(runs().map(([, name]) => name)).toEqual(['hang_write', 'slow', 'slow']);
  expect(runs()[1]?.[0]).not.toBe(runs()[2]?.[0]);
});

test.each(['legacy', 'modern'] as const)(
  'a call is not retried if a %s server cuts the connection in mid-call',
  async (era) => {
    const tools = ['change', 'look'].map((name) => ({
      name,
      inputSchema: { type: 'object' },
      ...(name === 'look' && { annotations: { readOnlyHint: true } }),
    }));
    await using backend = await startScripted(era, {
      'tools/list': () => ({ tools, ttlMs: 0, cacheScope: 'private' }),
      'tools/call': () => {
        throw new Cut();
      },
    });
    await using gateway = await startGateway({ memory: false, mcpServers: { ref: backend.entry } });
    for (const tool of ['change', 'look']) {
      const told = await call(gateway.mcp, `ref__${tool}`);
      expect(ours(told)).toMatchObject({ code: 'unavailable', retryable: true });
    }
    const ran = backend.received.filter(({ method }) => method === 'tools/call').map(({ params }) => params.name);
    expect(ran).toEqual(['change', 'look']);
  },
);

test('a call that times out is not retried, and is cancelled at the server', async () => {
  await using reference = await startReference('http', 'legacy');
  await using gateway = await startGateway({
    memory: false,
    mcpServers: { ref: { ...reference.entry, callTimeout: '700ms' } },
  });
  const told = await call(gateway.mcp, 'ref__slow', { ms: 60_000, tag: 'T' });
  expect(ours(told)).toMatchObject({ code: 'timeout' });
  const { journal } = reference.world;
  await expect.poll(() => journal).toEqual(['slow started T', 'slow cancelled T']);
});

test.each(['SIGTERM', 'SIGKILL'] as const)(
  '2026 clients do not notice that the gateway restarts after %s',
  async (signal) => {
    await using modern = await startReference('http', 'modern');
    await using legacy = await startReference('http', 'legacy');
    await using place = await scratch();
    const config = { mcpServers: { modern: modern.entry, legacy: legacy.entry } };
    await using gateway = await serveApart(place.directory, config);
    await gateway.ready();
    const url = `${gateway.url}/mcp`;
    await using client = await connectV2({ url, home: '' }, { era: 'modern', path: '/mcp' });
    expect(textOf(await callTool(client, 'modern__echo', { text: 'before' }))).toBe('before');
    const asked = { capabilities: { elicitation: { form: {} } } };
    const args = { kind: 'elicitation', tag: 'T' };
    const held = await call(url, 'modern__ask', args, asked);
    const parked = await call(url, 'legacy__ask', args, asked);
    const session = await sessionOf(url, {});
    await using old = await connectV1({ url, home: '' }, { path: '/mcp' });
    expect(textOf(await callTool(old, 'legacy__echo', { text: 'before' }))).toBe('before');
    const listed = (await ask(url, 'tools/list')).result.tools;

    await gateway.end(signal);
    await using successor = await serveApart(place.directory, config, { port: Number(new URL(url).port) });
    await successor.ready();
    expect(textOf(await callTool(client, 'modern__echo', { text: 'after' }))).toBe('after');
    expect((await ask(url, 'tools/list')).result.tools).toEqual(listed);
    const again = ({ result }: Exchanged) => ({
      ...asked,
      params: {
        requestState: result.requestState,
        inputResponses: Object.fromEntries(
          Object.keys(result.inputRequests as Json).map((key) => [key, { action: 'accept' }]),
        ),
      },
    });
    // The client holds the state of a 2026 backend, so it survives. A parked call was lost with the old gateway.
    expect(said(await call(url, 'modern__ask', args, again(held)))).toContain('T {"action":"accept"');
    const gone = await call(url, 'legacy__ask', args, again(parked));
    expect(gone.error).toMatchObject({ code: -32602, data: { retryable: true } });
    expect(gone.error?.message).toContain('start the call again');

    expect((await callIn(url, session, 'legacy__echo', { text: 'after' })).status).toBe(404);
    expect((await askIn(url, session, 'tools/list')).status).toBe(404);
    await expect(callTool(old, 'legacy__echo', { text: 'after' })).rejects.toThrow(/404|[Ss]ession/);
    await using anew = await connectV1({ url, home: '' }, { path: '/mcp' });
    expect(textOf(await callTool(anew, 'legacy__echo', { text: 'after' }))).toBe('after');
  },
);
