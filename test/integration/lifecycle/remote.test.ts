import { expect, test } from 'vitest';
import { type Eras, httpWithSse, listen, streamableHttp } from '../../fixtures/reference/http.ts';
import { createWorld } from '../../fixtures/reference/world.ts';
import { startGateway, textOf } from '../harness.ts';
import { backendOf, call, errorOf, toolNames } from '../../support/plain-calls.ts';

const SOON = { timeout: 15_000, interval: 50 };

/** A remote server that can go down and come back at the same address with no state. */
async function remote(kind: 'sse' | Eras, port = 0) {
  const world = createWorld();
  const server = await listen(kind === 'sse' ? httpWithSse(world) : streamableHttp(world, kind), port);
  return {
    world,
    port: server.port,
    entry: { url: `http://127.0.0.1:${server.port}/${kind === 'sse' ? 'sse' : 'mcp'}` },
    async [Symbol.asyncDispose]() {
      const closed = new Promise((resolve) => server.close(resolve));
      server.closeAllConnections();
      await closed;
    },
  };
}

const kinds = ['legacy', 'modern', 'sse'] as const;

test.each(kinds)('a server (%s) that was restarted in between serves the next call', async (kind) => {
  await using stack = new AsyncDisposableStack();
  const first = await remote(kind);
  await using gateway = await startGateway({ mcpServers: { far: first.entry } });
  const listed = await toolNames(gateway.url);
  expect(textOf(await call(gateway.url, 'far__echo', { text: 'one' }))).toBe('one');

  await first[Symbol.asyncDispose]();
  stack.use(await remote(kind, first.port));
  // The gateway notices a closed event stream at once, but with plain HTTP only at the next call.
  if (kind === 'sse') await expect.poll(async () => (await backendOf(gateway.url, 'far'))?.restarts, SOON).toBe(1);
  expect(textOf(await call(gateway.url, 'far__echo', { text: 'two' }))).toBe('two');
  expect(await toolNames(gateway.url)).toEqual(listed);
  expect(await backendOf(gateway.url, 'far')).toMatchObject({ state: 'RUNNING' });
});

test.each(kinds)('while a server (%s) is down, calls fail clearly and its tools stay listed', async (kind) => {
  await using stack = new AsyncDisposableStack();
  const first = await remote(kind);
  await using gateway = await startGateway({ mcpServers: { far: first.entry } });
  const listed = await toolNames(gateway.url);
  await first[Symbol.asyncDispose]();

  const asked = performance.now();
  const refused = await call(gateway.url, 'far__echo', { text: 'anyone?' });
  expect(performance.now() - asked).toBeLessThan(4000);
  expect(errorOf(refused)).toMatchObject({ code: 'unavailable', retryable: true });
  expect(textOf(refused)).toMatch(/^far: /);
  expect(await toolNames(gateway.url)).toEqual(listed);

  stack.use(await remote(kind, first.port));
  const again = async () => textOf(await call(gateway.url, 'far__echo', { text: 'back' }));
  await expect.poll(again, SOON).toBe('back');
  expect(await backendOf(gateway.url, 'far')).toMatchObject({ state: 'RUNNING' });
});

test('a call that meets an expired session runs once, in a new session', async () => {
  await using stack = new AsyncDisposableStack();
  const first = await remote('legacy');
  await using gateway = await startGateway({ mcpServers: { far: first.entry } });
  await first[Symbol.asyncDispose]();
  const second = stack.use(await remote('legacy', first.port));
  const result = await call(gateway.url, 'far__slow', { ms: 10, tag: 'only once' });
  expect(result.isError).not.toBe(true);
  expect(first.world.journal).toEqual([]);
  expect(second.world.journal).toEqual(['slow started only once', 'slow finished only once']);
  expect(await backendOf(gateway.url, 'far')).toMatchObject({ state: 'RUNNING', restarts: 1 });
});

test('a call in flight when a server goes down gets an error and is not retried', async () => {
  await using stack = new AsyncDisposableStack();
  const first = await remote('modern');
  await using gateway = await startGateway({ mcpServers: { far: first.entry } });
  const hanging = call(gateway.url, 'far__slow', { ms: 60_000, tag: 'lost' });
  await expect.poll(() => first.world.journal).toEqual(['slow started lost']);
  const gone = performance.now();
  await first[Symbol.asyncDispose]();
  const second = stack.use(await remote('modern', first.port));
  expect(errorOf(await hanging)).toMatchObject({ code: 'unavailable' });
  expect(performance.now() - gone).toBeLessThan(4000);
  expect(textOf(await call(gateway.url, 'far__echo', { text: 'next' }))).toBe('next');
  expect(second.world.journal).toEqual([]);
});
