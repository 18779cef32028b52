import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { updateAnswer } from '../answers.ts';
import { openCollection } from '../collection.ts';
import { countMeant, selection } from '../selection.ts';
import { collectionInput, filterInput, idsInput, qdrantTool, WAIT } from '../tool.ts';

export const deletePayload = qdrantTool({
  name: 'qdrant_delete_payload',
  title: 'Delete payload',
  description: 'Deletes keys of the payload of points, chosen by ids or a filter. The points and other keys stay.',
  phrases: 'remove a payload field; drop metadata from points; untag documents; unset a key',
  effect: 'delete',
  input: z.strictObject({
    collection: collectionInput,
    keys: z.array(z.string().min(1).max(500)).min(1).max(50).describe('a.b for nested ones'),
    ids: idsInput.optional().describe('Ids of points'),
    filter: filterInput.optional(),
  }),
  output: z.object({ changed: z.int() }),
  async preview({ collection: name, keys, ...given }, qdrant, { signal }) {
    const meant = selection(given);
    const collection = await openCollection(qdrant, name, signal);
    const count = await countMeant(qdrant, collection, meant, signal);
    return `Deletes ${shortened(keys.join(', '), 300)} from the payload of ${count} points of ${name}.`;
  },
  async run({ collection: name, keys, ...given }, qdrant, { signal }, progress) {
    const filter = selection(given);
    const collection = await openCollection(qdrant, name, signal);
    const changed = await countMeant(qdrant, collection, filter, signal);
    await qdrant.ask(updateAnswer, `${collection.path}/points/payload/delete`, {
      method: 'POST',
      query: WAIT,
      body: { keys, filter },
      signal,
      progress,
    });
    return { changed };
  },
});
