import { z } from 'zod';
import { fittingItems } from '../../kernel/reply-size.ts';
import { cursorFor, placeIn } from '../cursor.ts';
import { n8nTool } from '../tool.ts';
import { briefTable, tableOutput, tableSummary } from './summary.ts';

const NAME = 'n8n_list_data_tables';

export const listDataTables = n8nTool({
  name: NAME,
  title: 'List data tables',
  description:
    'Lists the data tables of an n8n by name, with their columns, types and size. n8n_query_rows reads their rows, and counts them.',
  effect: 'read',
  phrases:
    'list data tables; which data tables are there; show the data tables in n8n; what columns does a data table have; columns and types of a data table; structure of a data table; schema of a data table; find a data table by name; overview of data tables; what data do we keep in n8n itself; show all n8n data tables; how big are the data tables; size of a data table; which data table stores the customers; when was a data table last changed; fields of a data table; built-in tables of n8n; get the id of a data table; do we have a data table for orders; datatables of this n8n',
  tags: ['data tables'],
  input: {
    name: z.string().min(1).max(200).optional().describe('Part of the name, ignoring case'),
    project: z.string().min(1).max(100).optional().describe('Only of the project with this id'),
    limit: z
      .int()
      .min(1)
      .max(1000)
      .optional()
      .describe('Maximum per page; then all columns are shown. Default: what fits into 8 KB'),
    cursor: z.string().optional().describe('From the last answer, with the same arguments'),
  },
  output: z.object({
    data_tables: z.array(tableOutput),
    cursor: z.string().optional().describe('There are more'),
  }),
  async run({ name, project, limit, cursor }, { client }, { signal }) {
    const asked = { instance: client.name, name, project };
    const { skip } = placeIn(NAME, asked, cursor);
    const wanted = name?.toLowerCase() ?? '';
    const tables = (await Array.fromAsync(client.dataTables.all(signal)))
      .filter((table) => table.name.toLowerCase().includes(wanted))
      .filter(({ projectId }) => project === undefined || projectId === project)
      .sort((a, b) => (a.name < b.name ? -1 : a.name > b.name ? 1 : a.id < b.id ? -1 : 1))
      .slice(skip)
      .map(limit === undefined ? briefTable : tableSummary);
    const kept = limit ?? fittingItems(tables);
    return {
      data_tables: tables.slice(0, kept),
      ...(kept < tables.length && { cursor: cursorFor(NAME, asked, { skip: skip + kept }) }),
    };
  },
});
