import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { snapshotsAnswer } from '../answers.ts';
import { openCollection } from '../collection.ts';
import { shownSnapshot, snapshotOutput } from '../snapshots.ts';
import { collectionInput, qdrantTool } from '../tool.ts';

export const listSnapshots = qdrantTool({
  name: 'qdrant_list_snapshots',
  title: 'List snapshots',
  description: 'Snapshots of a collection, the newest first.',
  phrases: 'which snapshots are there; when was the last backup of the collection; size of snapshots',
  effect: 'read',
  input: z.strictObject({ collection: collectionInput }),
  output: z.object({ total: z.int(), snapshots: z.array(snapshotOutput) }),
  async run({ collection: name }, qdrant, { signal }, progress) {
    const { path } = await openCollection(qdrant, name, signal);
    const all = await qdrant.ask(snapshotsAnswer, `${path}/snapshots`, { signal, progress });
    const shown = all
      .toSorted((a, b) => ((a.creation_time ?? '') < (b.creation_time ?? '') ? 1 : -1))
      .slice(0, 100)
      .map(shownSnapshot);
    return { total: all.length, snapshots: shown.slice(0, fittingItems(shown)) };
  },
});
