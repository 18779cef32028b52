import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { Mongo } from '../connection.ts';
import { mongodbTool, plural } from '../tool.ts';

export const dropDatabase = mongodbTool({
  name: 'mongodb_drop_database',
  title: 'Drop database',
  description: 'Deletes a whole database for good. Asks first, and says what is in it.',
  phrases: 'drop a mongodb database; delete a whole mongo database; remove the test database',
  effect: 'delete',
  input: z.strictObject({ database: z.string().min(1).max(200).describe('Database') }),
  output: z.object({ dropped: z.string() }),
  async preview({ database }, mongo, { signal }) {
    const { collections, objects } = await contents(database, mongo, signal);
    return `Drops the database ${database} with ${plural(collections, 'collection')} and ${plural(objects, 'document')}. This cannot be undone.`;
  },
  async run({ database }, mongo, { signal }) {
    await contents(database, mongo, signal);
    await mongo.database(database).dropDatabase();
    return { dropped: database };
  },
});

async function contents(database: string, mongo: Mongo, signal: AbortSignal) {
  mongo.access.needWhole(database);
  const stats = await mongo.run(mongo.database(database), { dbStats: 1 }, signal);
  const found = { collections: Number(stats.collections) + Number(stats.views ?? 0), objects: Number(stats.objects) };
  if (found.collections > 0) return found;
  throw new AppError('not_found', `There is no database ${database}. mongodb_list_databases shows the names.`);
}
