import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { shownDocument } from '../shown-document.ts';
import { fields, mongodbTool, placeInput, shownFields } from '../tool.ts';

export const insertDocuments = mongodbTool({
  name: 'mongodb_insert_documents',
  title: 'Insert documents',
  description:
    'Inserts documents, in Extended JSON: dates as {"$date": "2026-01-31T12:00:00Z"}. A document without _id gets an ObjectId. Creates the collection if it does not exist.',
  phrases: 'insert a document into mongo; add records to a mongodb collection; save these to mongo; create a document',
  effect: 'create',
  input: z.strictObject({
    ...placeInput,
    documents: z.array(fields).min(1).max(1000).describe('The documents'),
    ordered: z.boolean().default(true).describe('Stop at the first that fails; false tries the others, too'),
  }),
  output: z.object({ inserted: z.int(), ids: z.array(shownFields), more_ids: z.int().optional() }),
  async run({ documents, ordered, ...named }, mongo, { signal }) {
    const { documents: collection } = mongo.place(named);
    const { insertedCount, insertedIds } = await collection.insertMany(mongo.list(documents), {
      ordered,
      ...mongo.until(signal),
    });
    const ids = Object.values(insertedIds).map((id) => shownDocument(id, 400).value);
    const shown = ids.slice(0, fittingItems(ids, { more_ids: 1000 }));
    return {
      inserted: insertedCount,
      ids: shown,
      ...(shown.length < ids.length && { more_ids: ids.length - shown.length }),
    };
  },
});
