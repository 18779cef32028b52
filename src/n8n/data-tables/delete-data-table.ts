import { z } from 'zod';
import { counted, quoted } from '../../kernel/some-of.ts';
import { n8nTool } from '../tool.ts';
import { existingTable, tableInput } from './found-table.ts';
import { countRows } from './read-rows.ts';
import { removeTable } from './remove-table.ts';
import { whoUses } from './users.ts';

export const deleteDataTable = n8nTool({
  name: 'n8n_delete_data_table',
  title: 'Delete data table',
  description:
    'Deletes a data table with all its rows. A backup is taken first: n8n_restore_data_table brings it back under a new id.',
  effect: 'delete',
  phrases:
    'delete a data table; drop a data table; remove a table from n8n with all its rows; get rid of a data table; the data table is not needed any more; throw away a table of data; erase a data table for good; destroy the table and its rows; remove the old customers table from n8n; clean up data tables; delete an n8n datatable; drop table; kill the test data table; the whole table can go; remove a table nobody uses',
  tags: ['data tables'],
  input: {
    table: tableInput,
    backup: z.boolean().optional().describe('false: take no backup first, for a large table that nobody needs'),
  },
  output: z.object({
    id: z.string(),
    name: z.string(),
    backup: z.string().optional().describe('For n8n_restore_data_table'),
  }),
  async preview({ table: wanted, backup = true }, { client }, { signal }) {
    const table = await existingTable(client, wanted, signal);
    const rows = counted(await countRows(client, table, {}, signal), 'row');
    const kept = backup ? 'a backup is kept' : 'without a backup, so nothing brings it back';
    return `It deletes the data table ${quoted(table.name)} (${table.id}) with ${rows}; ${kept}. ${await whoUses(client, table, signal)}`;
  },
  async run({ table: wanted, backup = true }, { client, backups }, { signal }) {
    const table = await existingTable(client, wanted, signal);
    return client.turns.take(`data table ${table.id}`, async () => {
      const kept = backup
        ? await backups.keepTable(client.name, table, client.dataTables.rows(table.id, signal), 'table')
        : undefined;
      signal.throwIfAborted();
      await removeTable(client, table.id);
      return { id: table.id, name: table.name, ...(kept && { backup: kept.id }) };
    });
  },
});
