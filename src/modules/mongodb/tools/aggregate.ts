import { z } from 'zod';
import { readablePipeline } from '../pipeline.ts';
import { BATCH, readDocuments } from '../read-documents.ts';
import { fields, mongodbTool, placeInput, shownFields } from '../tool.ts';

export const aggregate = mongodbTool({
  name: 'mongodb_aggregate',
  title: 'Aggregate documents',
  description:
    'Runs an aggregation pipeline that reads: $match, $group, $lookup, $facet and so on, in Extended JSON. $out, $merge and JavaScript are refused. As many results as fit into the reply; next_skip continues.',
  phrases:
    'group and sum documents; aggregation pipeline; total revenue per month from mongo; join two mongodb collections; top ten customers by orders',
  effect: 'read',
  input: z.strictObject({
    ...placeInput,
    pipeline: z.array(fields).min(1).max(100).describe('Stages, such as [{"$match": {…}}, {"$group": {…}}]'),
    limit: z.int().min(1).max(200).default(50).describe('At most this many results'),
    skip: z.int().min(0).max(10_000_000).default(0).describe('Leaves out the first results'),
  }),
  examples: [
    {
      title: 'Orders and revenue by state',
      arguments: {
        collection: 'orders',
        pipeline: [{ $group: { _id: '$state', orders: { $sum: 1 }, revenue: { $sum: '$total' } } }],
      },
    },
  ],
  output: z.object({
    documents: z.array(shownFields),
    next_skip: z.int().optional(),
    note: z.string().optional(),
  }),
  async run({ pipeline, limit, skip, ...named }, mongo, { signal }) {
    const place = mongo.place(named);
    const stages = readablePipeline(mongo, place, pipeline);
    const cursor = place.documents.aggregate<object>(
      [...stages, ...(skip > 0 ? [{ $skip: skip }] : []), { $limit: limit + 1 }],
      { batchSize: BATCH, ...mongo.until(signal) },
    );
    const { documents, more, note } = await readDocuments(cursor, { limit });
    return {
      documents,
      ...(more && { next_skip: skip + documents.length }),
      ...(note !== undefined && { note }),
    };
  },
});
