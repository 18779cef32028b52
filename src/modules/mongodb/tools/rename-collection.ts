import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { existing } from '../collections.ts';
import type { Mongo } from '../connection.ts';
import { mongodbTool, placeInput, plural } from '../tool.ts';

const input = z.strictObject({
  ...placeInput,
  to: z.string().min(1).max(300).describe('The new name, in the same database'),
  drop_target: z.boolean().default(false).describe('Drop the collection that has the new name, if there is one'),
});

export const renameCollection = mongodbTool({
  name: 'mongodb_rename_collection',
  title: 'Rename collection',
  description:
    'Gives a collection another name, with its documents and indexes. Asks first if another one is dropped for it.',
  phrases: 'rename a mongodb collection; change the name of a collection; swap a collection for another',
  effect: 'delete',
  input,
  output: z.object({ from: z.string(), to: z.string() }),
  async preview(given, mongo, { signal }) {
    const { target } = await chosen(given, mongo, signal);
    const [replaced] = await target.db.listCollections({ name: target.collection }, mongo.until(signal)).toArray();
    if (!replaced) return undefined;
    if (!given.drop_target)
      throw new AppError('conflict', `${target.name} exists. Choose another name, or set drop_target to replace it.`);
    const count = await target.documents.estimatedDocumentCount(mongo.until(signal));
    return `Drops ${target.name} with ${plural(count, 'document')}, and gives its name to ${given.collection}.`;
  },
  async run(given, mongo, { signal }) {
    const { source, target } = await chosen(given, mongo, signal);
    await source.documents.rename(target.collection, { dropTarget: given.drop_target });
    return { from: source.name, to: target.name };
  },
});

async function chosen({ database, collection, to }: z.output<typeof input>, mongo: Mongo, signal: AbortSignal) {
  const source = mongo.place({ database, collection });
  const target = mongo.place({ database, collection: to });
  await existing(source, mongo.until(signal));
  return { source, target };
}
