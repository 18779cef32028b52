import { z } from 'zod';
import { filterInput, mongodbTool, placeInput } from '../tool.ts';

export const count = mongodbTool({
  name: 'mongodb_count',
  title: 'Count documents',
  description: 'Counts the documents that match a filter. Without one, estimates how many the collection has.',
  phrases: 'how many documents; count records in mongo; number of users in mongodb; how many match a filter',
  effect: 'read',
  input: z.strictObject({ ...placeInput, filter: filterInput.optional() }),
  output: z.object({ count: z.int(), is_estimate: z.boolean() }),
  async run({ filter, ...named }, mongo, { signal }) {
    const { documents } = mongo.place(named);
    if (!filter || Object.keys(filter).length === 0)
      return { count: await documents.estimatedDocumentCount(mongo.until(signal)), is_estimate: true };
    return { count: await documents.countDocuments(mongo.filter(filter), mongo.until(signal)), is_estimate: false };
  },
});
