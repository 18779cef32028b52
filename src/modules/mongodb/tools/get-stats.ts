import { z } from 'zod';
import { existing } from '../collections.ts';
import { storageOf } from '../storage.ts';
import { databaseInput, mongodbTool } from '../tool.ts';

export const getStats = mongodbTool({
  name: 'mongodb_get_stats',
  title: 'Get statistics',
  description: 'Shows how many documents a database or a collection has, and what they and their indexes take on disk.',
  phrases: 'how big is the mongo database; storage size of a collection; average document size; dbstats; collstats',
  effect: 'read',
  input: z.strictObject({
    database: databaseInput,
    collection: z.string().min(1).max(300).optional().describe('Collection; without it, the whole database'),
  }),
  output: z.object({
    name: z.string(),
    collections: z.number().optional(),
    views: z.number().optional(),
    documents: z.number(),
    bytes: z.number(),
    average_bytes: z.number(),
    storage_bytes: z.number(),
    indexes: z.number(),
    index_bytes: z.number(),
    is_capped: z.boolean().optional(),
  }),
  async run({ database, collection }, mongo, { signal }) {
    if (collection !== undefined) {
      const place = mongo.place({ database, collection });
      await existing(place, mongo.until(signal));
      const { index_sizes: _, ...storage } = await storageOf(place.documents, mongo.until(signal));
      return { name: place.name, ...storage, average_bytes: average(storage.bytes, storage.documents) };
    }
    const db = mongo.database(database);
    const stats = await mongo.run(db, { dbStats: 1 }, signal);
    return {
      name: db.databaseName,
      collections: Number(stats.collections),
      views: Number(stats.views ?? 0),
      documents: Number(stats.objects),
      bytes: Number(stats.dataSize),
      average_bytes: Math.round(Number(stats.avgObjSize ?? 0)),
      storage_bytes: Number(stats.storageSize),
      indexes: Number(stats.indexes),
      index_bytes: Number(stats.indexSize),
    };
  },
});

const average = (bytes: number, documents: number): number => (documents === 0 ? 0 : Math.round(bytes / documents));
