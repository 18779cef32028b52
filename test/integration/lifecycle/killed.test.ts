import { expect, test } from 'vitest';
import { startGateway, textOf } from '../harness.ts';
import { backendOf, call, errorOf } from '../../support/plain-calls.ts';
import { killInMidCall } from './kill-in-mid-call.ts';
import { odd, scratch } from '../../support/processes.ts';

test('a backend is killed in mid-call 20 times in a row, and leaves nothing behind', async () => {
  expect(await killInMidCall(20)).toEqual([]);
});

test('every call in flight is told, also of several callers', async () => {
  await using files = await scratch();
  await using gateway = await startGateway({ mcpServers: { victim: odd('--journal', files.path('journal')) } });
  const hanging = Array.from({ length: 32 }, () => call(gateway.url, 'victim__hang'));
  await expect.poll(() => files.lines('journal')).toHaveLength(32);
  process.kill(gateway.runtime.apis.gateway.backend('victim')?.pids[0] as number, 'SIGKILL');
  const killed = performance.now();
  const results = await Promise.all(hanging);
  expect(performance.now() - killed).toBeLessThan(4000);
  expect(results.map((result) => errorOf(result)?.code)).toEqual(results.map(() => 'unavailable'));
  // The calls that were lost are one crash, not 32 strikes against the server that came after it.
  expect(textOf(await call(gateway.url, 'victim__echo', { text: 'again' }))).toBe('again');
  expect((await backendOf(gateway.url, 'victim'))?.state).toBe('RUNNING');
});

test('a server that dies at every call is there again for every call', async () => {
  await using files = await scratch();
  await using gateway = await startGateway({
    mcpServers: { victim: odd('--dies', '--journal', files.path('journal')) },
  });
  for (let round = 0; round < 5; round++) {
    const result = await call(gateway.url, 'victim__write');
    expect(errorOf(result)).toMatchObject({ code: 'unavailable', retryable: true });
  }
  // Each was executed once: nothing that may have had an effect is sent again.
  expect(files.lines('journal')).toHaveLength(5);
  expect(new Set(files.lines('journal')).size).toBe(5);
});

test('what a killed backend started does not outlive it', async () => {
  await using files = await scratch();
  {
    await using gateway = await startGateway({ mcpServers: { victim: odd('--grandchild', '--roll', files.roll) } });
    const [leader, grandchild] = files.started() as [number, number];
    process.kill(leader, 'SIGKILL');
    await expect.poll(() => gateway.runtime.apis.gateway.backend('victim')?.restarts).toBe(1);
    expect(textOf(await call(gateway.url, 'victim__echo', { text: 'again' }))).toBe('again');
    // It ignores SIGTERM, so it has the five seconds that everyone has.
    await expect.poll(() => files.left()).not.toContain(grandchild);
    expect(await files.left()).toHaveLength(2);
    for (const pid of await files.left()) process.kill(pid, 'SIGKILL');
  }
  expect(await files.left()).toEqual([]);
});
