import { rm, writeFile } from 'node:fs/promises';
import { expect, test, vi } from 'vitest';
import type { GatewayStatus } from '../../../src/gateway/status/status.ts';
import { send, startGateway, textOf } from '../harness.ts';
import { backendOf, call, errorOf, eventsOf, statusOf } from '../../support/plain-calls.ts';
import { odd, scratch } from '../../support/processes.ts';
import { serve } from '../../support/serve-process.ts';

const SOON = { interval: 20 };

test('RUNNING: since when, which tools, how fast', async () => {
  await using gateway = await startGateway({ mcpServers: { good: { ...odd(), tags: ['x'] } } });
  const before = await backendOf(gateway.url, 'good');
  expect(before).toMatchObject({
    state: 'RUNNING',
    transport: 'stdio',
    protocol: '2025-11-25',
    tools: 8,
    calls: 0,
    restarts: 0,
    replicas: 1,
    isolation: 'shared',
    tags: ['x'],
  });
  expect(before).not.toHaveProperty('p50Ms');
  expect(before).not.toHaveProperty('lastError');
  expect(before).not.toHaveProperty('retryAt');
  for (const ms of [1, 1, 1, 200]) await call(gateway.url, 'good__slow', { ms });
  const after = await backendOf(gateway.url, 'good');
  expect(after).toMatchObject({ state: 'RUNNING', calls: 4, since: before?.since });
  expect(after?.p50Ms).toBeGreaterThan(0);
  expect(after?.p95Ms).toBeGreaterThanOrEqual(195);
  expect(after?.p50Ms).toBeLessThan(after?.p95Ms ?? 0);
});

test('gateway_status says the same as /api/v1/status', async () => {
  await using gateway = await startGateway({ mcpServers: { good: odd(), bad: odd('--exits', '3') } });
  const stable = (backends: GatewayStatus['backends']) =>
    backends
      .map(({ name, state, tools, transport, restarts }) => ({ name, state, tools, transport, restarts }))
      .sort((a, b) => a.name.localeCompare(b.name));
  // The bad server is retried all the time, so one of the two reads may fall into an attempt.
  await vi.waitFor(async () => {
    const { structuredContent } = await call(gateway.url, 'gateway_status');
    const fromTool = (structuredContent as GatewayStatus).backends;
    expect(stable(fromTool)).toEqual(stable((await statusOf(gateway.url)).backends));
    // Failing servers come first.
    expect(fromTool.map(({ name }) => name)).toEqual(['bad', 'good']);
  }, 10_000);
});

test('FAILED: the reason, and when the next attempt is', async () => {
  await using gateway = await startGateway({
    mcpServers: { exits: odd('--exits', '3'), missing: { command: 'no-such-command' } },
  });
  // The server is retried all the time, so a second read might fall into an attempt.
  const exits = await vi.waitFor(async () => {
    const seen = await backendOf(gateway.url, 'exits');
    expect(seen?.state).toBe('FAILED');
    return seen;
  }, 10_000);
  expect(exits?.lastError?.message).toMatch(/exited with code 3; last output: odd-server: told to end at once/);
  expect(Date.parse(exits?.retryAt ?? '')).toBeGreaterThanOrEqual(Date.parse(exits?.since ?? ''));
  const missing = await backendOf(gateway.url, 'missing');
  expect(missing?.lastError?.message).toMatch(/no-such-command does not exist.*correct "command"/);
  const result = await call(gateway.url, 'gateway_restart_server', { name: 'missing' });
  expect(result.structuredContent).toMatchObject({ state: 'FAILED', error: expect.stringContaining('does not exist') });
});

