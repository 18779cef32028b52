import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { call } from '../../support/exchange.ts';
import { type LocalReference, startGateway, startReference, textOf } from '../harness.ts';

let reference: LocalReference;
beforeAll(async () => {
  reference = await startReference('http', 'both');
});
afterAll(() => reference[Symbol.asyncDispose]());

const SOON = { timeout: 10_000, interval: 30 };

test('servers of external-mcp.json come, change and go with the file', async () => {
  await using gateway = await startGateway({ mcpServers: { mine: reference.entry } });
  await using _watch = gateway.runtime.watch();
  const file = join(gateway.home, 'external-mcp.json');
  const write = (servers: object) => writeFile(file, JSON.stringify({ servers }));
  const echo = async (name: string) =>
    textOf(
      (await call(gateway.mcp, `${name}_call`, { tool: 'echo', params: { text: name } })).result ?? { content: [] },
    );

  await write({ docs: { url: reference.entry.url, description: 'the handbook' } });
  await expect.poll(() => echo('docs'), SOON).toBe('docs');
  expect(textOf((await call(gateway.mcp, 'docs_list', { query: 'echo' })).result)).toContain('echo(text: string)');

  await write({ wiki: { url: reference.entry.url } });
  await expect.poll(() => echo('wiki'), SOON).toBe('wiki');
  expect((await call(gateway.mcp, 'docs_list')).error?.message).toContain('Unknown tool: docs_list.');

  await writeFile(file, '{ broken');
  const configuration = () => gateway.runtime.health().find(({ name }) => name === 'configuration');
  await expect.poll(() => configuration()?.lastError?.message, SOON).toContain('external-mcp.json: is not valid JSON');
  expect(await echo('wiki')).toBe('wiki');

  await rm(file);
  await expect.poll(async () => (await call(gateway.mcp, 'wiki_list')).error !== undefined, SOON).toBe(true);
  expect(await echo('mine')).toBe('mine');
});
