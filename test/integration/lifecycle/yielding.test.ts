import { expect, test } from 'vitest';
import { createDiary } from '../../fixtures/diary-part.ts';
import { ask } from '../../support/exchange.ts';
import { listen } from '../../support/listening.ts';
import { call, errorOf, statusOf, toolNames } from '../../support/plain-calls.ts';
import { type Json, startGateway, startReference, type TestGateway, textOf } from '../harness.ts';

const REASON = 'your server "diary" has this name. Rename it to use Sluice\'s own.';

/** What the diary offers here: its tools, prompts and resources. */
async function offered({ mcp, url }: TestGateway) {
  const of = async (method: string, field: string, key: string) =>
    (((await ask(mcp, method)).result[field] ?? []) as Json[]).map((item) => String(item[key]));
  const ours = (names: string[]) => names.filter((name) => /^diary(_(?!_)|:)/.test(name)).length;
  return {
    tools: ours(await toolNames(url)),
    prompts: ours(await of('prompts/list', 'prompts', 'name')),
    resources: ours(await of('resources/list', 'resources', 'uri')),
  };
}

const absent = async ({ url }: TestGateway) =>
  (await statusOf(url)).notConfigured.filter(({ name }) => name === 'diary');

const all = { tools: 2, prompts: 2, resources: 2 };
const none = { tools: 0, prompts: 0, resources: 0 };

test('a server of the file takes the name of a source of ours; without it, ours is back', async () => {
  await using server = await startReference('http', 'both');
  const { parts } = createDiary();
  await using gateway = await startGateway({}, { parts });
  expect(await offered(gateway)).toEqual(all);
  expect(await absent(gateway)).toEqual([]);

  using listener = await listen(gateway.mcp, 'modern');
  await gateway.reload({ mcpServers: { diary: server.entry } });
  await expect.poll(() => toolNames(gateway.url)).toContain('diary__echo');
  expect(await offered(gateway)).toEqual(none);
  expect(textOf(await call(gateway.url, 'diary__echo', { text: 'hi' }))).toBe('hi');
  await expect.poll(() => listener.listChanges('prompts')).toBeGreaterThan(0);
  await expect.poll(() => listener.listChanges('resources')).toBeGreaterThan(0);
  expect(await absent(gateway)).toEqual([{ name: 'diary', reason: REASON }]);

  listener.forget();
  await gateway.reload({ mcpServers: { journal: server.entry } });
  expect(await offered(gateway)).toEqual(all);
  expect(textOf(await call(gateway.url, 'diary_write', { page: 'friday', text: '' }))).toContain('friday');
  await expect.poll(() => listener.listChanges('tools')).toBeGreaterThan(0);
  expect(await absent(gateway)).toEqual([]);
});

test('a server that has the name at the start, in other letters, gets it; one that is off does not', async () => {
  await using server = await startReference('http', 'both');
  await using gateway = await startGateway({ mcpServers: { DIARY: server.entry } }, { parts: createDiary().parts });
  expect(await offered(gateway)).toEqual(none);
  expect(await absent(gateway)).toEqual([{ name: 'diary', reason: REASON.replace('diary', 'DIARY') }]);
  await gateway.reload({ mcpServers: { DIARY: { ...server.entry, enabled: false } } });
  expect(await offered(gateway)).toEqual(all);
  await gateway.reload({ mcpServers: { notes: { ...server.entry, prefix: 'diary' } } });
  expect(await absent(gateway)).toEqual([
    { name: 'diary', reason: 'your server "notes" has this prefix. Change it to use Sluice\'s own.' },
  ]);
});

test('a server that is added by a call cannot take the name', async () => {
  await using server = await startReference('http', 'both');
  const config = { gateway: { allowInternalUrls: true } };
  await using gateway = await startGateway(config, { parts: createDiary().parts });
  for (const name of ['diary', 'Diary']) {
    const refused = await call(gateway.url, 'gateway_add_server', { name, server: server.entry });
    expect(errorOf(refused)).toMatchObject({ code: 'conflict' });
  }
  expect(await offered(gateway)).toEqual(all);
});

test('a server that was added before the name was ours waits, and the status says what to do', async () => {
  await using server = await startReference('http', 'both');
  const config = { gateway: { allowInternalUrls: true } };
  await using gateway = await startGateway(config, { parts: createDiary().parts });
  await gateway.runtime.store.servers.put('diary', server.entry, 'test');
  await gateway.reload(config);
  expect(await offered(gateway)).toEqual(all);
  expect(await toolNames(gateway.url)).not.toContain('diary__echo');
  expect(await absent(gateway)).toMatchObject([
    { name: 'diary', reason: expect.stringContaining('Move it to mcpServers in the file') as string },
  ]);
  await gateway.reload({ ...config, mcpServers: { diary: server.entry } });
  await expect.poll(() => toolNames(gateway.url)).toContain('diary__echo');
  expect(await absent(gateway)).toEqual([{ name: 'diary', reason: REASON }]);
});
