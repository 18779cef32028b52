import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { openCollection, rowsOf } from '../collection.ts';
import { columnsInput } from '../columns.ts';
import { filterSql } from '../filter.ts';
import { itemColumns, itemOutput, type ItemRow, readColumns, shownItem } from '../items.ts';
import { quoted, values } from '../sql.ts';
import { collectionInput, filterInput, pgvectorTool } from '../tool.ts';

/** A name that no column of a table has. */
const PLACE = '"sluice: place"';

export const listItems = pgvectorTool({
  name: 'pgvector_list_items',
  title: 'List items',
  description:
    'Lists the items of a collection in the order of their ids, page by page, all of them or those that a filter finds.',
  phrases:
    'what is stored in this collection; list documents in the vector store; show items with this metadata; browse the embeddings',
  effect: 'read',
  input: z.strictObject({
    collection: collectionInput,
    filter: filterInput.optional(),
    limit: z.int().min(1).max(200).default(20).describe('How many'),
    cursor: z.string().max(1000).optional().describe('next_cursor of the page before'),
    chars: z.int().min(0).max(2000).default(200).describe('How much of each text to show'),
    columns: columnsInput.optional(),
  }),
  output: z.object({ items: z.array(itemOutput), next_cursor: z.string().optional() }),
  async run({ collection: name, filter, limit, cursor, chars, columns }, pgvector, { signal }) {
    const [collection, rows] = await pgvector.read(async (run) => {
      const opened = await openCollection(run, pgvector, name, { columns });
      const { list, add } = values();
      // Where no column tells rows apart, the place of the row does, until somebody changes it.
      const place = opened.roles.id ? quoted(opened.roles.id.name) : 'ctid';
      const condition = filter && filterSql(filter, opened.roles, add);
      const where = [
        ...rowsOf(opened, add),
        ...(condition === undefined ? [] : [condition]),
        ...(cursor === undefined ? [] : [`${place} > ${add(cursor)}`]),
      ];
      const asked = await run<ItemRow & { place: string }>(
        `SELECT ${itemColumns(opened, { chars })}, ${PLACE}::text AS place FROM (SELECT ${[readColumns(opened), `${place} AS ${PLACE}`].filter(Boolean).join(', ')}
           FROM ${opened.from}${where.length > 0 ? ` WHERE ${where.join(' AND ')}` : ''} ORDER BY ${place} LIMIT ${add(limit + 1)}::int) AS found
         ORDER BY ${PLACE}`,
        list,
      );
      return [opened, asked.rows] as const;
    }, signal);
    const items = rows.slice(0, limit).map((row) => shownItem(row, collection));
    const fits = fittingItems(items, { next: rows[0]?.place });
    const last = fits < rows.length ? rows[fits - 1]?.place : undefined;
    return { items: items.slice(0, fits), ...(last !== undefined && { next_cursor: last }) };
  },
});
