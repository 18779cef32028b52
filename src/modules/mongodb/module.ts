import { listing } from '../../kernel/listed-tool.ts';
import { module } from '../module.ts';
import { explain } from './explain.ts';
import { mongoFraming } from './framing.ts';
import { mongodbSettings } from './settings.ts';
import { addressIn, passwordsIn } from './url.ts';

export default module({
  name: 'mongodb',
  description: 'MongoDB: find, aggregate, change documents, schemas, indexes, query plans',
  guide: [
    'mongodb_get_schema shows the fields of a collection before you query it. Values are Extended JSON: {"$oid": "…"}, {"$date": "…"}.',
  ],
  settings: mongodbSettings,
  address: ({ url }) => addressIn(url),
  // A URL with several hosts is none for the code that looks for passwords.
  secrets: ({ url }) => passwordsIn(url),
  tools: async () => (await import('./tools.ts')).mongodbTools,
  listed: async () => listing(await import('./listed.json', { with: { type: 'json' } })),
  async connect(settings, around) {
    const { connectMongo } = await import('./connection.ts');
    return await connectMongo(settings, around);
  },
  async check(mongo, signal) {
    const { version } = await mongo.run(mongo.server(), { buildInfo: 1 }, signal);
    const { databases } = await mongo.run(
      mongo.server(),
      { listDatabases: 1, nameOnly: true, authorizedDatabases: true },
      signal,
    );
    const count = (databases as { name: string }[]).filter(({ name }) => mongo.access.hasDatabase(name)).length;
    return `MongoDB ${version}, ${count} ${count === 1 ? 'database' : 'databases'}`;
  },
  framing: mongoFraming,
  explain,
});
