import { once } from 'node:events';
import { mkdtempDisposable } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, test } from 'vitest';
import { modern, open, openSession, rpc, send } from '../integration/harness.ts';
import { lineTo } from '../support/cut-line.ts';
import { ownPostgres } from '../support/own-postgres.ts';
import { call, statusOf } from '../support/plain-calls.ts';
import { postgresIsMissing } from '../support/postgres.ts';
import { odd, type Scratch, scratch } from '../support/processes.ts';
import { serve, type ServeProcess } from '../support/serve-process.ts';

const SOON = { timeout: 15_000, interval: 20 };
/** What `docker stop` waits. */
const GRACE_MS = 10_000;
const SSE = { accept: 'text/event-stream' };

/** Takes every request, and answers none. */
async function silence(): Promise<{ url: string } & Disposable> {
  const server: Server = createServer(() => {});
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    [Symbol.dispose]() {
      server.close();
      server.closeAllConnections();
    },
  };
}

const readiness = async (url: string) => {
  const { status, text } = await send(`${url}/ready`);
  return `${status} ${text}`;
};

const started = ({ lines }: Scratch, tool: string) =>
  lines('journal').filter((line) => line.endsWith(` ${tool}`)).length;

/** What a call came to: its text, or why there is none. */
const outcome = (url: string, tool: string, args = {}) =>
  call(url, tool, args).then(
    ({ isError, content }) => `${isError ? 'error: ' : ''}${(content?.[0] as { text?: string } | undefined)?.text}`,
    (error: Error) => `failed: ${error.message}`,
  );

const stored = (home: string, type: string): number => {
  using database = new DatabaseSync(join(home, 'sluice.db'), { readOnly: true });
  return Number(database.prepare('SELECT count(*) AS n FROM events WHERE event_type = ?').get(type)?.n);
};

test('under load: not ready first, calls in flight end, all is stored, and nothing is left within ten seconds', async () => {
  await using files = await scratch();
  using silent = await silence();
  await using gateway = await serve(files.directory, {
    mcpServers: {
      quick: odd('--roll', files.roll, '--journal', files.path('journal')),
      stubborn: odd('--roll', files.roll, '--journal', files.path('journal'), '--ignores-sigterm', '--grandchild'),
      away: { url: `${silent.url}/mcp`, timeout: '1s' },
    },
    n8n: { default: { url: silent.url, apiKey: 'not-a-real-key-of-any-n8n' } },
    events: { webhook: { url: `${silent.url}/events` } },
    limits: { requests: 2000 },
  });
  const { url, home } = gateway;
  const running = async () => (await statusOf(url)).backends.filter(({ state }) => state === 'RUNNING').length;
  await expect.poll(running, SOON).toBe(2);
  await expect.poll(() => readiness(url), SOON).toContain('200');

  const session = await openSession(`${url}/mcp`);
  using standing = await open(`${url}/mcp`, { headers: { ...session, ...SSE } });
  using legacy = await open(`${url}/sse`, { headers: SSE });
  using listening = await open(
    `${url}/mcp`,
    modern('subscriptions/listen', { notifications: { toolsListChanged: true } }),
  );
  const slow = Promise.all(Array.from({ length: 200 }, () => outcome(url, 'quick__slow', { ms: 2000 })));
  const hanging = Promise.all(Array.from({ length: 5 }, () => outcome(url, 'stubborn__hang')));
  await expect.poll(() => [started(files, 'slow'), started(files, 'hang')], SOON).toEqual([200, 5]);

  const asked = performance.now();
  const ended = gateway.end('SIGTERM');
  await expect.poll(() => readiness(url), { timeout: 2000, interval: 5 }).toBe('503 {"status":"stopping"}');
  const late = await send(`${url}/mcp`, modern('tools/call', { name: 'quick__echo', arguments: {} }));
  expect([late.status, late.headers['retry-after'], late.headers.connection]).toEqual([503, '5', 'close']);
  expect(late.text).toContain('The gateway is stopping');
  // Who only looks what there is keeps what he knows.
  const looking = await send(`${url}/mcp`, { headers: await openSession(`${url}/mcp`), body: rpc(1, 'tools/list') });
  expect([looking.status, looking.text.includes('quick__echo')]).toEqual([200, true]);

  expect(new Set(await slow)).toEqual(new Set(['slow']));
  for (const said of await hanging) expect(said).toContain('The gateway is stopping');
  expect(await ended, gateway.output()).toBe(0);
  const ms = performance.now() - asked;
  console.log(`stopped within ${Math.round(ms)} ms under load`);
  expect(ms).toBeLessThan(GRACE_MS);
  await Promise.all([standing.ended, legacy.ended, listening.ended]);
  expect(await files.left()).toEqual([]);
  expect(stored(home, 'tool.call_completed')).toBeGreaterThanOrEqual(200);
  expect(stored(home, 'tool.call_failed')).toBeGreaterThanOrEqual(5);
  expect(stored(home, 'gateway.stopped')).toBe(1);
}, 90_000);

