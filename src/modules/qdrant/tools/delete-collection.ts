import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { collectionsAnswer, doneAnswer } from '../answers.ts';
import { type Collection, openCollection } from '../collection.ts';
import type { Qdrant } from '../connection.ts';
import { collectionInput, qdrantTool } from '../tool.ts';

export const deleteCollection = qdrantTool({
  name: 'qdrant_delete_collection',
  title: 'Delete collection',
  description: 'Deletes a collection with all its points and snapshots.',
  phrases: 'delete the whole collection; drop the vector store; remove a collection from qdrant',
  effect: 'delete',
  input: z.strictObject({ collection: collectionInput }),
  output: z.object({ deleted: z.string() }),
  async preview({ collection: name }, qdrant, { signal }) {
    const { info } = await deletable(qdrant, name, signal);
    return `Deletes the collection ${name} with about ${info.points_count ?? 0} points and its snapshots.`;
  },
  async run({ collection: name }, qdrant, { signal }, progress) {
    const { path } = await deletable(qdrant, name, signal);
    const done = await qdrant.ask(doneAnswer, path, { method: 'DELETE', signal, progress });
    if (!done) throw new AppError('not_found', `${name} was not there anymore. Nothing was deleted.`);
    return { deleted: name };
  },
});

/** Everything but this takes an alias for its collection. Qdrant answers that it is fine, and deletes nothing. */
async function deletable(qdrant: Qdrant, name: string, signal: AbortSignal): Promise<Collection> {
  const collection = await openCollection(qdrant, name, signal);
  const { collections } = await qdrant.ask(collectionsAnswer, '/collections', { signal });
  if (collections.some((one) => one.name === name)) return collection;
  throw new AppError(
    'invalid_input',
    `${name} is an alias, and only a collection itself can be deleted. qdrant_list_collections shows which one it is.`,
  );
}
