import { z } from 'zod';
import { globMatcher } from '../../../kernel/glob.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { collectionsOf } from '../collections.ts';
import { storageOf } from '../storage.ts';
import { databaseInput, mongodbTool } from '../tool.ts';

/** Each takes a question to the server. */
const MOST = 40;

const found = z.object({
  name: z.string(),
  type: z.string(),
  documents: z.number().optional(),
  bytes: z.number().optional(),
  indexes: z.int().optional(),
});

export const listCollections = mongodbTool({
  name: 'mongodb_list_collections',
  title: 'List collections',
  description: 'Lists the collections and views of a database, with the number of documents, bytes and indexes.',
  phrases: 'which collections are there; show collections; list mongodb collections; how many documents per collection',
  effect: 'read',
  input: z.strictObject({
    database: databaseInput,
    pattern: z.string().min(1).max(200).optional().describe('Names that fit this glob: order*'),
    after: z.string().max(300).optional().describe('Continue after this name'),
  }),
  output: z.object({ database: z.string(), collections: z.array(found), next_after: z.string().optional() }),
  async run({ database, pattern, after }, mongo, { signal }) {
    const db = mongo.database(database);
    const fits = globMatcher([pattern ?? '*']);
    const all = (await collectionsOf(mongo, db, mongo.until(signal)))
      .filter(({ name }) => fits(name) && (after === undefined || name > after))
      .toSorted((a, b) => (a.name < b.name ? -1 : 1));
    const collections: z.output<typeof found>[] = [];
    for (const { name, type } of all.slice(0, MOST)) {
      const storage =
        type === 'collection'
          ? await storageOf(db.collection(name), mongo.until(signal)).catch(() => undefined)
          : undefined;
      const { documents, bytes, indexes } = storage ?? {};
      collections.push({
        name,
        type,
        ...(documents !== undefined && { documents }),
        ...(bytes !== undefined && { bytes }),
        ...(indexes !== undefined && { indexes }),
      });
    }
    const shown = collections.slice(0, fittingItems(collections, { next_after: 'x'.repeat(200) }));
    const next = shown.length < all.length ? shown.at(-1)?.name : undefined;
    return { database: db.databaseName, collections: shown, ...(next !== undefined && { next_after: next }) };
  },
});