test('STARTING, and a call that comes meanwhile waits for it', async () => {
  await using files = await scratch();
  const mcpServers = { slow: odd('--mute-file', files.path('mute'), '--roll', files.roll) };
  {
    await using gateway = await serve(files.directory, { mcpServers });
    await expect.poll(async () => (await backendOf(gateway.url, 'slow'))?.state, SOON).toBe('RUNNING');
  }
  await writeFile(files.path('mute'), '');
  await using gateway = await serve(files.directory, { mcpServers });
  await expect.poll(() => files.started(), SOON).toHaveLength(2);
  // Its tools are known from the previous run.
  expect(await backendOf(gateway.url, 'slow')).toMatchObject({ state: 'STARTING', tools: 8, restarts: 0 });
  const waiting = call(gateway.url, 'slow__echo', { text: 'worth it' });
  await rm(files.path('mute'));
  expect(textOf(await waiting)).toBe('worth it');
});

test('STOPPED, while it is being restarted by hand; then RUNNING again', async () => {
  await using files = await scratch();
  await using gateway = await startGateway({ mcpServers: { good: odd('--ignores-sigterm', '--roll', files.roll) } });
  const restarted = call(gateway.url, 'gateway_restart_server', { name: 'good' });
  await expect.poll(async () => (await backendOf(gateway.url, 'good'))?.state, SOON).toBe('STOPPED');
  process.kill(files.started()[0] as number, 'SIGKILL');
  expect((await restarted).structuredContent).toEqual({ name: 'good', state: 'RUNNING' });
  expect(await backendOf(gateway.url, 'good')).toMatchObject({ state: 'RUNNING', restarts: 1 });
  process.kill(files.started()[1] as number, 'SIGKILL');
});

test('DEGRADED when calls go unanswered: fails fast, says when to retry, and gets a new process', async () => {
  await using files = await scratch();
  await using gateway = await startGateway({
    mcpServers: { mute: { ...odd('--roll', files.roll), callTimeout: '500ms' }, other: odd() },
  });
  const silent = await Promise.all(Array.from({ length: 5 }, () => call(gateway.url, 'mute__hang')));
  expect(silent.map((result) => errorOf(result)?.code)).toEqual(silent.map(() => 'timeout'));
  expect(await backendOf(gateway.url, 'mute')).toMatchObject({
    state: 'DEGRADED',
    lastError: { message: expect.stringContaining('silent') },
  });
  const asked = performance.now();
  const refused = await call(gateway.url, 'mute__echo', { text: 'x' });
  expect(performance.now() - asked).toBeLessThan(4000);
  expect(errorOf(refused)).toMatchObject({ code: 'unavailable', retryable: true });
  const retryAfter = errorOf(refused)?.retryAfter as number;
  expect(retryAfter).toBeGreaterThan(5);
  expect(retryAfter).toBeLessThanOrEqual(10);
  const rest = await send(`${gateway.url}/api/v1/mcp/invoke`, { body: { name: 'mute__echo', arguments: {} } });
  expect(rest.status).toBe(503);
  expect(Number(rest.headers['retry-after'])).toBeGreaterThan(0);
  expect(textOf(await call(gateway.url, 'other__echo', { text: 'fine' }))).toBe('fine');

  const state = async () => (await backendOf(gateway.url, 'mute'))?.state;
  await expect.poll(state, { timeout: retryAfter * 1000 + 8000 }).toBe('RUNNING');
  expect(files.started()).toHaveLength(2);
  await expect.poll(() => files.left(), SOON).toEqual([files.started()[1]]);
  expect(textOf(await call(gateway.url, 'mute__echo', { text: 'back' }))).toBe('back');
});

test('every change is an event', async () => {
  await using gateway = await startGateway({ mcpServers: { good: odd() } });
  process.kill(gateway.runtime.apis.gateway.backend('good')?.pids[0] as number, 'SIGKILL');
  await expect.poll(async () => (await backendOf(gateway.url, 'good'))?.restarts, SOON).toBe(1);
  await expect.poll(async () => (await backendOf(gateway.url, 'good'))?.state, SOON).toBe('RUNNING');
  const read = async () =>
    (await eventsOf(gateway.url, 'gateway.backend_*')).map(
      ({ event_type, data }) => `${event_type} ${String(data.backend)}`,
    );
  await expect
    .poll(read, SOON)
    .toEqual([
      'gateway.backend_registered good',
      'gateway.backend_started good',
      'gateway.backend_failed good',
      'gateway.backend_started good',
    ]);
});
