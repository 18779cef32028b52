import { z } from 'zod';
import { execute, previewOf } from '../execute.ts';
import { sqlInput, tableOutput } from '../sql-input.ts';
import { postgresTool } from '../tool.ts';

export const postgresExecute = postgresTool({
  name: 'postgres_execute',
  title: 'Change PostgreSQL',
  description:
    'Runs one SQL statement that changes data or tables: INSERT, UPDATE, DELETE, MERGE, CREATE, ALTER, DROP and others, in a transaction of its own. What deletes, drops, or updates all rows asks for confirmation first. Example: { "sql": "UPDATE users SET name = $1 WHERE id = $2", "params": ["Ada", 7] }.',
  phrases:
    'insert into a table; update a row in the database; delete rows; create a table in postgres; alter table add column; drop a table; add an index; run ddl',
  effect: 'delete',
  input: z.strictObject({
    ...sqlInput,
    dry_run: z.boolean().optional().describe('Runs it, says what it did, and rolls it back'),
  }),
  output: tableOutput.partial().extend({
    command: z.string(),
    count: z.int().optional().describe('Rows that were changed, or returned'),
    dry_run: z.literal(true).optional(),
    notices: z.array(z.string()).optional(),
  }),
  preview: async (input, postgres, { signal }) => await previewOf(postgres, input, signal),
  run: async (input, postgres, { signal }) => await execute(postgres, input, signal),
});
