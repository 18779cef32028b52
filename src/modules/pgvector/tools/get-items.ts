import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { openCollection } from '../collection.ts';
import { columnsInput } from '../columns.ts';
import { itemColumns, itemOutput, type ItemRow, shownItem } from '../items.ts';
import { selected } from '../selection.ts';
import { quoted, values } from '../sql.ts';
import { collectionInput, idInput, pgvectorTool } from '../tool.ts';

export const getItems = pgvectorTool({
  name: 'pgvector_get_items',
  title: 'Get items',
  description:
    'Shows items of a collection by their ids, with as much of their texts as fits. For the rest of a long text, ask for one id with the offset it names.',
  phrases: 'show this item; read the whole passage; get vectors by id; what does this document say',
  effect: 'read',
  input: z.strictObject({
    collection: collectionInput,
    ids: z.array(idInput).min(1).max(100).describe('Ids of the items'),
    offset: z.int().min(0).max(100_000_000).default(0).describe('Where in the text to begin, in characters'),
    columns: columnsInput.optional(),
  }),
  output: z.object({
    items: z.array(
      itemOutput.extend({ next_offset: z.int().optional().describe('Where the rest of the text begins') }),
    ),
    missing: z.array(z.string()).optional().describe('Ids that are not there'),
    more: z.array(z.string()).optional().describe('Ids that do not fit: ask for them again'),
  }),
  async run({ collection: name, ids, offset, columns }, pgvector, { signal }) {
    const [collection, rows] = await pgvector.read(async (run) => {
      const opened = await openCollection(run, pgvector, name, { columns });
      const { list, add } = values();
      const where = selected(opened, { ids }, add);
      const asked = await run<ItemRow>(
        `SELECT ${itemColumns(opened, { offset })} FROM ${opened.from} WHERE ${where} ORDER BY ${quoted(opened.roles.id?.name ?? '')} LIMIT 100`,
        list,
      );
      return [opened, asked.rows] as const;
    }, signal);
    const known = new Map(rows.map((row) => [row.id ?? '', row]));
    const missing = ids.filter((id) => !known.has(id));
    if (known.size === 0) throw new AppError('not_found', `${name} has no item ${ids.slice(0, 5).join(', ')}.`);
    const items = [...new Set(ids)].flatMap((id) => {
      const row = known.get(id);
      if (!row) return [];
      const shown = shownItem(row, collection, offset);
      const end = offset + (shown.text?.length ?? 0);
      return [{ ...shown, ...(end < (row.text_length ?? 0) && { next_offset: end }) }];
    });
    const fits = fittingItems(items, { missing: missing.slice(0, 20) });
    const more = items.slice(fits).flatMap(({ id }) => id ?? []);
    return {
      items: items.slice(0, fits),
      ...(missing.length > 0 && { missing: missing.slice(0, 20).map((id) => id.slice(0, 60)) }),
      ...(more.length > 0 && { more: more.slice(0, 10) }),
    };
  },
});
