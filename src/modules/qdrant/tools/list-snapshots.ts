import { z } from 'zod';
import { cursorFor, placeIn } from '../../../kernel/cursor.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { type snapshotAnswer, snapshotsAnswer } from '../answers.ts';
import { openCollection } from '../collection.ts';
import { shownSnapshot, snapshotOutput } from '../snapshots.ts';
import { collectionInput, cursorInput, cursorOutput, qdrantTool } from '../tool.ts';

const LIST = 'qdrant_list_snapshots';

/** Qdrant lists them in no order. Some are of the same second. */
const age = ({ creation_time: time, name }: z.output<typeof snapshotAnswer>) => `${time ?? ''} ${name}`;

export const listSnapshots = qdrantTool({
  name: LIST,
  title: 'List snapshots',
  description: 'Snapshots of a collection, the newest first.',
  phrases: 'which snapshots are there; when was the last backup of the collection; size of snapshots',
  effect: 'read',
  input: z.strictObject({ collection: collectionInput, cursor: cursorInput }),
  output: z.object({ total: z.int(), snapshots: z.array(snapshotOutput), cursor: cursorOutput }),
  async run({ collection: name, cursor }, qdrant, { signal }, progress) {
    const { skip } = placeIn(LIST, { name }, cursor);
    const { path } = await openCollection(qdrant, name, signal);
    const all = await qdrant.ask(snapshotsAnswer, `${path}/snapshots`, { signal, progress });
    const shown = all
      .toSorted((a, b) => (age(a) < age(b) ? 1 : -1))
      .slice(skip, skip + 100)
      .map(shownSnapshot);
    const fits = fittingItems(shown);
    const next = skip + fits;
    return {
      total: all.length,
      snapshots: shown.slice(0, fits),
      ...(next < all.length && { cursor: cursorFor(LIST, { name }, { skip: next }) }),
    };
  },
});
