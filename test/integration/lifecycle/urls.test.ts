import { expect, test } from 'vitest';
import { type Eras, httpWithSse, listen, streamableHttp } from '../../fixtures/reference/http.ts';
import { createWorld } from '../../fixtures/reference/world.ts';
import { callTool, connectV2, startGateway, type TestGateway, textOf } from '../harness.ts';
import { backendOf, call, errorOf, eventsOf, statusOf, toolNames } from '../../support/plain-calls.ts';

const SOON = { timeout: 15_000, interval: 20 };

type Kind = 'sse' | Eras;

/** A server that can go down, and come back at the same address with no state. */
async function remote(kind: Kind, port = 0) {
  const world = createWorld();
  const server = await listen(kind === 'sse' ? httpWithSse(world) : streamableHttp(world, kind), port);
  return {
    world,
    port: server.port,
    url: `http://127.0.0.1:${server.port}/${kind === 'sse' ? 'sse' : 'mcp'}`,
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

type Remote = Awaited<ReturnType<typeof remote>>;

async function three(stack: AsyncDisposableStack, kind: Kind): Promise<[Remote, Remote, Remote]> {
  const own = async () => stack.use(await remote(kind));
  return [await own(), await own(), await own()];
}

const urlsOf = (remotes: readonly Remote[]) => remotes.map(({ url }) => url);
const stateOf = async (gateway: TestGateway) => (await backendOf(gateway.url, 'far'))?.state;
const urlStatesOf = async (gateway: TestGateway) =>
  (await backendOf(gateway.url, 'far'))?.urls?.map(({ state }) => state);
const finished = ({ world }: Remote) => world.journal.filter((line) => line.startsWith('slow finished')).length;
const started = ({ world }: Remote) => world.journal.filter((line) => line.startsWith('slow started')).length;

test.each(['legacy', 'modern'] as const)('balances calls over all URLs (%s)', async (kind) => {
  await using stack = new AsyncDisposableStack();
  const remotes = await three(stack, kind);
  await using gateway = await startGateway({ mcpServers: { far: { urls: urlsOf(remotes) } } });
  expect(await backendOf(gateway.url, 'far')).toMatchObject({
    state: 'RUNNING',
    urls: remotes.map(({ url }) => ({ url, state: 'RUNNING' })),
  });
  await Promise.all(Array.from({ length: 30 }, () => call(gateway.url, 'far__slow', { ms: 300 })));
  // On a slow machine the first calls may end before the last ones arrive.
  const share = remotes.map(finished);
  expect(Math.max(...share) - Math.min(...share)).toBeLessThanOrEqual(3);
  // One after the other, they take turns.
  for (let round = 0; round < 6; round++) await call(gateway.url, 'far__slow', { ms: 1 });
  expect(remotes.map((one, index) => finished(one) - (share[index] ?? 0))).toEqual([2, 2, 2]);
});

test('sends calls to the least busy URL', async () => {
  await using stack = new AsyncDisposableStack();
  const remotes = await three(stack, 'modern');
  await using gateway = await startGateway({ mcpServers: { far: { urls: urlsOf(remotes) } } });
  const long = call(gateway.url, 'far__slow', { ms: 3000, tag: 'long' });
  await expect.poll(() => remotes.map(started).reduce((sum, count) => sum + count), SOON).toBe(1);
  const busy = remotes.find((one) => started(one) === 1) as Remote;
  for (let round = 0; round < 6; round++) await call(gateway.url, 'far__slow', { ms: 1 });
  expect(finished(busy)).toBe(0);
  expect(remotes.filter((one) => one !== busy).map(finished)).toEqual([3, 3]);
  await long;
});

test('`replicas` are connections to each URL', async () => {
  await using stack = new AsyncDisposableStack();
  const remotes = await three(stack, 'legacy');
  await using gateway = await startGateway({ mcpServers: { far: { urls: urlsOf(remotes), replicas: 2 } } });
  expect(gateway.runtime.apis.gateway.backend('far')?.lanes.shared).toHaveLength(6);
  expect(await urlStatesOf(gateway)).toEqual(['RUNNING', 'RUNNING', 'RUNNING']);
  for (let round = 0; round < 12; round++) await call(gateway.url, 'far__slow', { ms: 1 });
  expect(remotes.map(finished)).toEqual([4, 4, 4]);
});

test.each(['legacy', 'modern', 'sse'] as const)(
  'when a server dies in mid-load (%s), calls that read succeed, and others succeed or say that they may have run',
  async (kind) => {
    await using stack = new AsyncDisposableStack();
    const remotes = await three(stack, kind);
    const [, victim] = remotes;
    await using gateway = await startGateway({ mcpServers: { far: { urls: urlsOf(remotes) } } });
    const results: Promise<{ text: string; error: unknown; tool: string; tag: string }>[] = [];
    const later = async (tool: string, tag: string) => {
      const args = tool === 'far__echo' ? { text: tag } : { ms: 20, tag };
      const result = await call(gateway.url, tool, args);
      return { text: textOf(result), error: errorOf(result), tool, tag };
    };
    let gone: Promise<void> | undefined;
    for (let round = 0; round < 100; round++) {
      results.push(later('far__echo', `read ${round}`), later('far__slow', `write ${round}`));
      if (round === 50) gone = victim[Symbol.asyncDispose]();
      if (round % 10 === 9) await Promise.race(results.slice(-4));
    }
    const all = await Promise.all(results);
    await gone;
    for (const { text, tool, tag } of all) if (tool === 'far__echo') expect(text).toBe(tag);
    const writes = all.filter(({ tool }) => tool === 'far__slow');
    const journal = remotes.flatMap(({ world }) => world.journal);
    for (const { text, error, tag } of writes) {
      const runs = journal.filter((line) => line === `slow started ${tag}`).length;
      expect(runs).toBeLessThanOrEqual(1);
      if (error === undefined) expect([text, runs]).toEqual(['slow 20', 1]);
      else expect(text).toContain('It is unknown whether the call took effect.');
    }
    await expect.poll(() => urlStatesOf(gateway), SOON).toEqual(['RUNNING', 'FAILED', 'RUNNING']);
    const status = await statusOf(gateway.url);
    const far = status.backends.find(({ name }) => name === 'far');
    expect(far).toMatchObject({ state: 'DEGRADED', lastError: { message: expect.stringContaining(victim.url) } });
    expect(status.problems.join('\n')).toContain(`server far: 1 of its 3 URLs does not work: ${victim.url} (`);
    expect((await eventsOf(gateway.url, 'gateway.backend_failed')).length).toBe(0);

    stack.use(await remote(kind, victim.port));
    await expect.poll(() => stateOf(gateway), SOON).toBe('RUNNING');
    expect((await eventsOf(gateway.url, 'gateway.backend_recovered')).length).toBeGreaterThan(0);
  },
);

test('a URL that is down at the start does not matter, and joins when it comes up', async () => {
  await using stack = new AsyncDisposableStack();
  const [first, second] = await three(stack, 'modern');
  await first[Symbol.asyncDispose]();
  await using gateway = await startGateway({ mcpServers: { far: { urls: [first.url, second.url] } } });
  expect(await stateOf(gateway)).toBe('DEGRADED');
  expect(await toolNames(gateway.url)).toContain('far__echo');
  // Changes are announced by a server that works, whichever it is.
  await second.world.toggle('tools');
  await expect.poll(async () => (await toolNames(gateway.url)).includes('far__test_dynamic_tool'), SOON).toBe(true);
  const again = stack.use(await remote('modern', first.port));
  await expect.poll(() => stateOf(gateway), SOON).toBe('RUNNING');
  for (let round = 0; round < 4; round++) await call(gateway.url, 'far__slow', { ms: 1 });
  expect([finished(again), finished(second)]).toEqual([2, 2]);
});

test('list changes arrive after the server that announced them has died', async () => {
  await using stack = new AsyncDisposableStack();
  const remotes = await three(stack, 'modern');
  await using gateway = await startGateway({ mcpServers: { far: { urls: urlsOf(remotes) } } });
  const [first, ...others] = remotes;
  await first[Symbol.asyncDispose]();
  for (let round = 0; round < 3; round++) await call(gateway.url, 'far__echo', { text: 'x' });
  await expect.poll(() => urlStatesOf(gateway), SOON).toEqual(['FAILED', 'RUNNING', 'RUNNING']);
  for (const { world } of others) await world.toggle('tools');
  await expect.poll(async () => (await toolNames(gateway.url)).includes('far__test_dynamic_tool'), SOON).toBe(true);
});

test('all die: calls fail clearly; all come back: calls work again', async () => {
  await using stack = new AsyncDisposableStack();
  const remotes = await three(stack, 'legacy');
  await using gateway = await startGateway({ mcpServers: { far: { urls: urlsOf(remotes) } } });
  for (const one of remotes) await one[Symbol.asyncDispose]();
  const refused = await call(gateway.url, 'far__echo', { text: 'anyone?' });
  expect(errorOf(refused)).toMatchObject({ code: 'unavailable', retryable: true });
  expect(textOf(refused)).toMatch(/^far: /);
  await expect.poll(() => stateOf(gateway), SOON).toBe('FAILED');
  expect(await toolNames(gateway.url)).toContain('far__echo');
  const back = await Promise.all(remotes.map(({ port }) => remote('legacy', port)));
  for (const one of back) stack.use(one);
  await expect.poll(async () => textOf(await call(gateway.url, 'far__echo', { text: 'back' })), SOON).toBe('back');
  await expect.poll(() => stateOf(gateway), SOON).toBe('RUNNING');
});

test('a 503 of one URL is retried elsewhere if the call reads, and progress is told once', async () => {
  await using stack = new AsyncDisposableStack();
  const [good] = await three(stack, 'modern');
  const bad = await listen((_, res) => void res.writeHead(503).end('draining'), 0);
  stack.defer(() => void bad.close());
  await using gateway = await startGateway({
    mcpServers: { far: { urls: [good.url, `http://127.0.0.1:${bad.port}/mcp?key=hidden`] } },
  });
  await using client = await connectV2(gateway, { era: 'modern' });
  const seen: number[] = [];
  for (let round = 0; round < 4; round++) {
    expect(textOf(await callTool(client, 'far__echo', { text: 'read' }))).toBe('read');
    await callTool(client, 'far__slow', { ms: 10 }, { onprogress: ({ progress }) => seen.push(progress) });
  }
  expect(seen).toHaveLength(40);
  const status = JSON.stringify(await statusOf(gateway.url));
  expect(status).toContain(`"url":"http://127.0.0.1:${bad.port}/mcp"`);
  expect(status).not.toContain('hidden');
});

test('with isolation: session, sessions are spread, keep their URL, and move when it dies', async () => {
  await using stack = new AsyncDisposableStack();
  const remotes = await three(stack, 'legacy');
  await using gateway = await startGateway({ mcpServers: { far: { urls: urlsOf(remotes), isolation: 'session' } } });
  const clients = [];
  for (let count = 0; count < 6; count++) {
    const client = stack.use(await connectV2(gateway));
    await callTool(client, 'far__slow', { ms: 1 });
    clients.push(client);
  }
  expect(remotes.map(finished)).toEqual([2, 2, 2]);
  const [first] = clients as [(typeof clients)[number]];
  for (let round = 0; round < 3; round++) await callTool(first, 'far__slow', { ms: 1 });
  expect(remotes.map(finished).toSorted((a, b) => a - b)).toEqual([2, 2, 5]);
  const home = remotes.find((one) => finished(one) === 5) as Remote;
  await home[Symbol.asyncDispose]();
  expect(textOf(await callTool(first, 'far__echo', { text: 'moved' }))).toBe('moved');
  await callTool(first, 'far__slow', { ms: 1 });
  expect(finished(home)).toBe(5);
});

test('`urls` can change without losing a call', async () => {
  await using stack = new AsyncDisposableStack();
  const [one, two, three_] = await three(stack, 'modern');
  await using gateway = await startGateway({ mcpServers: { far: { urls: [one.url, two.url] } } });
  const waiting = ['a', 'b'].map((tag) => call(gateway.url, 'far__slow', { ms: 1000, tag }));
  await expect.poll(() => started(one) + started(two), SOON).toBe(2);
  const enough = new AbortController();
  const missing: string[] = [];
  const load = (async () => {
    for (let round = 0; !enough.signal.aborted; round++) {
      const text = textOf(await call(gateway.url, 'far__echo', { text: `${round}` }));
      if (text !== `${round}`) missing.push(text);
    }
  })();
  await gateway.reload({ mcpServers: { far: { urls: [two.url, three_.url] } } });
  await expect.poll(() => urlStatesOf(gateway), SOON).toEqual(['RUNNING', 'RUNNING']);
  enough.abort();
  await load;
  for (let round = 0; round < 4; round++) await call(gateway.url, 'far__slow', { ms: 1, tag: 'after' });
  expect(missing).toEqual([]);
  expect((await Promise.all(waiting)).map(textOf)).toEqual(['slow 1000', 'slow 1000']);
  expect(one.world.journal.filter((line) => line.endsWith('after'))).toEqual([]);
  expect(finished(three_)).toBe(2);
  expect((await backendOf(gateway.url, 'far'))?.urls?.map(({ url }) => url)).toEqual([two.url, three_.url]);
  // The connections before are closed once their calls have ended.
  await expect
    .poll(async () => (await eventsOf(gateway.url, 'gateway.backend_stopped')).map(({ data }) => data.reason), SOON)
    .toEqual(['its configuration changed']);
});
