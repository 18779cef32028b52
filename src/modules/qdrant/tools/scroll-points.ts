import { z } from 'zod';
import { cursorFor, placeIn } from '../../../kernel/cursor.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { pointId, scrollAnswer, sentId } from '../answers.ts';
import { openCollection } from '../collection.ts';
import { pointOutput, shownPoint } from '../shown-point.ts';
import { charsInput, collectionInput, cursorInput, cursorOutput, filterInput, qdrantTool } from '../tool.ts';

const LIST = 'qdrant_scroll_points';

export const scrollPoints = qdrantTool({
  name: LIST,
  title: 'Scroll points',
  description: 'Points of a collection in the order of their ids, all of them or those that fit a filter.',
  phrases: 'list the points; show what is in the collection; browse payloads; all documents of a source',
  effect: 'read',
  input: z.strictObject({
    collection: collectionInput,
    filter: filterInput.optional(),
    limit: z.int().min(1).max(100).default(20).describe('At most so many points'),
    with_vector: z.boolean().default(false).describe('Also the vectors, shortened'),
    chars: charsInput,
    cursor: cursorInput,
  }),
  output: z.object({ points: z.array(pointOutput), cursor: cursorOutput }),
  async run({ cursor, limit, ...given }, qdrant, { signal }, progress) {
    const asked = { collection: given.collection, filter: JSON.stringify(given.filter) };
    const { next } = placeIn(LIST, asked, cursor);
    const collection = await openCollection(qdrant, given.collection, signal);
    const { points, next_page_offset: after } = await qdrant.ask(scrollAnswer, `${collection.path}/points/scroll`, {
      method: 'POST',
      signal,
      progress,
      body: {
        limit,
        with_payload: true,
        with_vector: given.with_vector,
        ...(given.filter && { filter: given.filter }),
        ...(next !== undefined && { offset: sentId(pointId.parse(JSON.parse(next))) }),
      },
    });
    const shown = points.map((point) => shownPoint(point, given));
    const fits = fittingItems(shown);
    // The offset is the first point of the next page.
    const first = points[fits]?.id ?? after;
    return {
      points: shown.slice(0, fits),
      ...(first != null && { cursor: cursorFor(LIST, asked, { next: JSON.stringify(first), skip: 0 }) }),
    };
  },
});
