import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { checkQuery, checkUpdate, needNarrowFilter } from '../judge.ts';
import { shownDocument } from '../shown-document.ts';
import { fields, filterInput, mongodbTool, placeInput, shownFields } from '../tool.ts';

const PREVIEWED = 20;

export const updateDocuments = mongodbTool({
  name: 'mongodb_update_documents',
  title: 'Update documents',
  description:
    'Changes the first document that matches a filter, or all of them with many, by update operators such as {"$set": {"state": "paid"}} or a pipeline. dry_run only says how many and which. A filter that matches everything is refused.',
  phrases:
    'update a document in mongo; change a field of all matching documents; set a value in mongodb; increment a counter; upsert',
  effect: 'update',
  input: z.strictObject({
    ...placeInput,
    filter: filterInput,
    update: z
      .union([fields, z.array(fields).min(1).max(20)])
      .describe('Operators, such as {"$set": {…}, "$inc": {"tries": 1}}, or a list of stages'),
    many: z.boolean().default(false).describe('All that match, not only the first'),
    upsert: z.boolean().default(false).describe('Insert a document if none matches'),
    array_filters: z.array(fields).max(20).optional().describe('Which items $[name] in the update means'),
    dry_run: z.boolean().default(false).describe('Only say what would change'),
  }),
  output: z.object({
    matched: z.int(),
    changed: z.int(),
    upserted_id: shownFields.optional(),
    dry_run: z.boolean(),
    ids: z.array(shownFields).optional(),
  }),
  async run({ filter, update, many, upsert, array_filters: arrayFilters, dry_run, ...named }, mongo, { signal }) {
    const { documents } = mongo.place(named);
    needNarrowFilter(filter);
    checkUpdate(update);
    checkQuery(arrayFilters, 'array_filters');
    // A document that is inserted takes the values of the filter: they must stay as they are.
    if (upsert) checkQuery(filter, 'filter');
    const query = upsert ? mongo.values(filter) : mongo.filter(filter);
    if (dry_run) {
      const matched = await documents.countDocuments(query, mongo.until(signal));
      const found = await documents
        .find(query, { projection: { _id: 1 }, limit: many ? PREVIEWED : 1, ...mongo.until(signal) })
        .toArray();
      return {
        matched: many ? matched : Math.min(1, matched),
        changed: 0,
        dry_run,
        ids: found.map(({ _id }) => shownDocument(_id, 200).value),
      };
    }
    const options = {
      upsert,
      ...mongo.until(signal),
      ...(arrayFilters && { arrayFilters: mongo.list(arrayFilters) }),
    };
    const change = mongo.values(update);
    const result = many
      ? await documents.updateMany(query, change, options)
      : await documents.updateOne(query, change, options);
    if (!result.acknowledged)
      throw new AppError('unsupported', 'The server does not confirm writes: remove w=0 from modules.mongodb.url.');
    return {
      matched: result.matchedCount,
      changed: result.modifiedCount,
      dry_run,
      ...(result.upsertedId && { upserted_id: shownDocument(result.upsertedId, 400).value }),
    };
  },
});
