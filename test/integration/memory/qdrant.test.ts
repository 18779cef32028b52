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
