import { rm, writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { startGateway, textOf, type TestGateway } from '../harness.ts';
import { backendOf, call, errorOf, eventsOf, toolNames } from '../../support/plain-calls.ts';
import { odd, scratch } from '../../support/processes.ts';

const SOON = { interval: 20 };

const tool = (name: string, description = `Does ${name}.`) => ({ name, description, inputSchema: { type: 'object' } });

async function own(gateway: TestGateway): Promise<string[]> {
  return (await toolNames(gateway.url)).filter((name) => name.startsWith('keeper__') && !name.endsWith('announce'));
}

test('after a restart of the gateway the tools of a dead server are still listed', async () => {
  await using files = await scratch();
  await writeFile(files.path('tools'), JSON.stringify([tool('one'), tool('two')]));
  const mcpServers = { keeper: odd('--changes-tools', files.path('tools')) };
  {
    await using gateway = await startGateway({ mcpServers }, { home: files.directory });
    expect(await own(gateway)).toEqual(['keeper__one', 'keeper__two']);
  }
  // The server reads this file for every list. Now listing fails.
  await writeFile(files.path('tools'), 'not JSON');
  await using gateway = await startGateway({ mcpServers }, { home: files.directory });
  expect(await own(gateway)).toEqual(['keeper__one', 'keeper__two']);
});

test('they are still listed when the server cannot start, and calls report that', async () => {
  await using files = await scratch();
  const command = files.path('server');
  const script = (body: string) => writeFile(command, `#!/bin/sh\n${body}\n`, { mode: 0o755 });
  const { command: node, args } = odd();
  await script(`exec '${node}' '${args[0]}'`);
  const mcpServers = { keeper: { command } };
  let listed: string[];
  {
    await using gateway = await startGateway({ mcpServers }, { home: files.directory });
    listed = await own(gateway);
    expect(listed).toContain('keeper__echo');
  }
  await script('echo no more >&2; exit 7');
  {
    await using gateway = await startGateway({ mcpServers }, { home: files.directory });
    expect(await own(gateway)).toEqual(listed);
    expect(await backendOf(gateway.url, 'keeper')).toMatchObject({ tools: 8 });
    const refused = await call(gateway.url, 'keeper__echo', { text: 'x' });
    expect(errorOf(refused)).toMatchObject({ code: 'unavailable', retryable: true });
    expect(textOf(refused)).toMatch(/keeper: .*exited with code 7.*no more/);
  }
  // The same name with another command is another server: it must not show the tools of the first.
  await using gateway = await startGateway(
    { mcpServers: { keeper: { command, args: ['--other'] } } },
    { home: files.directory },
  );
  expect(await own(gateway)).toEqual([]);
});

test('a shorter list removes tools, for the next start too', async () => {
  await using files = await scratch();
  await writeFile(files.path('tools'), JSON.stringify([tool('one'), tool('two')]));
  const mcpServers = { keeper: odd('--changes-tools', files.path('tools')) };
  {
    await using gateway = await startGateway({ mcpServers }, { home: files.directory });
    await writeFile(files.path('tools'), JSON.stringify([tool('two')]));
    await call(gateway.url, 'keeper__announce');
    await expect.poll(() => own(gateway), SOON).toEqual(['keeper__two']);
  }
  await writeFile(files.path('tools'), 'not JSON');
  await using gateway = await startGateway({ mcpServers }, { home: files.directory });
  expect(await own(gateway)).toEqual(['keeper__two']);
});

test('the tools of a disabled server return when it is enabled; those of a removed one are forgotten', async () => {
  await using files = await scratch();
  await writeFile(files.path('tools'), JSON.stringify([tool('one')]));
  const keeper = odd('--changes-tools', files.path('tools'));
  await using gateway = await startGateway({ mcpServers: { keeper } });
  expect(await own(gateway)).toEqual(['keeper__one']);

  await gateway.reload({ mcpServers: { keeper: { ...keeper, enabled: false } } });
  expect(await own(gateway)).toEqual([]);
  expect(await backendOf(gateway.url, 'keeper')).toBeUndefined();

  await writeFile(files.path('tools'), 'not JSON');
  await gateway.reload({ mcpServers: { keeper } });
  expect(await own(gateway)).toEqual(['keeper__one']);

  await gateway.reload({ mcpServers: {} });
  expect(await own(gateway)).toEqual([]);
  expect(await gateway.runtime.store.catalogues.all()).toEqual([]);
  await gateway.reload({ mcpServers: { keeper } });
  await expect.poll(async () => (await backendOf(gateway.url, 'keeper'))?.lastError, SOON).toBeDefined();
  expect(await own(gateway)).toEqual([]);
});

test('a changed definition is recorded and used', async () => {
  await using files = await scratch();
  await writeFile(files.path('tools'), JSON.stringify([tool('one'), tool('two')]));
  await using gateway = await startGateway({ mcpServers: { keeper: odd('--changes-tools', files.path('tools')) } });
  const changed = async () => (await eventsOf(gateway.url, 'gateway.tool_changed')).map(({ data }) => data);
  await writeFile(files.path('tools'), JSON.stringify([tool('one', 'Sends your secrets away.'), tool('three')]));
  await call(gateway.url, 'keeper__announce');
  await expect.poll(() => own(gateway), SOON).toEqual(['keeper__one', 'keeper__three']);
  // Added and removed tools do not count as changed.
  await expect.poll(changed, SOON).toEqual([{ backend: 'keeper', tool: 'one', held: false }]);
  expect(textOf(await call(gateway.url, 'keeper__one'))).toBe('one');
});

test('onChange: hold hides a changed tool until it is accepted, across restarts too', async () => {
  await using files = await scratch();
  const list = (...tools: object[]) => writeFile(files.path('tools'), JSON.stringify(tools));
  await list(tool('one'), tool('two'));
  const flags = ['--changes-tools', files.path('tools'), '--mute-file', files.path('mute')];
  const mcpServers = { keeper: { ...odd(...flags), onChange: 'hold', timeout: '2s' } };
  const accept = async (gateway: TestGateway, args: object) =>
    (await call(gateway.url, 'gateway_accept_tools', { name: 'keeper', ...args })).structuredContent;
  {
    await using gateway = await startGateway({ mcpServers }, { home: files.directory });
    await list(tool('one', 'Changed.'), tool('two', 'Changed too.'), tool('three'));
    await call(gateway.url, 'keeper__announce');
    await expect.poll(() => own(gateway), SOON).toEqual(['keeper__three']);
    expect(await backendOf(gateway.url, 'keeper')).toMatchObject({ held: ['one', 'two'] });
    await expect(call(gateway.url, 'keeper__one')).rejects.toThrow('Unknown tool');

    await call(gateway.url, 'keeper__announce');
    await call(gateway.url, 'gateway_restart_server', { name: 'keeper' });
    const changed = (await eventsOf(gateway.url, 'gateway.tool_changed')).map(({ data }) => data.tool);
    expect(changed, 'each change is told once').toEqual(['one', 'two']);

    expect(await accept(gateway, { tool: 'one' })).toEqual({ name: 'keeper', accepted: ['one'] });
    expect(await own(gateway)).toEqual(['keeper__one', 'keeper__three']);
    expect(textOf(await call(gateway.url, 'keeper__one'))).toBe('one');
  }
  // The server does not start now, and nobody has accepted "two".
  await writeFile(files.path('mute'), '');
  {
    await using gateway = await startGateway({ mcpServers }, { home: files.directory });
    expect(await own(gateway)).toEqual(['keeper__one', 'keeper__three']);
    expect(await backendOf(gateway.url, 'keeper')).toMatchObject({ held: ['two'] });
  }
  // The server goes back to the accepted definition.
  await rm(files.path('mute'));
  await list(tool('one', 'Changed.'), tool('two'), tool('three'));
  await using gateway = await startGateway({ mcpServers }, { home: files.directory });
  expect(await own(gateway)).toEqual(['keeper__one', 'keeper__three', 'keeper__two']);
  expect(await backendOf(gateway.url, 'keeper')).not.toHaveProperty('held');
  expect(await accept(gateway, {})).toEqual({ name: 'keeper', accepted: [] });
});

test('onChange applies to the open connection: allow accepts what was held, and hold holds what changes from then on', async () => {
  await using files = await scratch();
  const list = (...tools: object[]) => writeFile(files.path('tools'), JSON.stringify(tools));
  await list(tool('one'));
  const keeper = odd('--changes-tools', files.path('tools'), '--roll', files.roll);
  const entry = (onChange: string) => ({ mcpServers: { keeper: { ...keeper, onChange } } });
  await using gateway = await startGateway(entry('hold'), { home: files.directory });
  await list(tool('one', 'Changed.'));
  await call(gateway.url, 'keeper__announce');
  await expect.poll(() => own(gateway), SOON).toEqual([]);
  await gateway.reload(entry('allow'));
  expect(await own(gateway)).toEqual(['keeper__one']);
  await gateway.reload(entry('hold'));
  expect(await own(gateway)).toEqual(['keeper__one']);
  await list(tool('one', 'Changed again.'));
  await call(gateway.url, 'keeper__announce');
  await expect.poll(() => own(gateway), SOON).toEqual([]);
  expect(files.started()).toHaveLength(1);
});
