import { expect, test } from 'vitest';
import { startGateway, startReference, type TestGateway, textOf } from '../harness.ts';
import { backendOf, call, errorOf, toolNames } from '../../support/plain-calls.ts';
import { odd, scratch } from '../../support/processes.ts';

const SOON = { interval: 20 };

const add = (gateway: TestGateway, name: string, server: object) =>
  call(gateway.url, 'gateway_add_server', { name, server });

/** Removing needs a confirmation. */
async function remove(gateway: TestGateway, name: string) {
  const first = await call(gateway.url, 'gateway_remove_server', { name });
  const confirm = errorOf(first)?.confirm;
  expect(errorOf(first)?.code).toBe('confirmation_required');
  return call(gateway.url, 'gateway_remove_server', { name, confirm });
}

test('a command is refused unless the owner allows it', async () => {
  await using files = await scratch();
  await using gateway = await startGateway({});
  const refused = await add(gateway, 'sneaky', odd('--roll', files.roll));
  expect(errorOf(refused)).toMatchObject({ code: 'forbidden' });
  expect(textOf(refused)).toContain('gateway.allowCommands');
  expect(await backendOf(gateway.url, 'sneaky')).toBeUndefined();
  expect(await gateway.runtime.store.servers.list()).toEqual([]);
  expect(files.started()).toEqual([]);
});

test.each([
  'http://127.0.0.1:1/mcp',
  'http://localhost:1/mcp',
  'http://[::1]:1/mcp',
  'http://[::ffff:127.0.0.1]:1/mcp',
  'http://169.254.169.254/latest/meta-data',
  'http://10.0.0.1/mcp',
  'http://2130706433/mcp',
  'http://0x7f.1/mcp',
])('an internal address is refused: %s', async (url) => {
  await using gateway = await startGateway({});
  const refused = await add(gateway, 'inner', { url });
  expect(errorOf(refused)).toMatchObject({ code: 'forbidden' });
  expect(textOf(refused)).toContain('gateway.allowInternalUrls');
  expect(await gateway.runtime.store.servers.list()).toEqual([]);
});

test('an added server works, survives a restart of the gateway, can be restarted, and is removed for good', async () => {
  await using files = await scratch();
  const config = { gateway: { allowCommands: true } };
  {
    await using gateway = await startGateway(config, { home: files.directory });
    const added = await add(gateway, 'extra', odd('--roll', files.roll));
    expect(added.structuredContent).toEqual({ name: 'extra', state: 'RUNNING', tools: 8 });
    expect(textOf(await call(gateway.url, 'extra__echo', { text: 'hi' }))).toBe('hi');
  }
  expect(await files.left()).toEqual([]);
  {
    await using gateway = await startGateway(config, { home: files.directory });
    expect(textOf(await call(gateway.url, 'extra__echo', { text: 'still here' }))).toBe('still here');
    const [, before] = files.started();
    const restarted = await call(gateway.url, 'gateway_restart_server', { name: 'extra' });
    expect(restarted.structuredContent).toEqual({ name: 'extra', state: 'RUNNING' });
    expect(files.started()).toHaveLength(3);
    expect(await files.left()).not.toContain(before);

    expect((await remove(gateway, 'extra')).structuredContent).toEqual({ name: 'extra', removed: true });
    expect(await toolNames(gateway.url)).not.toContain('extra__echo');
    expect(await files.left()).toEqual([]);
  }
  await using gateway = await startGateway(config, { home: files.directory });
  expect(await backendOf(gateway.url, 'extra')).toBeUndefined();
  expect(await gateway.runtime.store.catalogues.all()).toEqual([]);
});

test('an internal URL works if the owner allows it', async () => {
  await using reference = await startReference('http', 'both');
  await using gateway = await startGateway({ gateway: { allowInternalUrls: true } });
  expect((await add(gateway, 'near', reference.entry)).structuredContent).toMatchObject({ state: 'RUNNING' });
  expect(textOf(await call(gateway.url, 'near__echo', { text: 'hi' }))).toBe('hi');
});

