import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { BATCH } from '../read-documents.ts';
import { schemaOf } from '../schema.ts';
import { mongodbTool, placeInput } from '../tool.ts';

/** However many documents were asked for. */
const MOST_BYTES = 16 * 1024 * 1024;

export const getSchema = mongodbTool({
  name: 'mongodb_get_schema',
  title: 'Get schema',
  description:
    'Shows the fields of a collection by looking at random documents: path, types, the share of documents that have it, an example. "tags[]" stands for the items of a list, "*" for keys that are ids.',
  phrases:
    'what fields does the collection have; schema of a mongo collection; structure of the documents; describe a collection',
  effect: 'read',
  input: z.strictObject({
    ...placeInput,
    sample: z.int().min(1).max(1000).default(100).describe('How many documents to look at'),
    under: z.string().min(1).max(300).optional().describe('Only fields below this one, such as address'),
    skip: z.int().min(0).max(1000).default(0).describe('Leaves out the first fields, to see the rest'),
  }),
  output: z.object({
    sampled: z.int(),
    fields: z.array(
      z.object({
        field: z.string(),
        share: z.number(),
        types: z.array(z.string()),
        example: z.unknown().optional(),
      }),
    ),
    more_fields: z.int().optional(),
    note: z.string().optional(),
  }),
  async run({ sample, under, skip, ...named }, mongo, { signal }) {
    const { documents: collection, name } = mongo.place(named);
    const cursor = collection.aggregate<object>([{ $sample: { size: sample } }], {
      batchSize: BATCH,
      promoteValues: false,
      ...mongo.until(signal),
    });
    const sampled: object[] = [];
    let bytes = 0;
    for await (const document of cursor) {
      sampled.push(document);
      bytes += mongo.sizeOf(document);
      if (bytes > MOST_BYTES) break;
    }
    if (sampled.length === 0)
      throw new AppError(
        'not_found',
        `${name} has no documents, or does not exist. mongodb_list_collections shows the collections.`,
      );
    const { fields, isCut } = schemaOf(sampled);
    const wanted = fields.filter(
      ({ field }) => under === undefined || field.startsWith(`${under}.`) || field.startsWith(`${under}[]`),
    );
    const rest = wanted.slice(skip);
    const notes = [
      ...(isCut ? ['The documents have more fields than are looked at.'] : []),
      ...(sampled.length < sample && bytes > MOST_BYTES ? ['The documents are large, so fewer were looked at.'] : []),
    ];
    const note = notes.join(' ');
    const shown = rest.slice(0, fittingItems(rest, { note, more_fields: 1000 }));
    const more = rest.length - shown.length;
    return {
      sampled: sampled.length,
      fields: shown,
      ...(more > 0 && { more_fields: more }),
      ...(note !== '' && { note }),
    };
  },
});
