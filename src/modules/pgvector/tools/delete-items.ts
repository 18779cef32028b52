import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { Run } from '../../postgres/connection.ts';
import { needTable, openCollection } from '../collection.ts';
import { columnsInput } from '../columns.ts';
import type { Pgvector } from '../connect.ts';
import { countOf } from '../count.ts';
import { countSelected, type Selection, selected, selectionInput } from '../selection.ts';
import { values } from '../sql.ts';
import { collectionInput, pgvectorTool } from '../tool.ts';

const COUNTED = 100_000;

const input = z.strictObject({
  collection: collectionInput,
  ...selectionInput,
  dry_run: z.boolean().default(false).describe('Only count what would be deleted'),
  columns: columnsInput.optional(),
});

export const deleteItems = pgvectorTool({
  name: 'pgvector_delete_items',
  title: 'Delete items',
  description: 'Deletes items of a collection, chosen by ids or by a filter. dry_run only counts them.',
  phrases:
    'remove documents from the vector store; delete vectors; forget everything from this source; delete by metadata',
  effect: 'delete',
  input,
  output: z.object({
    deleted: z.int(),
    would_delete: z.int().optional().describe('With dry_run'),
    ids: z.array(z.string()).optional().describe('Some of them, with dry_run'),
  }),
  async preview(given, pgvector, { signal }) {
    const { count, ids, of, name } = await pgvector.read((run) => meant(run, pgvector, given), signal);
    if (given.dry_run) return undefined;
    const some = ids.length === 0 ? '' : `: ${ids.join(', ')}${count > ids.length ? ', …' : ''}`;
    return `Deletes ${count} of the ${of} items of ${name}${some}.`;
  },
  async run(given, pgvector, { signal }) {
    if (given.dry_run) {
      const { count, ids } = await pgvector.read((run) => meant(run, pgvector, given), signal);
      return { deleted: 0, would_delete: count, ids };
    }
    return await pgvector.write(
      async (run) => {
        const { where, list, from } = await opened(run, pgvector, given);
        const { count } = await run(`DELETE FROM ${from} WHERE ${where}`, list);
        return { deleted: count };
      },
      { signal },
    );
  },
});

type Given = z.output<typeof input>;

async function opened(run: Run, pgvector: Pgvector, { collection: name, columns, ...given }: Given) {
  const collection = await openCollection(run, pgvector, name, { columns });
  needTable(collection);
  const { list, add } = values();
  const selection: Selection = { ids: given.ids, filter: given.filter };
  return { collection, from: collection.from, where: selected(collection, selection, add), list };
}

async function meant(run: Run, pgvector: Pgvector, given: Given) {
  const { collection, where, list } = await opened(run, pgvector, given);
  const { count, ids } = await countSelected(run, collection, where, list);
  if (count === 0)
    throw new AppError('not_found', `No item of ${collection.name} is meant by this. Nothing was deleted.`);
  const { count: all, approximate } = await countOf(run, collection, COUNTED);
  return { count, ids, of: approximate ? `about ${Math.max(all, count)}` : `${all}`, name: collection.name };
}