test('an added server that cannot start says why, and is retried', async () => {
  await using gateway = await startGateway({ gateway: { allowCommands: true } });
  const added = await add(gateway, 'broken', { command: 'no-such-command' });
  expect(added.structuredContent).toMatchObject({
    name: 'broken',
    tools: 0,
    error: expect.stringContaining('no-such-command does not exist'),
  });
  expect((await remove(gateway, 'broken')).structuredContent).toEqual({ name: 'broken', removed: true });
});

test('a name that is taken or invalid is refused', async () => {
  await using gateway = await startGateway({
    gateway: { allowCommands: true },
    mcpServers: { mine: odd(), off: { ...odd(), enabled: false } },
  });
  for (const name of ['mine', 'off', 'gateway']) {
    expect(errorOf(await add(gateway, name, odd())), name).toMatchObject({ code: 'conflict' });
  }
  expect(errorOf(await add(gateway, 'no spaces', odd()))).toMatchObject({ code: 'invalid_input' });
  const wrong = await add(gateway, 'wrong', { comand: 'x' });
  expect(errorOf(wrong)).toMatchObject({ code: 'invalid_input' });
  expect(textOf(wrong)).toContain('comand');
  expect(await gateway.runtime.store.servers.list()).toEqual([]);
});

test('a call cannot remove a server of the file, and says where to do it', async () => {
  await using gateway = await startGateway({ mcpServers: { mine: odd() } });
  const refused = await call(gateway.url, 'gateway_remove_server', { name: 'mine' });
  expect(errorOf(refused)).toMatchObject({ code: 'conflict' });
  expect(textOf(refused)).toContain('configuration file');
  expect(await backendOf(gateway.url, 'mine')).toMatchObject({ state: 'RUNNING' });
  const unknown = await call(gateway.url, 'gateway_restart_server', { name: 'mina' });
  expect(errorOf(unknown)).toMatchObject({ code: 'not_found' });
  expect(textOf(unknown)).toContain('mine');
});

test('the file overrides an added server of the same name; when the file drops it, the added one is back', async () => {
  await using files = await scratch();
  const gatewaySection = { allowCommands: true };
  await using gateway = await startGateway({ gateway: gatewaySection });
  await add(gateway, 'both', { ...odd('--roll', files.roll), tags: ['added'] });
  const tags = async () => (await backendOf(gateway.url, 'both'))?.tags;
  expect(await tags()).toEqual(['added']);
  await gateway.reload({ gateway: gatewaySection, mcpServers: { both: { ...odd(), tags: ['file'] } } });
  expect(await tags()).toEqual(['file']);
  await expect.poll(() => files.left(), SOON).toEqual([]);
  await gateway.reload({ gateway: gatewaySection });
  expect(await tags()).toEqual(['added']);
});

test('concurrent changes all apply, and no process is lost', async () => {
  await using files = await scratch();
  {
    await using gateway = await startGateway({ gateway: { allowCommands: true } });
    const wanted = ['a', 'b', 'c', 'd', 'e', 'f'];
    const results = await Promise.all(wanted.map((name) => add(gateway, name, odd('--roll', files.roll))));
    expect(results.map(({ structuredContent }) => structuredContent)).toEqual(
      wanted.map((name) => ({ name, state: 'RUNNING', tools: 8 })),
    );
    expect(gateway.runtime.apis.gateway.backends().map(({ name }) => name)).toEqual(wanted);
    const twice = await Promise.all([add(gateway, 'g', odd()), add(gateway, 'g', odd())]);
    expect(twice.map((result) => errorOf(result)?.code ?? 'added').sort()).toEqual(['added', 'conflict']);
    expect(await files.left()).toHaveLength(wanted.length);
  }
  expect(files.started()).toHaveLength(6);
  expect(await files.left()).toEqual([]);
});
