import { z } from 'zod';
import { UnsureError } from './write/insert.ts';
import type { Written } from './write/write-rows.ts';

export const writtenOutput = {
  inserted: z.number(),
  updated: z.number(),
  unchanged: z.number().optional().describe('Rows that already had these values'),
  missing: z.number().optional().describe('Given rows that match none, so that nothing was updated'),
  stopped: z
    .object({
      reason: z.string(),
      next_row: z.number().describe('Rows before this one are written. Go on with it'),
      unsure: z.boolean().optional().describe('It and later ones may be written, too: look before you repeat them'),
    })
    .optional()
    .describe('It failed half way'),
};

/** `first` is the number of the first row. */
export function writtenSummary({ inserted, updated, unchanged, missing, done, stopped }: Written, first = 1) {
  return {
    inserted,
    updated,
    ...(unchanged > 0 && { unchanged }),
    ...(missing > 0 && { missing }),
    ...(stopped && {
      stopped: {
        reason: stopped.message,
        next_row: first + done,
        ...(stopped instanceof UnsureError && { unsure: true }),
      },
    }),
  };
}
