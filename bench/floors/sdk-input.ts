import { z } from 'zod';

/** The input schemas of echo.ts as the SDKs want them. */
export const echoInput = z.object({ text: z.string().describe('text to echo') });

export const fillerInput = z.object({
  item: z.string().describe('the item'),
  count: z.int().min(0).optional().describe('how many'),
  mode: z.enum(['fast', 'safe', 'dry-run']).optional(),
});
