import { z } from 'zod';
import { AppError, toAppError } from '../../kernel/errors.ts';
import { counted, quoted } from '../../kernel/some-of.ts';
import type { N8nClient } from '../client/client.ts';
import type { DataTable, Row } from '../client/data-tables.ts';
import { n8nTool } from '../tool.ts';
import { type FilterGiven, filterFor, filterInput, type MadeFilter, matchInput } from './filter.ts';
import { existingTable, tableInput } from './found-table.ts';
import { countRows, matchingRows } from './read-rows.ts';
import { exactly } from './write/by-ids.ts';

export const deleteRows = n8nTool({
  name: 'n8n_delete_rows',
  title: 'Delete rows of a data table',
  description:
    'Deletes the rows of a data table that match a filter, or with "all" every row; the table stays. A backup of these rows is taken first: n8n_restore_data_table puts them back.',
  effect: 'delete',
  phrases:
    'delete rows from a data table; remove records from a data table; empty a data table; clear all rows; delete entries older than a date from a data table; purge a data table; remove duplicates from a data table by id; delete the row with this id; truncate a data table; throw out rows that match; wipe the rows but keep the table; remove a customer from the data table; clean old rows out of a table in n8n; delete where; erase test entries from a data table; drop some records',
  tags: ['data tables'],
  input: {
    table: tableInput,
    filter: filterInput.optional(),
    match: matchInput,
    all: z.boolean().optional().describe('Delete every row, without a filter'),
  },
  output: z.object({
    table: z.string().describe('Its id'),
    deleted: z.number(),
    backup: z.string().optional().describe('For n8n_restore_data_table'),
  }),
  examples: [
    {
      title: 'Old rows',
      arguments: { table: 'log', filter: [{ column: 'createdAt', condition: 'lt', value: '2026-01-01' }] },
    },
  ],
  async preview(given, { client }, { signal }) {
    const table = await existingTable(client, given.table, signal);
    const filter = wanted(table, given);
    const count = await countRows(client, table, { filter }, signal);
    if (count === 0) return undefined;
    const all = filter ? '' : 'all, ';
    return `It deletes ${all}${counted(count, 'row')} of the data table ${quoted(table.name)} (${table.id}); a backup of them is kept.`;
  },
  async run(given, { client, backups }, { signal }) {
    const table = await existingTable(client, given.table, signal);
    const filter = wanted(table, given);
    return client.turns.take(`data table ${table.id}`, async () => {
      const ids: number[] = [];
      async function* rows(): AsyncGenerator<Row> {
        for await (const row of matchingRows(client, table, { filter }, signal)) {
          ids.push(Number(row.id));
          yield row;
        }
      }
      if ((await countRows(client, table, { filter }, signal)) === 0) return { table: table.id, deleted: 0 };
      const backup = await backups.keepTable(client.name, table, rows(), 'rows');
      await remove(client, table, ids, backup.id, signal);
      return { table: table.id, deleted: ids.length, backup: backup.id };
    });
  },
});

/** Deletes exactly the rows that are in the backup: others may match by now. */
async function remove(
  client: N8nClient,
  table: DataTable,
  ids: readonly number[],
  backup: string,
  signal: AbortSignal,
): Promise<void> {
  let deleted = 0;
  try {
    for (const { filter, count } of exactly(ids)) {
      signal.throwIfAborted();
      await client.dataTables.deleteRows(table.id, filter);
      deleted += count;
    }
  } catch (thrown) {
    const error = toAppError(thrown);
    const done = `${deleted} of ${counted(ids.length, 'row')} were deleted. The backup ${backup} has all ${ids.length}; n8n_restore_data_table puts back those that are gone.`;
    throw new AppError(error.code, `${error.message} ${done}`, { cause: error });
  }
}

function wanted(
  table: DataTable,
  {
    filter: given,
    match,
    all,
  }: {
    readonly filter?: FilterGiven | undefined;
    readonly match?: 'all' | 'any' | undefined;
    readonly all?: boolean | undefined;
  },
): MadeFilter | undefined {
  const filter = filterFor(table, given, match);
  if (!filter && all !== true) {
    throw new AppError(
      'invalid_input',
      'Say which rows: filter has conditions; all: true deletes every row. Nothing was deleted.',
    );
  }
  if (filter && all === true) {
    throw new AppError('invalid_input', 'Pass filter or all, not both. Nothing was deleted.');
  }
  return filter;
}
