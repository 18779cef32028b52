import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import type { Run } from '../../postgres/connection.ts';
import { type Collection, openCollection, rowsOf } from '../collection.ts';
import { columnsInput } from '../columns.ts';
import { distanceInput, ways } from '../distance.ts';
import { fused } from '../fused.ts';
import { itemOutput, shownItem } from '../items.ts';
import { type NearRow, nearest, withWords } from '../search.ts';
import { quoted, values } from '../sql.ts';
import { collectionInput, filterInput, idInput, pgvectorTool, vectorInput } from '../tool.ts';
import { embedded, modelNote, needDimensions, needModel } from '../vectors.ts';

export const search = pgvectorTool({
  name: 'pgvector_search',
  title: 'Search by meaning',
  description:
    'Finds the items of a collection that are nearest to a text, a vector or another item, the nearest first, with scores. Works with any table that has vectors. A filter narrows it by metadata or columns; words also rank by exact terms (hybrid search).',
  phrases:
    'semantic search; find similar documents; search the knowledge base; what do the documents say about; nearest neighbours; more like this one; hybrid search by words and meaning',
  effect: 'read',
  input: z.strictObject({
    collection: collectionInput,
    text: z.string().min(1).max(20_000).optional().describe('A question or a text'),
    vector: vectorInput.optional().describe('Instead of a text'),
    like: idInput.optional().describe('Instead of a text: the id of an item, to find others like it'),
    words: z.string().min(1).max(500).optional().describe('Also rank by words in the texts: names, codes, rare terms'),
    filter: filterInput.optional(),
    limit: z.int().min(1).max(200).default(10).describe('How many'),
    min_score: z.number().optional().describe('Leave out what scores less; cosine: -1 to 1'),
    chars: z.int().min(0).max(2000).default(400).describe('How much of each text to show'),
    distance: distanceInput.optional().describe('Default: what the collection or its index says, else cosine'),
    columns: columnsInput.optional(),
  }),
  output: z.object({
    results: z.array(
      itemOutput.extend({
        score: z.number().describe('Larger is nearer: 1 - cosine distance, 1 / (1 + l2), or the inner product'),
        distance: z.number(),
        found_by: z.enum(['meaning', 'words', 'both']).optional().describe('With words'),
      }),
    ),
    distance: z.string(),
    index: z.string().optional().describe('The index that found them; missing if all vectors were compared'),
    more: z.int().optional().describe('Results that do not fit: lower chars, or narrow the filter'),
    note: z.string().optional(),
  }),
  examples: [
    {
      title: 'A question',
      arguments: { collection: 'docs', text: 'When do backups run?', filter: { source: 'ops.md' } },
    },
  ],
  async run(
    { collection: name, text, vector, like, words, filter, limit, min_score, chars, distance, columns },
    pgvector,
    { signal },
  ) {
    if ([text, vector, like].filter((one) => one !== undefined).length !== 1)
      throw new AppError('invalid_input', 'Pass one of text, vector and like: what to look for.');
    const [collection, theirs] = await pgvector.read(async (run) => {
      const opened = await openCollection(run, pgvector, name, { columns, distance });
      return [opened, like === undefined ? undefined : await vectorOf(run, opened, like)] as const;
    }, signal);
    const key = text === undefined ? undefined : await needModel(pgvector, collection, signal);
    const asked = vector ?? theirs ?? (await embedded(pgvector, [text ?? ''], signal))[0] ?? [];
    needDimensions(collection, asked, 'vector');
    const question = { vector: asked, filter, limit, chars, besides: like };
    const [found, worded] = await pgvector.read(
      async (run) => [
        await nearest(run, collection, question),
        words === undefined ? [] : await withWords(run, collection, question, words),
      ],
      signal,
    );
    const ranked = fused<NearRow>(found.rows, worded, ({ id, text: shown }) => id ?? shown ?? '').slice(0, limit);
    const { score } = ways[collection.distance];
    const results = ranked
      .map(({ item: row, by }) => ({
        ...shownItem(row, collection),
        score: rounded(score(known(row.distance))),
        distance: rounded(known(row.distance)),
        ...(words !== undefined && { found_by: by }),
      }))
      .filter((one) => min_score === undefined || one.score >= min_score);
    const note = key === undefined ? undefined : modelNote(collection, key);
    const fits = fittingItems(results, { note });
    return {
      results: results.slice(0, fits),
      distance: collection.distance,
      ...(found.index !== undefined && { index: found.index }),
      ...(fits < results.length && { more: results.length - fits }),
      ...(note !== undefined && { note }),
    };
  },
});

/** A vector of zeros has no angle to any other: NaN is no JSON. */
const known = (distance: number): number => (Number.isFinite(distance) ? distance : 1);

const rounded = (given: number): number => Math.round(given * 1e6) / 1e6;

async function vectorOf(run: Run, collection: Collection, id: string): Promise<number[]> {
  const { roles, from, name } = collection;
  if (!roles.id) throw new AppError('invalid_input', `${name} has no id: use text or vector, or columns.id.`);
  const { list, add } = values();
  const where = [...rowsOf(collection, add), `${quoted(roles.id.name)} = ${add(id)}`];
  const { rows } = await run<{ vector: string | null }>(
    `SELECT ${quoted(roles.vector.name)}::text AS vector FROM ${from} WHERE ${where.join(' AND ')} LIMIT 1`,
    list,
  );
  const found = rows[0]?.vector;
  if (typeof found === 'string') return JSON.parse(found) as number[];
  throw new AppError('not_found', rows[0] ? `The item ${id} has no vector.` : `${name} has no item ${id}.`);
}
