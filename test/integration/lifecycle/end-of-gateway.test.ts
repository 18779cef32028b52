import { existsSync } from 'node:fs';
import { expect, test } from 'vitest';
import { textOf } from '../harness.ts';
import { call, statusOf } from '../../support/plain-calls.ts';
import { alive, odd, scratch } from '../../support/processes.ts';
import { serve } from '../../support/serve-process.ts';

const SOON = { timeout: 15_000 };

async function running(url: string, count: number): Promise<void> {
  const states = async () => (await statusOf(url)).backends.map(({ state }) => state);
  await expect.poll(states, SOON).toEqual(Array.from({ length: count }, () => 'RUNNING'));
}

test('killed with SIGKILL, it takes every child and grandchild with it', async () => {
  await using files = await scratch();
  await using gateway = await serve(files.directory, {
    mcpServers: {
      plain: odd('--roll', files.roll),
      stubborn: odd('--roll', files.roll, '--ignores-sigterm'),
      parent: odd('--roll', files.roll, '--grandchild', '--ignores-sigterm'),
    },
  });
  await running(gateway.url, 3);
  expect(await files.left()).toHaveLength(4);
  await gateway.end('SIGKILL');
  await expect.poll(() => files.left(), SOON).toEqual([]);
});

test('killed with SIGKILL in mid-start, it takes them too', async () => {
  await using files = await scratch();
  const slow = () => odd('--roll', files.roll, '--slow-start', '60000', '--ignores-sigterm');
  await using gateway = await serve(files.directory, { mcpServers: { a: slow(), b: slow(), c: slow() } });
  await expect.poll(() => files.started(), SOON).toHaveLength(3);
  await gateway.end('SIGKILL');
  await expect.poll(() => files.left(), SOON).toEqual([]);
});

test('asked with SIGTERM, it ends in order: who does not go within five seconds is killed', async () => {
  await using files = await scratch();
  await using gateway = await serve(files.directory, {
    mcpServers: {
      plain: odd('--roll', files.roll),
      stubborn: odd('--roll', files.roll, '--ignores-sigterm', '--grandchild'),
    },
  });
  await running(gateway.url, 2);
  const [plain] = JSON.parse(`[${textOf(await call(gateway.url, 'plain__pids'))}]`) as [{ pid: number }];
  const asked = performance.now();
  const ended = gateway.end('SIGTERM');
  await expect.poll(() => alive([plain.pid]), { timeout: 4000, interval: 20 }).toEqual([]);
  expect(await files.left()).toHaveLength(2);
  expect(await ended).toBe(0);
  expect(performance.now() - asked).toBeGreaterThan(4900);
  expect(performance.now() - asked).toBeLessThan(15_000);
  expect(await files.left()).toEqual([]);
});

test('asked with SIGTERM while a server never initializes, it does not wait for it', async () => {
  await using files = await scratch();
  await using gateway = await serve(files.directory, {
    mcpServers: { silent: odd('--roll', files.roll, '--never-initializes') },
  });
  await expect.poll(() => files.started(), SOON).toHaveLength(1);
  const asked = performance.now();
  expect(await gateway.end('SIGTERM')).toBe(0);
  expect(performance.now() - asked).toBeLessThan(4000);
  expect(await files.left()).toEqual([]);
});

// On an older host the command hands over to the Node it brought along, and what is killed is only the first of two.
const hostNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path));
test.runIf(hostNode)('the same under the Node of the host', async () => {
  await using files = await scratch();
  await using gateway = await serve(
    files.directory,
    { mcpServers: { parent: odd('--roll', files.roll, '--grandchild', '--ignores-sigterm') } },
    { node: hostNode as string },
  );
  await running(gateway.url, 1);
  await gateway.end('SIGKILL');
  await expect.poll(() => files.left(), SOON).toEqual([]);
  await expect(fetch(gateway.url)).rejects.toThrow('fetch failed');
});
