import { rm, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startGateway, textOf } from '../harness.ts';
import { backendOf, call, statusOf } from '../../support/plain-calls.ts';
import { odd, scratch } from '../../support/processes.ts';
import { serve } from '../../support/serve-process.ts';
import { silentServer } from './silent-server.ts';

const SOON = { interval: 20 };

const readiness = async (url: string) => (await fetch(new URL('/ready', url))).status;

async function stateOf(url: string, name: string): Promise<string | undefined> {
  return (await backendOf(url, name))?.state;
}

test('servers start independently, each with its own timeout, and /ready says when all have settled', async () => {
  await using files = await scratch();
  const begun = performance.now();
  await using gateway = await serve(files.directory, {
    mcpServers: {
      quick: odd(),
      never: { ...odd('--never-initializes'), timeout: '5s' },
      slow: { ...odd('--slow-start', '1000'), timeout: '20s' },
      impatient: { ...odd('--slow-start', '60000'), timeout: '1s' },
      broken: odd('--exits', '1'),
    },
  });
  await expect.poll(() => stateOf(gateway.url, 'quick'), SOON).toBe('RUNNING');
  expect(textOf(await call(gateway.url, 'quick__echo', { text: 'already' }))).toBe('already');
  expect(await stateOf(gateway.url, 'never')).toBe('STARTING');
  expect(await readiness(gateway.url)).toBe(503);

  await expect.poll(() => readiness(gateway.url), SOON).toBe(200);
  expect(performance.now() - begun).toBeGreaterThan(4900);
  const { backends } = await statusOf(gateway.url);
  expect(backends.find(({ name }) => name === 'slow')?.state).toBe('RUNNING');
  for (const name of ['never', 'impatient', 'broken'])
    expect(backends.find((backend) => backend.name === name)?.lastError, name).toBeDefined();
  expect(backends.find(({ name }) => name === 'never')?.lastError?.message).toContain('silent for 5 s');
});

test('hanging servers do not block others from starting', async () => {
  await using files = await scratch();
  const hanging = Array.from({ length: 12 }, (_, index) => [
    `hang${index}`,
    { ...odd('--never-initializes'), timeout: '60s' },
  ]);
  await using gateway = await serve(files.directory, {
    gateway: { startConcurrency: 4 },
    mcpServers: { ...Object.fromEntries(hanging), good: odd() },
  });
  await expect.poll(() => stateOf(gateway.url, 'good'), { timeout: 15_000 }).toBe('RUNNING');
});

test('startConcurrency limits how many start at once', async () => {
  await using files = await scratch();
  const servers = Array.from({ length: 6 }, (_, index) => [
    `s${index}`,
    odd('--roll', files.roll, '--slow-start', '300'),
  ]);
  await using gateway = await serve(files.directory, {
    gateway: { startConcurrency: 2 },
    mcpServers: Object.fromEntries(servers),
  });
  let most = 0;
  const running = async () => {
    // Count before the slow status request: a server that starts meanwhile must not count as too many.
    const started = files.started().length;
    const { backends } = await statusOf(gateway.url);
    const up = backends.filter(({ state }) => state === 'RUNNING').length;
    most = Math.max(most, started - up);
    return up;
  };
  await expect.poll(running, { timeout: 10_000, interval: 10 }).toBe(6);
  expect(most).toBeGreaterThan(0);
  expect(most).toBeLessThanOrEqual(2);
});

test('a legacy SSE server that accepts but never answers fails at its timeout', async () => {
  await using silent = await silentServer();
  await using gateway = await startGateway({
    mcpServers: { silent: { url: `${silent.url}/sse`, transport: 'sse', timeout: '1s' }, good: odd() },
  });
  const { backends } = await statusOf(gateway.url);
  expect(backends.find(({ name }) => name === 'silent')?.lastError?.message).toContain('silent for 1 s');
  expect(backends.find(({ name }) => name === 'good')?.state).toBe('RUNNING');
  // Only the connection of the current attempt may be open.
  await expect.poll(() => silent.open()).toBeLessThanOrEqual(1);
});

test('a server that could not start runs as soon as it can', async () => {
  await using files = await scratch();
  await writeFile(files.path('mute'), '');
  await using gateway = await startGateway({
    mcpServers: { late: { ...odd('--mute-file', files.path('mute')), timeout: '2s' } },
  });
  expect((await backendOf(gateway.url, 'late'))?.lastError).toBeDefined();
  await rm(files.path('mute'));
  await expect.poll(() => stateOf(gateway.url, 'late'), SOON).toBe('RUNNING');
  expect(textOf(await call(gateway.url, 'late__echo', { text: 'here' }))).toBe('here');
});
