import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { BATCH, readDocuments } from '../read-documents.ts';
import { filterInput, mongodbTool, placeInput, shownFields } from '../tool.ts';

export const distinct = mongodbTool({
  name: 'mongodb_distinct',
  title: 'List distinct values',
  description: 'Lists the different values of a field, the most frequent first, with how often each occurs.',
  phrases: 'distinct values of a field in mongo; which states occur; unique values in a collection; most common values',
  effect: 'read',
  input: z.strictObject({
    ...placeInput,
    field: z.string().min(1).max(300).describe('Path of the field, such as address.city; of a list, each item counts'),
    filter: filterInput.default({}),
    limit: z.int().min(1).max(200).default(50).describe('At most this many values'),
    skip: z.int().min(0).max(10_000_000).default(0).describe('Leaves out the first values'),
  }),
  output: z.object({
    values: z.array(z.object({ value: shownFields, count: z.number() })),
    next_skip: z.int().optional(),
    note: z.string().optional(),
  }),
  async run({ field, filter, limit, skip, ...named }, mongo, { signal }) {
    if (field.startsWith('$') || field.includes('\0'))
      throw new AppError('invalid_input', `${JSON.stringify(field)} is not a field. Write its path: address.city.`);
    const { documents: collection } = mongo.place(named);
    const cursor = collection.aggregate<object>(
      [
        { $match: mongo.filter(filter) },
        // A path that leads through a list gives a list: $unwind alone would not follow it.
        { $project: { _id: 0, value: `$${field}` } },
        { $unwind: '$value' },
        { $group: { _id: '$value', count: { $sum: 1 } } },
        { $sort: { count: -1, _id: 1 } },
        ...(skip > 0 ? [{ $skip: skip }] : []),
        { $limit: limit + 1 },
        { $project: { _id: 0, value: '$_id', count: 1 } },
      ],
      { batchSize: BATCH, ...mongo.until(signal) },
    );
    const { documents, more, note } = await readDocuments(cursor, { limit });
    const values = documents as { value: unknown; count: number }[];
    return {
      values: values.map(({ value, count }) => ({ value: value ?? null, count })),
      ...(more && { next_skip: skip + values.length }),
      ...(note !== undefined && { note }),
    };
  },
});
