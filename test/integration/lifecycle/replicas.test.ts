import { expect, test } from 'vitest';
import { startGateway, type TestGateway, textOf } from '../harness.ts';
import { backendOf, call, errorOf } from '../../support/plain-calls.ts';
import { odd, scratch } from '../../support/processes.ts';

const SOON = { interval: 20 };

const pidsOf = (gateway: TestGateway) => gateway.runtime.apis.gateway.backend('many')?.pids as number[];

test('starts the configured number of processes, and sends each call to the least busy one', async () => {
  await using files = await scratch();
  {
    await using gateway = await startGateway({
      mcpServers: { many: { ...odd('--roll', files.roll, '--journal', files.path('journal')), replicas: 3 } },
    });
    expect(pidsOf(gateway)).toHaveLength(3);
    expect(await backendOf(gateway.url, 'many')).toMatchObject({ state: 'RUNNING', replicas: 3 });
    const calls = Array.from({ length: 9 }, () => call(gateway.url, 'many__slow', { ms: 400 }));
    expect((await Promise.all(calls)).map(textOf)).toEqual(calls.map(() => 'slow'));
    const served = Map.groupBy(files.lines('journal'), (line) => line.split(' ')[0]);
    expect([...served.values()].map(({ length }) => length)).toEqual([3, 3, 3]);
  }
  expect(await files.left()).toEqual([]);
});

test('when a replica dies in mid-call, only a call that reads is retried on another', async () => {
  await using files = await scratch();
  await using gateway = await startGateway({
    mcpServers: { many: { ...odd('--journal', files.path('journal')), replicas: 2 } },
  });
  const journal = () => files.lines('journal').map((line) => line.split(' ') as [string, string]);

  const reading = call(gateway.url, 'many__slow', { ms: 1000 });
  await expect.poll(journal, SOON).toHaveLength(1);
  process.kill(Number(journal()[0]?.[0]), 'SIGKILL');
  expect(textOf(await reading)).toBe('slow');
  expect(journal()).toHaveLength(2);
  expect(journal()[1]?.[0]).not.toBe(journal()[0]?.[0]);

  await expect.poll(() => pidsOf(gateway), SOON).toHaveLength(2);
  const writing = call(gateway.url, 'many__hang_write');
  await expect.poll(journal, SOON).toHaveLength(3);
  process.kill(Number(journal()[2]?.[0]), 'SIGKILL');
  expect(errorOf(await writing)).toMatchObject({ code: 'unavailable', retryable: true });
  expect(journal().map(([, tool]) => tool)).toEqual(['slow', 'slow', 'hang_write']);
});

test('with one replica down the others serve all calls', async () => {
  await using gateway = await startGateway({ mcpServers: { many: { ...odd(), replicas: 2 } } });
  const since = (await backendOf(gateway.url, 'many'))?.since;
  for (const victim of [0, 1]) {
    const pid = pidsOf(gateway)[victim] as number;
    process.kill(pid, 'SIGKILL');
    await expect.poll(() => pidsOf(gateway).includes(pid), SOON).toBe(false);
    expect(textOf(await call(gateway.url, 'many__write', { text: 'served' }))).toBe('served');
    expect(await backendOf(gateway.url, 'many')).toMatchObject({ state: 'RUNNING', since });
    await expect.poll(() => pidsOf(gateway), SOON).toHaveLength(2);
  }
  expect(await backendOf(gateway.url, 'many')).toMatchObject({ state: 'RUNNING', restarts: 2, since });
});

test('a replica with an open breaker gets no calls while another is healthy', async () => {
  await using files = await scratch();
  await using gateway = await startGateway({
    mcpServers: { many: { ...odd('--journal', files.path('journal')), replicas: 2, callTimeout: '500ms' } },
  });
  const lanes = () => new Set(files.lines('journal').map((line) => line.split(' ')[0]));
  // One after the other, so that all go to the first replica.
  for (let strike = 0; strike < 5; strike++)
    expect(errorOf(await call(gateway.url, 'many__hang_write'))?.code).toBe('timeout');
  expect(lanes().size).toBe(1);
  for (let round = 0; round < 5; round++)
    expect(textOf(await call(gateway.url, 'many__write', { text: 'by the other' }))).toBe('by the other');
  expect(lanes().size).toBe(2);
});
