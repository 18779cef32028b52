import { z } from 'zod';
import { snapshotAnswer } from '../answers.ts';
import { openCollection } from '../collection.ts';
import { shownSnapshot, snapshotOutput } from '../snapshots.ts';
import { collectionInput, qdrantTool, WAIT } from '../tool.ts';

export const createSnapshot = qdrantTool({
  name: 'qdrant_create_snapshot',
  title: 'Create snapshot',
  description: 'Makes a snapshot of a collection, as a file on the server of Qdrant.',
  phrases: 'back up the collection; make a snapshot; save the vectors before a change',
  effect: 'create',
  input: z.strictObject({ collection: collectionInput }),
  output: snapshotOutput,
  async run({ collection: name }, qdrant, { signal }, progress) {
    const { path } = await openCollection(qdrant, name, signal);
    const asking = { method: 'POST', query: WAIT, signal, progress } as const;
    return shownSnapshot(await qdrant.ask(snapshotAnswer, `${path}/snapshots`, asking));
  },
});
