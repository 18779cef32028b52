import { z } from 'zod';
import { updateAnswer } from '../answers.ts';
import { openCollection } from '../collection.ts';
import { countMeant, selection } from '../selection.ts';
import { collectionInput, filterInput, idsInput, qdrantTool, WAIT } from '../tool.ts';

export const deletePoints = qdrantTool({
  name: 'qdrant_delete_points',
  title: 'Delete points',
  description: 'Deletes points, chosen by ids or by a filter with at least one condition.',
  phrases: 'remove documents from qdrant; delete vectors; forget everything of this source; delete by filter',
  effect: 'delete',
  input: z.strictObject({
    collection: collectionInput,
    ids: idsInput.optional().describe('Ids of points'),
    filter: filterInput.optional(),
  }),
  output: z.object({ deleted: z.int() }),
  async preview({ collection: name, ...given }, qdrant, { signal }) {
    const meant = selection(given);
    const collection = await openCollection(qdrant, name, signal);
    const count = await countMeant(qdrant, collection, meant, signal);
    const all = collection.info.points_count ?? 0;
    return `Deletes ${count} of about ${Math.max(all, count)} points of ${name}${count >= all ? ': all of them' : ''}.`;
  },
  async run({ collection: name, ...given }, qdrant, { signal }, progress) {
    const filter = selection(given);
    const collection = await openCollection(qdrant, name, signal);
    const deleted = await countMeant(qdrant, collection, filter, signal);
    await qdrant.ask(updateAnswer, `${collection.path}/points/delete`, {
      method: 'POST',
      query: WAIT,
      body: { filter },
      signal,
      progress,
    });
    return { deleted };
  },
});
