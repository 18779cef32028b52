import { z } from 'zod';
import { MOST_ROWS, query } from '../query.ts';
import { sqlInput, tableOutput } from '../sql-input.ts';
import { postgresTool } from '../tool.ts';

export const postgresQuery = postgresTool({
  name: 'postgres_query',
  title: 'Query PostgreSQL',
  description:
    'Reads with one SQL statement: SELECT, VALUES, TABLE, SHOW or EXPLAIN. It runs in a read-only transaction; what could change something is refused. Example: { "sql": "SELECT * FROM orders WHERE id = $1", "params": [7] }.',
  phrases:
    'query the database; run a select; run sql; how many rows; look up a record in postgres; read a table; select from; count orders in the database',
  effect: 'read',
  input: z.strictObject({
    ...sqlInput,
    limit: z
      .int()
      .min(1)
      .max(MOST_ROWS)
      .optional()
      .describe('How many rows at most. Without it, up to 100 and as many as fit 8 KB'),
  }),
  output: tableOutput,
  run: async (input, postgres, { signal }) => await query(postgres, input, signal),
});
