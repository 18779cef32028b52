import { z } from 'zod';
import { modelKey } from '../../../embedder/text-model.ts';
import { segment } from '../../http.ts';
import { doneAnswer } from '../answers.ts';
import { EMBEDDER, isOwnName, ownError } from '../collection.ts';
import { collectionInput, qdrantTool } from '../tool.ts';

export const createCollection = qdrantTool({
  name: 'qdrant_create_collection',
  title: 'Create collection',
  description: 'Creates a collection for vectors of one size. Without size, for texts: of the size of the embedder.',
  phrases: 'make a new collection; create a vector store in qdrant; new index for documents',
  effect: 'create',
  input: z.strictObject({
    collection: collectionInput,
    size: z.int().min(1).max(65_536).optional().describe('Dimensions; those of the embedder unless given'),
    distance: z.enum(['Cosine', 'Dot', 'Euclid', 'Manhattan']).default('Cosine'),
  }),
  output: z.object({ created: z.string(), size: z.int(), distance: z.string(), embedder: z.string().optional() }),
  async run({ collection: name, size, distance }, qdrant, { signal }, progress) {
    qdrant.collections.need(name);
    if (isOwnName(name)) throw ownError(name);
    const model = size === undefined ? await qdrant.model.identify(signal) : undefined;
    const dimensions = size ?? model?.dimensions ?? 0;
    await qdrant.ask(doneAnswer, `/collections/${segment(name)}`, {
      method: 'PUT',
      body: {
        vectors: { size: dimensions, distance },
        ...(model && { metadata: { [EMBEDDER]: modelKey(model) } }),
      },
      signal,
      progress,
    });
    return { created: name, size: dimensions, distance, ...(model && { embedder: modelKey(model) }) };
  },
});
