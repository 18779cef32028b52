import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { own } from '../../../kernel/own.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { shown } from '../../shown.ts';
import { pointsAnswer, sentId } from '../answers.ts';
import { openCollection } from '../collection.ts';
import { pointOutput, shownPoint } from '../shown-point.ts';
import { charsInput, collectionInput, idInput, qdrantTool } from '../tool.ts';

export const getPoints = qdrantTool({
  name: 'qdrant_get_points',
  title: 'Get points',
  description: 'Points by their ids. With key, one value of the payload of one point from offset on, for long texts.',
  phrases: 'show this point; payload of a point; read the whole text of a document; get by id',
  effect: 'read',
  input: z.strictObject({
    collection: collectionInput,
    ids: z.array(idInput).min(1).max(50).describe('Ids of points'),
    key: z.string().min(1).max(500).optional().describe('A key of the payload, to read all of it'),
    offset: z.int().min(0).default(0).describe('With key: where to go on, in bytes'),
    with_vector: z.boolean().default(false).describe('Also the vectors, shortened'),
    chars: charsInput,
  }),
  output: z.object({
    points: z.array(pointOutput),
    missing: z.array(z.union([z.string(), z.number()])).optional(),
    more: z.int().optional().describe('Points that do not fit'),
    value: z.string().optional(),
    bytes: z.int().optional(),
    next_offset: z.int().optional(),
  }),
  async run({ ids, key, offset, ...given }, qdrant, { signal }, progress) {
    const collection = await openCollection(qdrant, given.collection, signal);
    const found = await qdrant.ask(pointsAnswer, `${collection.path}/points`, {
      method: 'POST',
      signal,
      progress,
      body: { ids: ids.map(sentId), with_payload: true, with_vector: given.with_vector },
    });
    if (key !== undefined) {
      const value = ids.length === 1 && found[0] ? own(found[0].payload, key) : undefined;
      if (value === undefined)
        throw new AppError(
          'not_found',
          'key needs one id of a point whose payload has this key. Leave key out to see the payload.',
        );
      const text = typeof value === 'string' ? value : JSON.stringify(value);
      const { encoding: _, ...part } = shown(Buffer.from(text), { offset });
      return { points: [], ...part };
    }
    const had = new Set(found.map(({ id }) => String(id).toLowerCase()));
    const missing = ids.filter((id) => !had.has(String(id).toLowerCase()));
    const points = found.map((point) => shownPoint(point, given));
    const fits = fittingItems(points, { missing });
    return {
      points: points.slice(0, fits),
      ...(missing.length > 0 && { missing }),
      ...(fits < points.length && { more: points.length - fits }),
    };
  },
});
