import { z } from 'zod';
import { AppError, toAppError } from '../../kernel/errors.ts';
import { counted, quoted, someOf } from '../../kernel/some-of.ts';
import { backupInput } from '../backups/backup-input.ts';
import type { TableBackup } from '../backups/backups.ts';
import type { N8nClient } from '../client/client.ts';
import type { Cells, Column, DataTable, Row } from '../client/data-tables.ts';
import { instanceInput } from '../instances.ts';
import { n8nTool } from '../tool.ts';
import { namedWorkflow } from '../workflows/dependents.ts';
import { createTable, tableNameInput } from './create-table.ts';
import { briefTable, tableOutput } from './summary.ts';
import { workflowsUsing } from './users.ts';
import { matchingRows } from './read-rows.ts';
import { batchesOf } from './write/batches.ts';
import { exactly } from './write/by-ids.ts';
import { filled } from './write/fill-table.ts';
import { writeRows } from './write/write-rows.ts';

export const restoreDataTable = n8nTool({
  name: 'n8n_restore_data_table',
  title: 'Restore data table',
  description:
    'Restores a data table with its rows from a backup: the one taken before it or its columns were deleted, or one of a whole n8n. It becomes a new table with a new id; nothing is overwritten. From a backup of deleted rows, puts these rows back into their table.',
  effect: 'create',
  phrases:
    'restore a data table; bring back a deleted data table; undo the deletion of a data table; get the rows back that were deleted; recover a data table from a backup; put deleted rows back; restore a table from the backup of the whole n8n; i deleted a data table by mistake; undelete a data table; recover a deleted column; rescue the data of a table; load a data table from a backup; the table is gone, bring it back; roll back a data table',
  tags: ['data tables', 'backups'],
  input: {
    instance: instanceInput.describe('Target n8n. Default: the one the backup is from'),
    backup: backupInput.describe('Backup id; n8n_list_backups with data_tables or whole shows them'),
    table: z.string().min(1).max(200).optional().describe('Which one, by id or name, of a whole-instance backup'),
    as: tableNameInput.optional().describe('Name of the new table. Default: the name it had'),
    project: z.string().min(1).max(100).optional().describe("Id of a project. Default: the key owner's own"),
  },
  output: tableOutput.extend({
    restored: z.enum(['table', 'rows']),
    rows: z.number(),
    from: z.object({ backup: z.string(), taken: z.string() }),
    notes: z.array(z.string()).optional(),
  }),
  examples: [
    {
      title: 'Undo a deletion',
      arguments: { backup: 'default/@table.aB3xY9kLmN0pQrSt/20261115T073012123Z-table-3f9a1c' },
    },
  ],
  async run({ instance, backup: id, table: wanted, as, project }, deps, { signal }, progress) {
    const backup = await deps.backups.readTable(id, wanted);
    const client = deps.instances.get(instance ?? backup.instance);
    const from = { backup: id, taken: backup.taken };
    const tell = (done: number) => progress(done, backup.count, 'rows');
    const present = backup.isPart && as === undefined ? await presentTable(client, backup, signal) : undefined;
    if (present) {
      const rows = await putBack(client, present, backup, signal, tell);
      const left = backup.count - rows;
      const note = `${counted(left, 'row')} of the backup ${left === 1 ? 'is' : 'are'} still in the table, so ${left === 1 ? 'it was' : 'they were'} not added again.`;
      return {
        ...briefTable(present),
        restored: 'rows' as const,
        rows,
        from,
        ...(left > 0 && { notes: [note] }),
      };
    }
    const made = await recreated(client, backup, as ?? backup.table.name, project);
    await filled(client, made, cellsOf(backup.rows(), made.columns), signal, tell);
    const notes = await notesOn(client, backup, made, signal);
    return {
      ...briefTable(made),
      restored: 'table' as const,
      rows: backup.count,
      from,
      ...(notes.length > 0 && { notes }),
    };
  },
});

