import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeQdrant, type FakeQdrant } from '../../fixtures/qdrant.ts';
import { callTool, connectV2, type Json, startGateway } from '../harness.ts';

let qdrant: FakeQdrant;
beforeAll(async () => {
  qdrant = await startFakeQdrant({ apiKey: 'canary-of-qdrant' });
});
afterAll(() => qdrant?.[Symbol.asyncDispose]());

const config = () => ({ memory: { qdrant: { url: qdrant.url, apiKey: 'canary-of-qdrant' } } });
type Client = Awaited<ReturnType<typeof connectV2>>;
const ask = async (client: Client, tool: string, params: Json) =>
  (await callTool(client, 'memory_call', { tool, params })).structuredContent as Json;

test('what one Sluice remembers in Qdrant, another finds', async () => {
  {
    await using gateway = await startGateway(config());
    await using client = await connectV2(gateway);
    await ask(client, 'store', { text: 'The harbour opens at six.' });
    await ask(client, 'store', { text: 'Ola is the harbour master.', namespace: 'people' });
    expect(await ask(client, 'get_stats', {})).toMatchObject({ memories: 2, namespaces: 2 });
  }
  await using gateway = await startGateway(config());
  await using client = await connectV2(gateway);
  const { results } = (await ask(client, 'search', { query: 'when does the harbour open' })) as { results: Json[] };
  expect(results.map(({ text, namespace }) => [text, namespace])).toEqual([
    ['The harbour opens at six.', 'default'],
    ['Ola is the harbour master.', 'people'],
  ]);
  expect(JSON.stringify((await gateway.stored({})).events)).not.toContain('canary-of-qdrant');
});

test('a Qdrant that is away is named by the tools, the status and doctor, and used again when it is back', async () => {
  const place = qdrant.url;
  await using gateway = await startGateway({ memory: { qdrant: { url: 'http://127.0.0.1:9', timeout: '2s' } } });
  await using client = await connectV2(gateway);
  const refused = await callTool(client, 'memory_call', { tool: 'store', params: { text: 'Nobody hears this.' } });
  expect(refused.isError).toBe(true);
  expect(JSON.stringify(refused.content)).toContain('127.0.0.1:9');
  await expect
    .poll(() => gateway.runtime.health().find(({ kind }) => kind === 'memory'), { timeout: 10_000 })
    .toMatchObject({ state: 'failing', lastError: { message: expect.stringContaining('127.0.0.1:9') as string } });
  const checks = await Array.fromAsync(gateway.runtime.check(new AbortController().signal));
  expect(checks).toContainEqual(expect.objectContaining({ check: 'memory', result: 'failed' }));
  await gateway.reload({ memory: { qdrant: { url: place, apiKey: 'canary-of-qdrant' } } });
  expect(await ask(client, 'search', { query: 'harbour master', namespace: 'people' })).toMatchObject({
    results: [{ text: 'Ola is the harbour master.' }],
  });
  const again = await Array.fromAsync(gateway.runtime.check(new AbortController().signal));
  expect(again).toContainEqual({ check: 'memory', result: 'ok', detail: expect.stringContaining('answers') as string });
});
