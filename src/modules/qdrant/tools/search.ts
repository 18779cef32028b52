import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { queryAnswer, sentId } from '../answers.ts';
import { openCollection } from '../collection.ts';
import { pointOutput, shownPoint } from '../shown-point.ts';
import { charsInput, collectionInput, filterInput, idInput, qdrantTool, usingInput, vectorInput } from '../tool.ts';
import { embedded, needSize, usedVector } from '../vectors.ts';

export const search = qdrantTool({
  name: 'qdrant_search',
  title: 'Search by meaning',
  description:
    'Finds the points that are nearest to a text, a vector or another point, the nearest first, with scores.',
  phrases:
    'semantic search in qdrant; find similar documents; what do the documents say about; nearest neighbours; more like this point',
  effect: 'read',
  input: z.strictObject({
    collection: collectionInput,
    text: z.string().min(1).max(20_000).optional().describe('A question or a text'),
    vector: vectorInput.optional().describe('Instead of a text'),
    id: idInput.optional().describe('Instead of a text: finds points like this one'),
    filter: filterInput.optional(),
    limit: z.int().min(1).max(100).default(10).describe('At most so many points'),
    score_threshold: z.number().optional().describe('Leave out what is further away'),
    using: usingInput,
    with_payload: z.boolean().default(true).describe('false leaves the payload out'),
    with_vector: z.boolean().default(false).describe('Also the vectors, shortened'),
    chars: charsInput,
  }),
  output: z.object({
    results: z.array(pointOutput),
    distance: z.string().describe('With Euclid and Manhattan, smaller scores are nearer'),
    more: z.int().optional().describe('Results that do not fit: lower chars or limit'),
    note: z.string().optional(),
  }),
  async run(given, qdrant, { signal }, progress) {
    const { text, vector, id, filter, limit, using: wanted } = given;
    if ([text, vector, id].filter((one) => one !== undefined).length !== 1)
      throw new AppError('invalid_input', 'Pass one of text, vector and id: what to look for.');
    const collection = await openCollection(qdrant, given.collection, signal);
    const using = usedVector(collection, wanted);
    if (vector) needSize(collection, using, vector);
    const made = text === undefined ? undefined : await embedded(qdrant, collection, using, { texts: [text], signal });
    const { points } = await qdrant.ask(queryAnswer, `${collection.path}/points/query`, {
      method: 'POST',
      signal,
      progress,
      body: {
        query: id === undefined ? (vector ?? made?.vectors[0]) : sentId(id),
        ...(using.name !== '' && { using: using.name }),
        ...(filter && { filter }),
        ...(given.score_threshold !== undefined && { score_threshold: given.score_threshold }),
        limit,
        with_payload: given.with_payload,
        with_vector: given.with_vector,
      },
    });
    const results = points.map((point) => shownPoint(point, given));
    const note = made?.note;
    const fits = fittingItems(results, { note });
    return {
      results: results.slice(0, fits),
      distance: (collection.vectors.get(using.name)?.distance ?? '').slice(0, 30),
      ...(fits < results.length && { more: results.length - fits }),
      ...(note !== undefined && { note }),
    };
  },
});