/** An empty table like the one in the backup, in the project it was in if that still exists. */
async function recreated(
  client: N8nClient,
  { instance, table }: TableBackup,
  name: string,
  project: string | undefined,
): Promise<DataTable> {
  const { columns } = table;
  const former = instance === client.name ? table.projectId : undefined;
  try {
    if (project !== undefined || former === undefined) {
      return await createTable(client, { name, columns, projectId: project });
    }
    return await createTable(client, { name, columns, projectId: former }).catch((error: unknown) => {
      if (!(error instanceof AppError) || !['invalid_input', 'forbidden'].includes(error.code)) throw error;
      return createTable(client, { name, columns });
    });
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'conflict') throw error;
    const advice = 'Nothing was changed. Pass "as" to restore it under another name.';
    throw new AppError('conflict', `${error.message} ${advice}`, { cause: error });
  }
}

/** The table that deleted rows belong to. Undefined if it is gone. */
async function presentTable(
  client: N8nClient,
  { table }: TableBackup,
  signal: AbortSignal,
): Promise<DataTable | undefined> {
  return client.dataTables.get(table.id, signal).catch((error: unknown) => {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  });
}

/** The ids of rows of the backup that the table still has: a deletion may have stopped half way. n8n uses no id twice. */
async function stillIn(
  client: N8nClient,
  table: DataTable,
  backup: TableBackup,
  signal: AbortSignal,
): Promise<ReadonlySet<unknown>> {
  const ids: number[] = [];
  for await (const { id } of backup.rows()) ids.push(Number(id));
  const present = new Set<unknown>();
  for (const { filter: asked } of exactly(ids)) {
    const filter = { asked, dates: [], forUpdate: true };
    for await (const { id } of matchingRows(client, table, { filter }, signal)) present.add(id);
  }
  return present;
}

/** Returns how many rows were added. */
async function putBack(
  client: N8nClient,
  table: DataTable,
  backup: TableBackup,
  signal: AbortSignal,
  tell: (done: number) => void,
): Promise<number> {
  const changed = backup.table.columns.filter(
    ({ name, type }) => !table.columns.some((column) => column.name === name && column.type === type),
  );
  if (changed.length > 0) {
    const names = someOf(changed.map(({ name, type }) => `${name} (${type})`));
    throw new AppError(
      'conflict',
      `The data table ${quoted(table.name)} no longer has the columns ${names}. Nothing was changed. Pass "as" to restore the rows as a new table.`,
    );
  }
  const present = await stillIn(client, table, backup, signal);
  async function* gone(): AsyncGenerator<Row> {
    for await (const row of backup.rows()) if (!present.has(row.id)) yield row;
  }
  let added = 0;
  for await (const rows of batchesOf(cellsOf(gone(), backup.table.columns))) {
    const wanted = { mode: 'insert', dryRun: false } as const;
    const { done, stopped } = await writeRows(client, table, rows, wanted, signal).catch((error: unknown) => {
      if (added === 0) throw error;
      return { done: 0, stopped: toAppError(error) };
    });
    added += done;
    tell(added);
    if (!stopped) continue;
    throw new AppError(
      stopped.code,
      `${stopped.message} ${added} of ${backup.count} rows were put back before. A repeat adds them again, so delete them first: they are the newest rows.`,
      {
        cause: stopped,
      },
    );
  }
  return added;
}

/** Without what n8n fills in itself. */
async function* cellsOf(rows: AsyncIterable<Row>, columns: readonly Column[]): AsyncGenerator<Cells> {
  for await (const row of rows) {
    yield Object.fromEntries(columns.map(({ name }) => [name, Object.hasOwn(row, name) ? row[name] : null])) as Cells;
  }
}

async function notesOn(
  client: N8nClient,
  { instance, table }: TableBackup,
  made: DataTable,
  signal: AbortSignal,
): Promise<string[]> {
  // The table is restored by now, so a failure must not hide that.
  const users = await workflowsUsing(client, table, signal).catch(() => undefined);
  const isElsewhere = instance === client.name && table.projectId !== undefined && made.projectId !== table.projectId;
  return [
    `Rows have new ids and times. The new id of the table is ${made.id}; it was ${table.id}.`,
    ...(isElsewhere ? [`It is in the project ${made.projectId}; it was in ${table.projectId}.`] : []),
    ...(users && users.length > 0
      ? [`These workflows use the old id or name, so check them: ${someOf(users.map(namedWorkflow))}.`]
      : []),
    ...(users ? [] : ['It could not be checked which workflows use the old id or name.']),
  ];
}
