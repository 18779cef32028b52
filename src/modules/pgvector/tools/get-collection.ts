import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { indexOutput, shownIndex } from '../about-collection.ts';
import { openCollection } from '../collection.ts';
import { columnsInput } from '../columns.ts';
import { countOf } from '../count.ts';
import { collectionInput, pgvectorTool } from '../tool.ts';

const COUNTED = 1_000_000;
const MOST_INDEXES = 8;

export const getCollection = pgvectorTool({
  name: 'pgvector_get_collection',
  title: 'Show collection',
  description:
    'Shows one collection: its columns and what they are used for, dimensions, distance, model, how many items it has, and its indexes.',
  phrases: 'describe a vector table; which model made these embeddings; how many vectors; which distance does it use',
  effect: 'read',
  input: z.strictObject({ collection: collectionInput, columns: columnsInput.optional() }),
  output: z.object({
    name: z.string(),
    items: z.int(),
    approximate: z.boolean().optional(),
    dimensions: z.int().optional().describe('Missing if it has no vectors yet and declares none'),
    distance: z.string(),
    model: z.string().optional().describe('The model of its vectors, if it is known'),
    id: z.string().optional().describe('Column with the ids'),
    text: z.string().optional().describe('Column with the texts'),
    metadata: z.string().optional().describe('Column with the metadata'),
    vector: z.string().describe('Column with the vectors'),
    columns: z.array(z.object({ name: z.string(), type: z.string(), required: z.boolean().optional() })),
    more_columns: z.int().optional().describe('Columns that are not shown'),
    indexes: z.array(indexOutput).describe('At most 8: pgvector_list_indexes has more'),
    view: z.boolean().optional().describe('Can only be read'),
  }),
  async run({ collection: name, columns }, pgvector, { signal }) {
    return await pgvector.read(async (run) => {
      const collection = await openCollection(run, pgvector, name, { columns });
      const { table, roles, dimensions, distance, remembered } = collection;
      const { count, approximate } = await countOf(run, collection, COUNTED);
      const about = {
        name,
        items: count,
        ...(approximate && { approximate }),
        ...(dimensions !== undefined && { dimensions }),
        distance,
        ...(remembered.model !== undefined && { model: remembered.model }),
        ...(roles.id && { id: roles.id.name }),
        ...(roles.text && { text: roles.text.name }),
        ...(roles.metadata && { metadata: roles.metadata.name }),
        vector: roles.vector.name,
        indexes: table.indexes.slice(0, MOST_INDEXES).map(shownIndex),
        ...(table.kind === 'view' && { view: true }),
      };
      const all = table.columns.map((column) => ({
        name: column.name,
        type: column.shown,
        ...(column.isRequired && !column.hasDefault && { required: true }),
      }));
      const fits = fittingItems(all, about);
      return { ...about, columns: all.slice(0, fits), ...(fits < all.length && { more_columns: all.length - fits }) };
    }, signal);
  },
});
