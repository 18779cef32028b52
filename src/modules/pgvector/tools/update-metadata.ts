import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { Run } from '../../postgres/connection.ts';
import { needTable, openCollection } from '../collection.ts';
import { type ColumnsGiven, columnsInput } from '../columns.ts';
import type { Pgvector } from '../connect.ts';
import { countSelected, type Selection, selected, selectionInput } from '../selection.ts';
import { quoted, values } from '../sql.ts';
import { collectionInput, pgvectorTool } from '../tool.ts';

export const updateMetadata = pgvectorTool({
  name: 'pgvector_update_metadata',
  title: 'Update metadata',
  description:
    'Sets or removes keys in the metadata of items, chosen by ids or by a filter. Texts, vectors and other keys stay. dry_run only counts.',
  phrases: 'tag these documents; change metadata; mark as outdated; remove a metadata key',
  effect: 'update',
  input: z.strictObject({
    collection: collectionInput,
    ...selectionInput,
    set: z.record(z.string(), z.unknown()).optional().describe('Keys to set: {"status": "old"}'),
    remove: z.array(z.string().min(1).max(200)).min(1).max(50).optional().describe('Keys to remove'),
    dry_run: z.boolean().default(false).describe('Only count what would change'),
    columns: columnsInput.optional(),
  }),
  output: z.object({
    updated: z.int(),
    would_update: z.int().optional().describe('With dry_run'),
    ids: z.array(z.string()).optional().describe('Some of them, with dry_run'),
  }),
  async run({ set, remove, dry_run, ...given }, pgvector, { signal }) {
    if (set === undefined && remove === undefined)
      throw new AppError('invalid_input', 'Pass set or remove: what should change.');
    if (dry_run)
      return await pgvector.read(async (run) => {
        const { collection, where, list } = await meant(run, pgvector, given);
        const { count, ids } = await countSelected(run, collection, where, list);
        return { updated: 0, would_update: count, ids };
      }, signal);
    return await pgvector.write(
      async (run) => {
        const { collection, where, list, add, metadata } = await meant(run, pgvector, given);
        const column = quoted(metadata.name);
        const merged = `COALESCE(${column}::jsonb, '{}') || ${add(JSON.stringify(set ?? {}))}::text::jsonb`;
        const value = `((${merged}) - ${add(remove ?? [])}::text[])::${metadata.type}`;
        const { count } = await run(`UPDATE ${collection.from} SET ${column} = ${value} WHERE ${where}`, list);
        return { updated: count };
      },
      { signal },
    );
  },
});

interface Given extends Selection {
  readonly collection: string;
  readonly columns?: ColumnsGiven | undefined;
}

async function meant(run: Run, pgvector: Pgvector, { collection: name, columns, ...selection }: Given) {
  const collection = await openCollection(run, pgvector, name, { columns });
  needTable(collection);
  const { metadata } = collection.roles;
  if (!metadata) throw new AppError('invalid_input', `${name} has no metadata. Name a column in columns.metadata.`);
  const { list, add } = values();
  return { collection, metadata, where: selected(collection, selection, add), list, add };
}
