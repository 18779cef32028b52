import { z } from 'zod';
import { doneAnswer } from '../answers.ts';
import { openCollection } from '../collection.ts';
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
    const { info } = await openCollection(qdrant, name, signal);
    return `Deletes the collection ${name} with about ${info.points_count ?? 0} points and its snapshots.`;
  },
  async run({ collection: name }, qdrant, { signal }, progress) {
    const { path } = await openCollection(qdrant, name, signal);
    await qdrant.ask(doneAnswer, path, { method: 'DELETE', signal, progress });
    return { deleted: name };
  },
});
