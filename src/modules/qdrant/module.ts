import { addressOf } from '../failures.ts';
import { listing } from '../../kernel/listed-tool.ts';
import { module } from '../module.ts';
import { endpointOf } from './endpoint.ts';
import { qdrantSettings } from './settings.ts';

export default module({
  name: 'qdrant',
  description: 'Qdrant: collections, search by meaning, points, payloads, snapshots',
  guide: [
    'qdrant_search finds points by meaning; qdrant_get_collection shows vectors and payload fields to filter by.',
  ],
  settings: qdrantSettings,
  address: ({ url }) => addressOf(endpointOf(url)),
  secrets: ({ apiKey, embedder }) => [apiKey, ...(embedder.kind === 'url' ? [embedder.apiKey] : [])],
  tools: async () => (await import('./tools.ts')).qdrantTools,
  listed: async () => listing(await import('./listed.json', { with: { type: 'json' } })),
  connect: async (settings, around) => (await import('./connection.ts')).connectQdrant(settings, around),
  check: async (connection, signal) => await (await import('./check.ts')).check(connection, signal),
});
