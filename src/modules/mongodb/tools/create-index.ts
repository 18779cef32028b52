import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { checkQuery } from '../judge.ts';
import { fields, filterInput, mongodbTool, placeInput, plural } from '../tool.ts';

const kinds = ['text', '2dsphere', '2d', 'hashed'] as const;

export const createIndex = mongodbTool({
  name: 'mongodb_create_index',
  title: 'Create index',
  description:
    'Creates an index on fields of a collection, such as {"customer": 1, "at": -1}. With expire_after_seconds documents are deleted when they are older than that: it asks first.',
  phrases: 'create a mongodb index; make this mongo query faster; unique index; ttl index; text index in mongodb',
  // An index with an expiry deletes documents.
  effect: 'delete',
  input: z.strictObject({
    ...placeInput,
    keys: z
      .record(z.string().min(1), z.union([z.literal(1), z.literal(-1), z.enum(kinds)]))
      .describe('Fields in order, each 1, -1, "text", "2dsphere", "2d" or "hashed"'),
    name: z.string().min(1).max(120).optional().describe('Name; default made of the keys'),
    unique: z.boolean().optional().describe('No two documents with the same values'),
    sparse: z.boolean().optional().describe('Only documents that have the field'),
    expire_after_seconds: z
      .int()
      .min(0)
      .max(2_147_483_647)
      .optional()
      .describe('Delete documents when the date is older'),
    partial_filter: filterInput.optional().describe('Only documents that match'),
    collation: fields.optional().describe('Such as {"locale": "de", "strength": 2}'),
  }),
  output: z.object({ name: z.string() }),
  async preview({ keys, expire_after_seconds: seconds, partial_filter, ...named }, mongo, { signal }) {
    const place = mongo.place(named);
    const [field, ...others] = checked(keys);
    if (seconds === undefined) return undefined;
    if (others.length > 0 || field === undefined)
      throw new AppError('invalid_input', 'An index with expire_after_seconds has exactly one field, a date.');
    const old = { [field]: { $lt: new Date(Date.now() - seconds * 1000) } };
    const query = partial_filter ? { $and: [old, mongo.filter(partial_filter)] } : old;
    const count = await place.documents.countDocuments(query, mongo.until(signal));
    return `Documents of ${place.name} are deleted from now on when ${field} is older than ${seconds} s: ${plural(count, 'document')} within a minute.`;
  },
  async run({ keys, name, unique, sparse, expire_after_seconds, partial_filter, collation, ...named }, mongo) {
    const { documents } = mongo.place(named);
    checked(keys);
    // It has no limit: the server goes on with a large index after the caller has gone.
    checkQuery(partial_filter, 'partial_filter');
    return {
      name: await documents.createIndex(keys, {
        ...(name !== undefined && { name }),
        ...(unique !== undefined && { unique }),
        ...(sparse !== undefined && { sparse }),
        ...(expire_after_seconds !== undefined && { expireAfterSeconds: expire_after_seconds }),
        ...(partial_filter && { partialFilterExpression: mongo.filter(partial_filter) }),
        ...(collation && { collation: collation as { locale: string } }),
      }),
    };
  },
});

function checked(keys: Readonly<Record<string, unknown>>): string[] {
  const names = Object.keys(keys);
  if (names.length > 0 && names.length <= 32) return names;
  throw new AppError('invalid_input', 'An index has 1 to 32 fields, such as {"customer": 1, "at": -1}.');
}
