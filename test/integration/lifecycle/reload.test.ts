import { rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { textOf } from '../harness.ts';
import { backendOf, call, eventsOf, statusOf, toolNames } from '../../support/plain-calls.ts';
import { alive, odd, scratch } from '../../support/processes.ts';
import { serve } from '../../support/serve-process.ts';

const SOON = { interval: 30 };

const pidOf = async (url: string, server: string) =>
  (JSON.parse(textOf(await call(url, `${server}__pids`))) as { pid: number }).pid;

async function names(url: string): Promise<string[]> {
  return (await statusOf(url)).backends.filter(({ state }) => state === 'RUNNING').map(({ name }) => name);
}

test('a changed file adds, changes and removes servers; the others keep their process', async () => {
  await using files = await scratch();
  const roll = ['--roll', files.roll];
  await using gateway = await serve(files.directory, {
    mcpServers: { stays: odd(...roll), changes: odd(...roll), goes: odd(...roll, '--ignores-sigterm') },
  });
  await expect.poll(() => names(gateway.url), SOON).toEqual(['stays', 'changes', 'goes']);
  const before = {
    stays: await pidOf(gateway.url, 'stays'),
    changes: await pidOf(gateway.url, 'changes'),
    goes: await pidOf(gateway.url, 'goes'),
  };
  // A call to an unchanged server continues.
  const slow = call(gateway.url, 'stays__slow', { ms: 2500 });

  await gateway.configure({
    mcpServers: { stays: odd(...roll), changes: { ...odd(...roll), env: { NEW: '1' } }, comes: odd(...roll) },
  });
  await expect.poll(() => names(gateway.url), SOON).toEqual(['stays', 'changes', 'comes']);
  // The reload does not wait for a server that takes five seconds to exit.
  expect(await alive([before.goes])).toEqual([before.goes]);
  expect(await pidOf(gateway.url, 'stays')).toBe(before.stays);
  expect(await pidOf(gateway.url, 'changes')).not.toBe(before.changes);
  expect(await toolNames(gateway.url)).toContain('comes__echo');
  expect(await toolNames(gateway.url)).not.toContain('goes__echo');
  await expect.poll(() => alive([before.changes, before.goes])).toEqual([]);
  expect(textOf(await slow)).toBe('slow');
  await expect
    .poll(async () => (await eventsOf(gateway.url, 'gateway.config_reloaded')).map(({ data }) => data), SOON)
    .toEqual([{ added: ['comes'], changed: ['changes'], removed: ['goes'], sections: ['mcpServers'] }]);
  expect(gateway.output()).toContain('Reloaded the configuration.');
});

test('an invalid file is reported with its position and ignored; a corrected one applies', async () => {
  await using files = await scratch();
  await using gateway = await serve(files.directory, { mcpServers: { good: odd() } });
  await expect.poll(() => names(gateway.url), SOON).toEqual(['good']);
  const pid = await pidOf(gateway.url, 'good');

  await gateway.configure('{ "mcpServers": { "good": { "comand": "x" } } }');
  await expect.poll(() => gateway.output(), SOON).toContain('the old one stays');
  expect(gateway.output()).toMatch(/comand/);
  expect(await pidOf(gateway.url, 'good')).toBe(pid);
  const rejected = async () => (await eventsOf(gateway.url, 'gateway.config_rejected')).length;
  await expect.poll(rejected, SOON).toBe(1);

  await gateway.configure('{ "mcpServers": ');
  await expect.poll(rejected, SOON).toBe(2);
  expect(await pidOf(gateway.url, 'good')).toBe(pid);

  // Like an editor: replace the old file with a new one.
  const next = join(gateway.home, 'next.json');
  await writeFile(next, JSON.stringify({ mcpServers: { good: odd(), better: odd() } }));
  await rename(next, join(gateway.home, 'sluice.json'));
  await expect.poll(() => names(gateway.url), SOON).toEqual(['good', 'better']);
  expect(await pidOf(gateway.url, 'good')).toBe(pid);
});

test('a changed server is replaced at once, even while it is starting', async () => {
  await using files = await scratch();
  await using gateway = await serve(files.directory, {
    mcpServers: { good: odd(), stuck: odd('--never-initializes', '--roll', files.roll) },
  });
  await expect.poll(() => files.started(), SOON).toHaveLength(1);
  await gateway.configure({ mcpServers: { good: odd(), stuck: odd('--roll', files.roll) } });
  await expect.poll(async () => (await backendOf(gateway.url, 'stuck'))?.state, SOON).toBe('RUNNING');
  await expect.poll(() => files.left(), SOON).toEqual([files.started()[1]]);
});
