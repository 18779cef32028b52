import { z } from 'zod';
import { shownOutput } from './tool.ts';

/** An id of a stream: milliseconds, and a number among the entries of that millisecond. */
export const entryId = z
  .string()
  .regex(/^\d{1,20}(?:-\d{1,20})?$/, 'is not the id of an entry, such as 1731700000000-0');

export const rangeEnd = z
  .string()
  .regex(/^(?:[-+]|\(?\d{1,20}(?:-\d{1,20})?)$/, 'is not - or + or the id of an entry, such as 1731700000000-0');

export const groupInput = z.string().min(1).max(200);

export const entryOutput = z.object({
  id: z.string(),
  fields: z.array(z.object({ field: z.string(), ...shownOutput })),
  more_fields: z.int().optional().describe('How many fields are not shown'),
});
