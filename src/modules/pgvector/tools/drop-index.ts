import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { needTable, openCollection } from '../collection.ts';
import type { Pgvector } from '../connect.ts';
import { quoted } from '../sql.ts';
import { collectionInput, pgvectorTool } from '../tool.ts';

export const dropIndex = pgvectorTool({
  name: 'pgvector_drop_index',
  title: 'Drop index',
  description: 'Deletes an index of a collection. The items stay; searches compare all vectors until there is another.',
  phrases: 'remove the hnsw index; drop the vector index; delete an index that is not valid',
  effect: 'delete',
  input: z.strictObject({
    collection: collectionInput,
    index: z.string().min(1).max(63).describe('Its name, as pgvector_list_indexes shows it'),
  }),
  output: z.object({ dropped: z.string() }),
  async preview({ collection, index }, pgvector, { signal }) {
    const { method } = await droppable(pgvector, collection, index, signal);
    return `Deletes the ${method} index ${index} of ${collection}. No item is deleted.`;
  },
  async run({ collection, index }, pgvector, { signal }) {
    await droppable(pgvector, collection, index, signal);
    await pgvector.alone(`DROP INDEX CONCURRENTLY IF EXISTS ${quoted(pgvector.schema)}.${quoted(index)}`, signal);
    return { dropped: index };
  },
});

async function droppable(pgvector: Pgvector, name: string, wanted: string, signal: AbortSignal) {
  const collection = await pgvector.read((run) => openCollection(run, pgvector, name), signal);
  needTable(collection);
  const { indexes } = collection.table;
  const found = indexes.find((index) => index.name === wanted);
  if (!found)
    throw new AppError(
      'not_found',
      `${name} has no index ${wanted}. ${indexes.length > 0 ? `It has ${indexes.map((index) => index.name).join(', ')}.` : 'It has none.'}`,
    );
  if (found.isUnique)
    throw new AppError('invalid_input', `${wanted} keeps ids unique, and the collection needs it. It stays.`);
  return found;
}
