import { z } from 'zod';
import { countAnswer } from '../answers.ts';
import { openCollection } from '../collection.ts';
import { collectionInput, filterInput, qdrantTool } from '../tool.ts';

export const countPoints = qdrantTool({
  name: 'qdrant_count_points',
  title: 'Count points',
  description: 'How many points a collection has, or how many fit a filter.',
  phrases: 'how many points; count documents with this payload; how many vectors match the filter',
  effect: 'read',
  input: z.strictObject({
    collection: collectionInput,
    filter: filterInput.optional(),
    exact: z.boolean().default(true).describe('false is faster'),
  }),
  output: z.object({ count: z.number() }),
  async run({ collection: name, filter, exact }, qdrant, { signal }, progress) {
    const { path } = await openCollection(qdrant, name, signal);
    const body = { exact, ...(filter && { filter }) };
    return await qdrant.ask(countAnswer, `${path}/points/count`, { method: 'POST', body, signal, progress });
  },
});
