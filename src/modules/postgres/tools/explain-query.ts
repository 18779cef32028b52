import { z } from 'zod';
import { explained } from '../explained.ts';
import { sqlInput } from '../sql-input.ts';
import { postgresTool } from '../tool.ts';

export const postgresExplainQuery = postgresTool({
  name: 'postgres_explain_query',
  title: 'Explain a query',
  description:
    'Shows how PostgreSQL would run a SELECT, INSERT, UPDATE, DELETE or MERGE: its plan with costs. With analyze it runs a SELECT and measures it. With hypothetical_indexes it shows the plan as if they existed (needs the extension hypopg): ["CREATE INDEX ON orders (customer)"].',
  phrases:
    'why is this query slow; explain query; show the execution plan; does it use an index; explain analyze; query plan; would this index help; hypothetical index',
  effect: 'read',
  input: z.strictObject({
    ...sqlInput,
    analyze: z.boolean().optional().describe('Runs the query and measures each step. Only for what reads'),
    hypothetical_indexes: z
      .array(z.string().min(1).max(2000))
      .min(1)
      .max(10)
      .optional()
      .describe('CREATE INDEX statements to imagine; nothing is built'),
  }),
  output: z.object({
    plan: z.string(),
    total_cost: z.number().optional().describe('In units of the planner'),
    estimated_rows: z.number().optional(),
    cost_without: z.number().optional().describe('Without the hypothetical indexes'),
    hypothetical_indexes: z.array(z.object({ index: z.string(), is_used: z.boolean() })).optional(),
    note: z.string().optional(),
  }),
  run: async (input, postgres, { signal }) => await explained(postgres, input, signal),
});
