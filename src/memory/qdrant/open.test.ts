import { randomUUID } from 'node:crypto';
import { afterAll } from 'vitest';
import { startFakeQdrant } from '../../../test/fixtures/qdrant.ts';
import { contractModels, engineContract } from '../engine.contract.ts';
import { openQdrant } from './open.ts';

const [{ name, version, dimensions }] = contractModels;
const model = { key: `${name}@${version}/${dimensions}`, dimensions };

/** A real one, if there is one: `SLUICE_TEST_QDRANT=http://host:6333`, with its key in SLUICE_TEST_QDRANT_KEY. */
const { SLUICE_TEST_QDRANT: real, SLUICE_TEST_QDRANT_KEY: apiKey } = process.env;
const fake = real === undefined ? await startFakeQdrant() : undefined;
afterAll(() => fake?.[Symbol.asyncDispose]());

engineContract(real === undefined ? 'Qdrant, played' : 'Qdrant', async () => {
  const settings = {
    url: real ?? (fake as { url: string }).url,
    ...(apiKey !== undefined && { apiKey }),
    collection: `sluice-test-${randomUUID().slice(0, 8)}`,
  };
  const engine = await openQdrant(settings, model);
  return {
    engine,
    another: () => openQdrant(settings, model),
    async [Symbol.asyncDispose]() {
      await engine[Symbol.asyncDispose]();
      const headers = { ...(apiKey !== undefined && { 'api-key': apiKey }) };
      const listed = (await (await fetch(`${settings.url}/collections`, { headers })).json()) as {
        result: { collections: { name: string }[] };
      };
      for (const { name: collection } of listed.result.collections)
        if (collection.startsWith(`${settings.collection}-`))
          await fetch(`${settings.url}/collections/${collection}`, { method: 'DELETE', headers });
    },
  };
});
