import { addressOf } from '../failures.ts';
import { listing } from '../../kernel/listed-tool.ts';
import { module } from '../module.ts';
import { explainPgvector } from './explain.ts';
import { pgvectorSettings } from './settings.ts';

export default module({
  name: 'pgvector',
  description: 'vectors in PostgreSQL: collections, upsert, search by meaning, indexes',
  guide: [
    'pgvector_search finds by meaning in a collection, which is any table with vectors, such as n8n’s; pgvector_list_collections names them.',
  ],
  settings: pgvectorSettings,
  address: ({ url }) => addressOf(url, 5432),
  secrets: ({ embedder }) => (embedder.kind === 'url' ? [embedder.apiKey] : []),
  tools: async () => (await import('./tools.ts')).pgvectorTools,
  listed: async () => listing(await import('./listed.json', { with: { type: 'json' } })),
  connectsAtStart: true,
  connect: async (settings, around) => await (await import('./connect.ts')).connectPgvector(settings, around),
  check: async (connection, signal) => await (await import('./check.ts')).checkPgvector(connection, signal),
  explain: explainPgvector,
});
