import { z } from 'zod';
import { updateAnswer } from '../answers.ts';
import { openCollection } from '../collection.ts';
import { countMeant, selection } from '../selection.ts';
import { collectionInput, filterInput, idsInput, payloadInput, qdrantTool, WAIT } from '../tool.ts';

export const setPayload = qdrantTool({
  name: 'qdrant_set_payload',
  title: 'Set payload',
  description: 'Sets keys of the payload of points, chosen by ids or a filter. Other keys stay.',
  phrases: 'change metadata of points; tag documents; set a payload field; update the payload',
  effect: 'update',
  input: z.strictObject({
    collection: collectionInput,
    payload: payloadInput.describe('Keys and values to set'),
    ids: idsInput.optional().describe('Ids of points'),
    filter: filterInput.optional(),
  }),
  output: z.object({ changed: z.int() }),
  async run({ collection: name, payload, ids, filter }, qdrant, { signal }, progress) {
    const meant = selection({ ids, filter });
    const collection = await openCollection(qdrant, name, signal);
    const changed = await countMeant(qdrant, collection, meant, signal);
    await qdrant.ask(updateAnswer, `${collection.path}/points/payload`, {
      method: 'POST',
      query: WAIT,
      body: { payload, filter: meant },
      signal,
      progress,
    });
    return { changed };
  },
});
