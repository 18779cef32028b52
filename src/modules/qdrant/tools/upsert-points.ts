import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { sentId, updateAnswer } from '../answers.ts';
import { openCollection } from '../collection.ts';
import { collectionInput, idInput, payloadInput, qdrantTool, usingInput, vectorInput, WAIT } from '../tool.ts';
import { embedded, needSize, usedVector } from '../vectors.ts';

export const upsertPoints = qdrantTool({
  name: 'qdrant_upsert_points',
  title: 'Upsert points',
  description:
    'Adds points, or replaces those with the same id. A text is turned into a vector and kept in the payload.',
  phrases: 'add documents to qdrant; store texts with vectors; insert points; replace a point',
  effect: 'update',
  input: z.strictObject({
    collection: collectionInput,
    points: z
      .array(
        z.strictObject({
          id: idInput.optional().describe('A new UUID unless given'),
          text: z.string().min(1).max(20_000).optional(),
          vector: vectorInput.optional().describe('Unless the text is to be turned into one'),
          payload: payloadInput.optional(),
        }),
      )
      .min(1)
      .max(100)
      .describe('Points to add or replace'),
    text_key: z.string().min(1).max(100).default('text').describe('Where the payload keeps the text'),
    using: usingInput,
  }),
  output: z.object({ upserted: z.int(), ids: z.array(z.union([z.string(), z.number()])), note: z.string().optional() }),
  async run({ collection: name, points, text_key: textKey, using: wanted }, qdrant, { signal }, progress) {
    const lost = points.findIndex(({ text, vector }) => text === undefined && vector === undefined);
    if (lost !== -1) throw new AppError('invalid_input', `points[${lost}] has neither a text nor a vector.`);
    const collection = await openCollection(qdrant, name, signal);
    const using = usedVector(collection, wanted);
    for (const { vector } of points) if (vector) needSize(collection, using, vector);
    const texts = points.flatMap(({ text, vector }) => (vector || text === undefined ? [] : [text]));
    const made =
      texts.length === 0 ? undefined : await embedded(qdrant, collection, using, { texts, signal, progress });
    const vectors = made?.vectors.values();
    const sent = points.map(({ id = randomUUID(), text, vector, payload }) => {
      const used = vector ?? vectors?.next().value;
      return {
        id,
        vector: using.name === '' ? used : { [using.name]: used },
        payload: { ...payload, ...(text !== undefined && { [textKey]: text }) },
      };
    });
    await qdrant.ask(updateAnswer, `${collection.path}/points`, {
      method: 'PUT',
      query: WAIT,
      body: { points: sent.map((point) => ({ ...point, id: sentId(point.id) })) },
      signal,
      progress,
    });
    const note = made?.note;
    return { upserted: sent.length, ids: sent.map(({ id }) => id), ...(note !== undefined && { note }) };
  },
});
