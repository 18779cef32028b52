import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { Run } from '../../postgres/connection.ts';
import { type Collection, needTable, openCollection } from '../collection.ts';
import type { Pgvector } from '../connect.ts';
import { countOf } from '../count.ts';
import { collectionInput, pgvectorTool } from '../tool.ts';

const COUNTED = 1_000_000;

export const dropCollection = pgvectorTool({
  name: 'pgvector_drop_collection',
  title: 'Drop collection',
  description:
    'Deletes a collection with all its items: the table itself. Refuses a table that others depend on. For a collection of LangChain inside a table, use pgvector_delete_items.',
  phrases: 'delete the whole collection; drop the vector table; remove the vector store',
  effect: 'delete',
  input: z.strictObject({ collection: collectionInput }),
  output: z.object({ dropped: z.string() }),
  async preview({ collection: name }, pgvector, { signal }) {
    return await pgvector.read(async (run) => {
      const collection = await droppable(run, pgvector, name);
      const { count, approximate } = await countOf(run, collection, COUNTED);
      return `Deletes the table ${pgvector.schema}.${collection.table.name} with ${approximate ? 'about ' : ''}${count} item${count === 1 ? '' : 's'} and ${collection.table.indexes.length} indexes.`;
    }, signal);
  },
  async run({ collection: name }, pgvector, { signal }) {
    await pgvector.write(
      async (run) => {
        const { from } = await droppable(run, pgvector, name);
        await run(`DROP TABLE ${from}`);
      },
      { signal },
    );
    return { dropped: name };
  },
});

async function droppable(run: Run, pgvector: Pgvector, name: string): Promise<Collection> {
  const collection = await openCollection(run, pgvector, name);
  needTable(collection);
  if (collection.group)
    throw new AppError(
      'invalid_input',
      `${name} is a part of the table ${collection.table.name}. Delete its items with pgvector_delete_items.`,
    );
  return collection;
}
