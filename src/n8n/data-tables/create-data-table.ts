import { z } from 'zod';
import { n8nTool } from '../tool.ts';
import { columnInput, MOST_COLUMNS } from './columns.ts';
import { createTable, tableNameInput } from './create-table.ts';
import { briefTable, tableOutput } from './summary.ts';

export const createDataTable = n8nTool({
  name: 'n8n_create_data_table',
  title: 'Create data table',
  description:
    'Creates a data table in n8n. Every table also has id, createdAt and updatedAt, which n8n fills in. n8n_import_csv creates one from a CSV.',
  effect: 'create',
  phrases:
    'create a data table; make a new table in n8n; new data table with columns; add a table to store data; set up a table for my workflow to write to; define columns and types of a new data table; i need a place to keep rows in n8n; table for storing leads; make a lookup table; empty data table; build a small database in n8n; start a table with name and email; a data table that workflows can fill; store state between runs in a table; new n8n datatable; make a table for the results; create storage for rows; add a data table to a project',
  tags: ['data tables'],
  input: {
    name: tableNameInput.describe('Its name, unique in the project, up to 128 characters'),
    columns: z.array(columnInput).max(MOST_COLUMNS).describe('May be empty'),
    project: z.string().min(1).max(100).optional().describe("Id of a project. Default: the key owner's own"),
  },
  output: tableOutput,
  examples: [
    {
      title: 'A table of customers',
      arguments: {
        name: 'customers',
        columns: [
          { name: 'email', type: 'string' },
          { name: 'orders', type: 'number' },
          { name: 'since', type: 'date' },
        ],
      },
    },
  ],
  async run({ name, columns, project }, { client }) {
    return briefTable(await createTable(client, { name, columns, projectId: project }));
  },
});
