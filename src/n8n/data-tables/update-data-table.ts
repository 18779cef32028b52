import { z } from 'zod';
import { AppError, messageOf } from '../../kernel/errors.ts';
import { counted, quoted } from '../../kernel/some-of.ts';
import type { N8nClient } from '../client/client.ts';
import type { DataTable } from '../client/data-tables.ts';
import { n8nTool } from '../tool.ts';
import { type ColumnSteps, columnSteps } from './column-changes.ts';
import { columnInput } from './columns.ts';
import { taken, tableNameInput } from './create-table.ts';
import { existingTable, tableInput } from './found-table.ts';
import { countRows } from './read-rows.ts';
import { briefTable, tableOutput } from './summary.ts';
import { whoUses } from './users.ts';

const columnName = z.string().trim().min(1).max(200);

export const updateDataTable = n8nTool({
  name: 'n8n_update_data_table',
  title: 'Update data table',
  description:
    'Renames a data table; adds, renames or deletes columns. The type of a column cannot be changed. Deleting columns asks first and takes a backup. Workflows that name a renamed column must be changed, too.',
  effect: 'update',
  confirms: true,
  phrases:
    'rename a data table; add a column to a data table; remove a column from a data table; rename a column of a data table; change the columns of a table in n8n; new field in a data table; drop a column; alter a data table; extend a table with another column; the data table needs an extra field; give the data table another name; delete a field of a data table; change the structure of a data table; correct a column name; modify the schema of a data table; the table should have one more column',
  tags: ['data tables'],
  input: {
    table: tableInput,
    name: tableNameInput.optional().describe('New name'),
    add_columns: z.array(columnInput).max(200).optional().describe('Columns to add at the end'),
    rename_columns: z
      .record(columnName, columnName)
      .optional()
      .describe('Old names and new names: { "mail": "email" }'),
    delete_columns: z.array(columnName).max(200).optional().describe('Columns to delete, with their values'),
  },
  output: tableOutput.extend({
    changes: z.array(z.string()).describe('What was changed'),
    backup: z.string().optional().describe('Table before columns were deleted, for n8n_restore_data_table'),
  }),
  examples: [
    {
      title: 'Add and rename columns',
      arguments: {
        table: 'customers',
        add_columns: [{ name: 'vip', type: 'boolean' }],
        rename_columns: { mail: 'email' },
      },
    },
  ],
  async preview(given, { client }, { signal }) {
    const table = await existingTable(client, given.table, signal);
    const { deleted } = columnSteps(table, wantedIn(given));
    if (deleted.length === 0) return undefined;
    const names = deleted.map(({ name }) => quoted(name)).join(', ');
    const rows = counted(await countRows(client, table, {}, signal), 'row');
    return `It deletes ${counted(deleted.length, 'column')} of the data table ${quoted(table.name)} with the values of ${rows}: ${names}. A backup is kept. ${await whoUses(client, table, signal)}`;
  },
  async run(given, { client, backups }, { signal }) {
    const table = await existingTable(client, given.table, signal);
    return client.turns.take(`data table ${table.id}`, async () => {
      const steps = columnSteps(table, wantedIn(given));
      const name = given.name === table.name ? undefined : given.name;
      const backup =
        steps.deleted.length > 0
          ? await backups.keepTable(client.name, table, client.dataTables.rows(table.id, signal), 'columns')
          : undefined;
      signal.throwIfAborted();
      const changes = await applied(client, table, steps, name, backup?.id);
      const now = await client.dataTables.get(table.id);
      return { ...briefTable(now), changes: shownChanges(changes), ...(backup && { backup: backup.id }) };
    });
  },
});

const MOST_TOLD = 30;

const shownChanges = (changes: readonly string[]): string[] =>
  changes.length <= MOST_TOLD
    ? [...changes]
    : [...changes.slice(0, MOST_TOLD), `${changes.length - MOST_TOLD} more, like these`];

interface Given {
  readonly add_columns?: z.output<typeof columnInput>[] | undefined;
  readonly rename_columns?: Record<string, string> | undefined;
  readonly delete_columns?: string[] | undefined;
}

const wantedIn = ({ add_columns = [], rename_columns = {}, delete_columns = [] }: Given) => ({
  add: add_columns,
  rename: Object.entries(rename_columns).map(([from, to]) => ({ from, to })),
  delete: delete_columns,
});

/** n8n changes one thing at a time. If one fails, the error says what was done before. */
async function applied(
  client: N8nClient,
  table: DataTable,
  { deleted, renamed, added }: ColumnSteps,
  name: string | undefined,
  backup: string | undefined,
): Promise<string[]> {
  const { dataTables } = client;
  const steps: { line: string; act: () => Promise<unknown> }[] = [
    // The name comes first: it is the step that n8n is most likely to refuse.
    ...(name === undefined
      ? []
      : [
          {
            line: `~ renamed the table ${quoted(table.name)} to ${quoted(name)}`,
            act: () =>
              dataTables.rename(table.id, name).catch((error: unknown) => {
                throw taken(error, name);
              }),
          },
        ]),
    ...deleted.map((column) => ({
      line: `- column ${column.name}`,
      act: () => dataTables.deleteColumn(table.id, column.id),
    })),
    ...renamed.map(({ id, from, to }) => ({
      line: `~ column ${from} is now ${to}`,
      act: () => dataTables.renameColumn(table.id, id, to),
    })),
    ...added.map((column) => ({
      line: `+ column ${column.name} (${column.type})`,
      act: () => dataTables.addColumn(table.id, column),
    })),
  ];
  const done: string[] = [];
  for (const { line, act } of steps) {
    try {
      await act();
    } catch (error) {
      if (done.length === 0) throw error;
      const code = error instanceof AppError ? error.code : 'internal';
      const before = shownChanges(done).join('; ');
      const kept = backup === undefined ? '' : ` The backup ${backup} has the table as it was.`;
      throw new AppError(code, `${messageOf(error)}\nThis was changed before: ${before}.${kept}`, { cause: error });
    }
    done.push(line);
  }
  return done;
}
