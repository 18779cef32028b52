import { addressOf } from '../failures.ts';
import { listing } from '../../kernel/listed-tool.ts';
import { module } from '../module.ts';
import { explainsPostgres } from './explain.ts';
import { postgresSettings } from './settings.ts';

export default module({
  name: 'postgres',
  description: 'PostgreSQL: SQL, schemas, tables, query plans, health, slow queries, indexes',
  guide: ['postgres_query reads with SQL; postgres_describe_table shows the columns first.'],
  settings: postgresSettings,
  address: ({ url }) => addressOf(url, 5432),
  tools: async () => (await import('./tools.ts')).postgresTools,
  listed: async () => listing(await import('./listed.json', { with: { type: 'json' } })),
  connectsAtStart: true,
  connect: async (settings, around) => await (await import('./connection.ts')).connectPostgres(settings, around),
  check: async (connection, signal) => await (await import('./check.ts')).checkPostgres(connection, signal),
  explain: explainsPostgres('postgres'),
});
