import { z } from 'zod';
import { checkQuery } from '../judge.ts';
import { BATCH, readDocuments } from '../read-documents.ts';
import { fields, filterInput, mongodbTool, placeInput, shownFields, sortInput } from '../tool.ts';

export const find = mongodbTool({
  name: 'mongodb_find',
  title: 'Find documents',
  description:
    'Finds documents of a collection, as Extended JSON. As many as fit into the reply; next_skip continues: sort by _id to page reliably. Long values are shortened.',
  phrases:
    'find documents in mongo; query a mongodb collection; show me the latest orders; get a document by id; look up records in mongodb',
  effect: 'read',
  input: z.strictObject({
    ...placeInput,
    filter: filterInput.default({}),
    projection: fields.optional().describe('Fields to return, such as {"name": 1, "address.city": 1}'),
    sort: sortInput.optional(),
    limit: z.int().min(1).max(200).default(20).describe('At most this many'),
    skip: z.int().min(0).max(10_000_000).default(0).describe('Leaves out the first ones'),
  }),
  examples: [
    {
      title: 'The last open orders',
      arguments: { collection: 'orders', filter: { state: 'open' }, sort: { at: -1 }, limit: 5 },
    },
  ],
  output: z.object({
    documents: z.array(shownFields),
    next_skip: z.int().optional(),
    note: z.string().optional(),
  }),
  async run({ filter, projection, sort, limit, skip, ...named }, mongo, { signal }) {
    const { documents: collection } = mongo.place(named);
    checkQuery(projection, 'projection');
    checkQuery(sort, 'sort');
    const cursor = collection.find<object>(mongo.filter(filter), {
      ...(projection && { projection: mongo.values(projection) }),
      ...(sort && { sort: sort as Record<string, 1 | -1> }),
      skip,
      limit: limit + 1,
      batchSize: Math.min(BATCH, limit + 1),
      ...mongo.until(signal),
    });
    const { documents, more, note } = await readDocuments(cursor, { limit });
    return {
      documents,
      ...(more && { next_skip: skip + documents.length }),
      ...(note !== undefined && { note }),
    };
  },
});
