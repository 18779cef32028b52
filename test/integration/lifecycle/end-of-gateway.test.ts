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

test('SIGKILL to the gateway also ends every child and grandchild', async () => {
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

test('SIGKILL during the start ends them too', async () => {
  await using files = await scratch();
  const slow = () => odd('--roll', files.roll, '--slow-start', '60000', '--ignores-sigterm');
  await using gateway = await serve(files.directory, { mcpServers: { a: slow(), b: slow(), c: slow() } });
  await expect.poll(() => files.started(), SOON).toHaveLength(3);
  await gateway.end('SIGKILL');
  await expect.poll(() => files.left(), SOON).toEqual([]);
});

test('SIGTERM stops it cleanly: a server that does not exit within five seconds is killed', async () => {
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

test('SIGTERM does not wait for a server that never initializes', async () => {
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

// With an older Node the command starts its bundled Node: the kill hits only the first of the two processes.
const hostNode = ['/usr/bin/node', '/usr/local/bin/node'].find((path) => existsSync(path));
test.runIf(hostNode)('the same with the Node of the host', async () => {
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
