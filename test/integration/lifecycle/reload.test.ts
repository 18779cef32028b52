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

test('settings that need no other connection apply to the open one, and calls go on', async () => {
  await using files = await scratch();
  const server = odd('--roll', files.roll, '--journal', files.path('journal'));
  await using gateway = await serve(files.directory, { mcpServers: { far: server } });
  await expect.poll(() => names(gateway.url), SOON).toEqual(['far']);
  const pid = await pidOf(gateway.url, 'far');
  const slow = call(gateway.url, 'far__slow', { ms: 1500 });
  await expect.poll(() => files.lines('journal'), SOON).toContain(`${pid} slow`);
  const tools = { include: ['echo', 'hang', 'pids'], rename: { echo: 'repeat' } };
  await gateway.configure({
    mcpServers: { far: { ...server, callTimeout: '1s', timeout: '20s', tags: ['new'], prefix: 'near', tools } },
  });
  await expect.poll(() => toolNames(gateway.url), SOON).toContain('near__repeat');
  expect(await toolNames(gateway.url)).not.toContain('far__slow');
  expect((await statusOf(gateway.url)).backends).toMatchObject([{ name: 'far', state: 'RUNNING', tags: ['new'] }]);
  expect(textOf(await call(gateway.url, 'near__hang'))).toContain('silent for 1 s');
  // The call that was running keeps its own limit, and its connection.
  expect(textOf(await slow)).toBe('slow');
  expect(await pidOf(gateway.url, 'near')).toBe(pid);
  expect(files.started()).toEqual([pid]);
});

test('a server that needs another connection ends its calls on the old one while new calls use the new one', async () => {
  await using files = await scratch();
  const server = odd('--roll', files.roll, '--journal', files.path('journal'));
  await using gateway = await serve(files.directory, { mcpServers: { far: server } });
  await expect.poll(() => names(gateway.url), SOON).toEqual(['far']);
  const old = await pidOf(gateway.url, 'far');
  const slow = call(gateway.url, 'far__slow', { ms: 3000 });
  await expect.poll(() => files.lines('journal'), SOON).toContain(`${old} slow`);
  await gateway.configure({ mcpServers: { far: { ...server, env: { NEW: '1' } } } });
  await expect.poll(() => pidOf(gateway.url, 'far'), SOON).not.toBe(old);
  expect(await alive([old])).toEqual([old]);
  expect(textOf(await slow)).toBe('slow');
  await expect.poll(() => alive([old]), SOON).toEqual([]);
  expect((await eventsOf(gateway.url, 'gateway.backend_stopped')).map(({ data }) => data.reason)).toEqual([
    'its configuration changed',
  ]);
});

test('an old connection with a call that does not end closes after the call timeout', async () => {
  await using files = await scratch();
  const server = { ...odd('--roll', files.roll, '--journal', files.path('journal')), callTimeout: '1s' };
  await using gateway = await serve(files.directory, { mcpServers: { far: server } });
  await expect.poll(() => names(gateway.url), SOON).toEqual(['far']);
  const old = await pidOf(gateway.url, 'far');
  const hanging = call(gateway.url, 'far__hang_write');
  await expect.poll(() => files.lines('journal'), SOON).toContain(`${old} hang_write`);
  await gateway.configure({ mcpServers: { far: { ...server, env: { NEW: '1' } } } });
  await expect.poll(() => pidOf(gateway.url, 'far'), SOON).not.toBe(old);
  expect(textOf(await hanging)).toMatch(/silent for 1 s|was closed/);
  await expect.poll(() => alive([old]), SOON).toEqual([]);
});
