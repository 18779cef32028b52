import { z } from 'zod';
import { LONGEST_SQL } from './sql/parse.ts';

/** What tools that take SQL have in common. */
export const sqlInput = {
  sql: z.string().min(1).max(LONGEST_SQL).describe('One SQL statement'),
  params: z
    .array(z.unknown())
    .max(500)
    .optional()
    .describe('Values for $1, $2, … in the SQL. A list becomes an array; pass JSON as text'),
};

export const tableOutput = z.object({
  columns: z.array(z.object({ name: z.string(), type: z.string() })).optional(),
  rows: z.array(z.record(z.string(), z.unknown())),
  more: z.literal(true).optional(),
  note: z.string().optional(),
});