test('Ctrl-C with nothing in flight stops at once', async () => {
  await using files = await scratch();
  await using gateway = await serve(files.directory, { mcpServers: { quick: odd('--roll', files.roll) } });
  await gateway.ready();
  await openSession(`${gateway.url}/mcp`);
  const asked = performance.now();
  expect(await gateway.end('SIGINT')).toBe(0);
  expect(performance.now() - asked).toBeLessThan(2500);
  expect(gateway.output()).not.toContain('Send the signal again');
});

test('a second signal ends it at once', async () => {
  await using files = await scratch();
  await using gateway = await serve(files.directory, {
    mcpServers: { stubborn: odd('--roll', files.roll, '--journal', files.path('journal'), '--ignores-sigterm') },
  });
  await gateway.ready();
  const hanging = outcome(gateway.url, 'stubborn__hang');
  await expect.poll(() => started(files, 'hang'), SOON).toBe(1);
  const ended = gateway.end('SIGTERM');
  await expect.poll(() => gateway.output(), SOON).toContain('Waiting for calls in flight');
  // Signals within half a second count as one.
  const asked = performance.now();
  const again = setInterval(() => process.kill(gateway.pid, 'SIGTERM'), 100);
  expect(await ended.finally(() => clearInterval(again))).toBe(1);
  expect(performance.now() - asked).toBeLessThan(2000);
  expect(await hanging).toContain('failed');
  await expect.poll(() => files.left(), SOON).toEqual([]);
});

test.each([
  ['hung', 'json'],
  ['died', 'json'],
  ['hung', 'text'],
] as const)('who started it has %s, and nobody reads its log (%s): it serves, and stops', async (how, logFormat) => {
  await using files = await scratch();
  await using gateway = await serve(files.directory, { logLevel: 'debug', logFormat, mcpServers: { quick: odd() } });
  await gateway.ready();
  gateway.unread('hung');
  // Their lines fill the pipe, and more wait in memory.
  for (let n = 0; n < 15; n++)
    await Promise.all(Array.from({ length: 100 }, () => outcome(gateway.url, 'quick__echo', { text: 'x' })));
  expect(await outcome(gateway.url, 'quick__echo', { text: 'still here' })).toBe('still here');
  gateway.unread(how);
  expect(await gateway.end('SIGTERM')).toBe(0);
});

test('server.drain: it goes on answering for that long', async () => {
  await using files = await scratch();
  await using gateway = await serve(files.directory, { server: { drain: '1s' }, mcpServers: { quick: odd() } });
  await gateway.ready();
  const ended = gateway.end('SIGTERM');
  await expect.poll(() => readiness(gateway.url), { timeout: 1000, interval: 5 }).toContain('503');
  expect(await outcome(gateway.url, 'quick__echo', { text: 'still here' })).toBe('still here');
  expect(await ended).toBe(0);
});

describe.skipIf(postgresIsMissing)(`replicas${postgresIsMissing ? ` (${postgresIsMissing})` : ''}`, () => {
  const replica = async (stack: AsyncDisposableStack, store: string, mcpServers: object): Promise<ServeProcess> => {
    const place = stack.use(await mkdtempDisposable(join(tmpdir(), 'sluice-stop-')));
    const env = { SLUICE_SECRET_KEY: 'one secret for all replicas of this test' };
    const started = stack.use(await serve(place.path, { store, mcpServers, nodes: { build: 'manual' } }, { env }));
    await started.ready();
    return started;
  };

  test('one of two with everything as it is by default, and one whose database no longer answers', async () => {
    await using files = await scratch();
    await using postgres = await ownPostgres();
    await postgres.start();
    await using stack = new AsyncDisposableStack();
    const servers = {
      quick: odd('--roll', files.roll, '--journal', files.path('journal')),
      stubborn: odd('--roll', files.roll, '--journal', files.path('journal'), '--ignores-sigterm'),
    };
    const line = stack.use(await lineTo(postgres.server.port));
    const first = await replica(stack, postgres.url(), servers);
    const second = await replica(stack, postgres.url().replace(`:${postgres.server.port}/`, `:${line.port}/`), {});
    await expect.poll(async () => (await statusOf(first.url)).replicas?.length, SOON).toBe(2);
    const slow = Promise.all(Array.from({ length: 50 }, () => outcome(first.url, 'quick__slow', { ms: 1000 })));
    const hanging = outcome(first.url, 'stubborn__hang');
    await expect.poll(() => [started(files, 'slow'), started(files, 'hang')], SOON).toEqual([50, 1]);

    let asked = performance.now();
    const ended = first.end('SIGTERM');
    await expect.poll(() => readiness(first.url), { timeout: 2000, interval: 5 }).toBe('503 {"status":"stopping"}');
    expect(await outcome(first.url, 'quick__echo', { text: 'still here' })).toBe('still here');
    expect(new Set(await slow)).toEqual(new Set(['slow']));
    expect(await hanging).toContain('The gateway is stopping');
    expect(await ended).toBe(0);
    console.log(`a replica stopped within ${Math.round(performance.now() - asked)} ms`);
    expect(performance.now() - asked).toBeLessThan(GRACE_MS);
    expect(await files.left()).toEqual([]);

    line.freeze();
    asked = performance.now();
    await second.end('SIGTERM');
    console.log(`without its database it stopped within ${Math.round(performance.now() - asked)} ms`);
    expect(performance.now() - asked).toBeLessThan(GRACE_MS);
  }, 90_000);
});
