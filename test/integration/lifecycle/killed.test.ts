import { expect, test } from 'vitest';
import { startGateway, textOf } from '../harness.ts';
import { backendOf, call, errorOf } from '../../support/plain-calls.ts';
import { killInMidCall } from './kill-in-mid-call.ts';
import { odd, scratch } from '../../support/processes.ts';

test('a backend is killed in mid-call 20 times in a row, and leaves nothing behind', async () => {
  expect(await killInMidCall(20)).toEqual([]);
});

test('every call in flight gets an error', async () => {
  await using files = await scratch();
  await using gateway = await startGateway({ mcpServers: { victim: odd('--journal', files.path('journal')) } });
  const hanging = Array.from({ length: 32 }, () => call(gateway.url, 'victim__hang'));
  await expect.poll(() => files.lines('journal')).toHaveLength(32);
  process.kill(gateway.runtime.apis.gateway.backend('victim')?.pids[0] as number, 'SIGKILL');
  const killed = performance.now();
  const results = await Promise.all(hanging);
  expect(performance.now() - killed).toBeLessThan(4000);
  expect(results.map((result) => errorOf(result)?.code)).toEqual(results.map(() => 'unavailable'));
  // 32 lost calls count as one crash: they must not open the breaker of the new process.
  expect(textOf(await call(gateway.url, 'victim__echo', { text: 'again' }))).toBe('again');
  expect((await backendOf(gateway.url, 'victim'))?.state).toBe('RUNNING');
});

test('a server that dies at every call is restarted for the next one', async () => {
  await using files = await scratch();
  await using gateway = await startGateway({
    mcpServers: { victim: odd('--dies', '--journal', files.path('journal')) },
  });
  for (let round = 0; round < 5; round++) {
    const result = await call(gateway.url, 'victim__write');
    expect(errorOf(result)).toMatchObject({ code: 'unavailable', retryable: true });
  }
  // Each ran once: a call that may have had an effect is never retried.
  expect(files.lines('journal')).toHaveLength(5);
  expect(new Set(files.lines('journal')).size).toBe(5);
});

test('child processes of a killed backend are ended too', async () => {
  await using files = await scratch();
  {
    await using gateway = await startGateway({ mcpServers: { victim: odd('--grandchild', '--roll', files.roll) } });
    const [leader, grandchild] = files.started() as [number, number];
    process.kill(leader, 'SIGKILL');
    await expect.poll(() => gateway.runtime.apis.gateway.backend('victim')?.restarts).toBe(1);
    expect(textOf(await call(gateway.url, 'victim__echo', { text: 'again' }))).toBe('again');
    // It ignores SIGTERM, so it is killed after the usual five seconds.
    await expect.poll(() => files.left()).not.toContain(grandchild);
    expect(await files.left()).toHaveLength(2);
    for (const pid of await files.left()) process.kill(pid, 'SIGKILL');
  }
  expect(await files.left()).toEqual([]);
});
