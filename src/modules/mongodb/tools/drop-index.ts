import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { Mongo } from '../connection.ts';
import { shownDocument } from '../shown-document.ts';
import { mongodbTool, placeInput } from '../tool.ts';

const input = z.strictObject({
  ...placeInput,
  name: z.string().min(1).max(200).describe('Name of the index, as mongodb_list_indexes shows it'),
});

export const dropIndex = mongodbTool({
  name: 'mongodb_drop_index',
  title: 'Drop index',
  description: 'Deletes an index of a collection. The documents stay. Asks first.',
  phrases: 'drop a mongodb index; delete an unused index in mongo; remove an index from a collection',
  effect: 'delete',
  input,
  output: z.object({ dropped: z.string() }),
  async preview(given, mongo) {
    const { place, index } = await chosen(given, mongo);
    const keys = JSON.stringify(shownDocument(index.key, 400).value);
    const unique =
      index.unique === true ? ' It is unique: without it, documents with the same key can be inserted.' : '';
    return `Drops the index ${given.name} of ${place.name} on ${keys}. Queries that use it become slower.${unique}`;
  },
  async run(given, mongo) {
    const { place } = await chosen(given, mongo);
    await place.documents.dropIndex(given.name);
    return { dropped: given.name };
  },
});

async function chosen({ name, ...named }: z.output<typeof input>, mongo: Mongo) {
  const place = mongo.place(named);
  if (name === '_id_') throw new AppError('invalid_input', 'The index on _id cannot be dropped.');
  const index = (await place.documents.listIndexes().toArray()).find((one) => one.name === name);
  if (index) return { place, index };
  throw new AppError('not_found', `${place.name} has no index ${name}. mongodb_list_indexes shows the names.`);
}
