import { mkdtempDisposable } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { startEmbeddings, type Trouble } from '../../fixtures/embeddings-server.ts';
import { tinyModel, writeModel } from '../../fixtures/tiny-text-model.ts';
import { modelCache, needRuntime, runtimeIsMissing } from '../../support/model-runtime.ts';
import { callTool, connectV2, startGateway } from '../harness.ts';

type Content = Readonly<Record<string, unknown>>;

/** A gateway whose memory uses this model. */
async function remembering(embedder: object | string) {
  await using stack = new AsyncDisposableStack();
  const gateway = stack.use(await startGateway({ memory: { embedder } }, { env: { SLUICE_CACHE: modelCache } }));
  const client = stack.use(await connectV2(gateway));
  const call = async (wrapper: string, tool: string, args: object = {}): Promise<Content> => {
    const answer = await callTool(client, `memory_${wrapper}`, { tool, arguments: args });
    return (answer as unknown as { structuredContent: Content }).structuredContent;
  };
  const owned = stack.move();
  return {
    gateway,
    store: (text: string) => call('call', 'memory_store', { text }),
    search: (query: string) => call('read', 'memory_search', { query }),
    stats: () => call('read', 'memory_get_stats'),
    [Symbol.asyncDispose]: () => owned.disposeAsync(),
  };
}

test('finds by meaning with a model by URL, and by words while it is away; the key appears nowhere', async () => {
  await using server = await startEmbeddings();
  const { url, key: apiKey } = server;
  await using memory = await remembering({ url, model: 'test-embedding', apiKey });
  await memory.store('The car is red');
  expect(await memory.stats()).toMatchObject({ model: 'test-embedding@api/16' });
  expect(await memory.search('red car')).toMatchObject({
    results: [{ text: 'The car is red', why: { meaning: expect.any(Number) as number } }],
  });
  server.troubles.push(
    ...Array.from(
      { length: 20 },
      (): Trouble => (_, response) => {
        response.writeHead(401).end(JSON.stringify({ error: { message: `Incorrect API key provided: ${apiKey}` } }));
        return true;
      },
    ),
  );
  const found = await memory.search('a red car');
  expect(found).toMatchObject({ results: [{ text: 'The car is red' }], note: expect.stringMatching(/Check apiKey/) });
  const told = JSON.stringify([found, await memory.stats(), await memory.gateway.stored({})]);
  expect(told).not.toContain(apiKey);
});

test.skipIf(runtimeIsMissing)('embeds everything again after a change to a model from a directory', async () => {
  await needRuntime();
  await using place = await mkdtempDisposable(join(tmpdir(), 'sluice-tiny-'));
  await writeModel(place.path, tinyModel());
  await using memory = await remembering('packaged');
  await memory.store('The car is red');
  await memory.store('I eat bread');
  expect(await memory.stats()).toMatchObject({ model: 'use-lite@0.2.0/512' });
  await memory.gateway.reload({ memory: { embedder: { directory: place.path } } });
  await expect.poll(memory.stats).toMatchObject({ model: expect.stringMatching(/^tiny@[0-9a-f]{12}\/8$/) });
  await expect.poll(memory.stats).not.toHaveProperty('to_embed');
  const { results } = await memory.search('automobile');
  expect((results as Content[])[0]).toMatchObject({
    text: 'The car is red',
    why: { meaning: expect.any(Number) as number },
  });
});
