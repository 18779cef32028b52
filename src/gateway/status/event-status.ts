import { z } from 'zod';

/** How a webhook is doing. */
export const webhookStatus = z.object({
  name: z.string(),
  host: z.string(),
  state: z
    .enum(['delivering', 'failing', 'elsewhere'])
    .describe('elsewhere: another replica or process delivers the events'),
  waiting: z.number().describe('Events not delivered yet'),
  oldest: z.string().optional().describe('When the oldest waiting event happened'),
  delivered: z.number(),
  dead: z.number().describe('Set aside because the receiver refused them; `sluice webhooks dead` lists them'),
  droppedDead: z.number().optional().describe('Dead ones dropped since the start: too many, or too old'),
  skipped: z.number().describe('Not sent because too many were waiting'),
  full: z.boolean().optional().describe('Too many are waiting: new events are skipped until there is room'),
  problem: z.object({ reason: z.string(), since: z.string() }).optional(),
  retryAt: z.string().optional(),
});

/** How a watched file is doing. */
export const watchStatus = z.object({
  file: z.string(),
  state: z.enum(['reading', 'missing', 'failing', 'elsewhere']).describe('elsewhere: another replica reads it'),
  events: z.number().describe('Read from it since the start'),
  behind: z.number().describe('Bytes not read yet'),
  bad: z.number().describe('Lines that are not events'),
  tooLong: z.number().describe('Lines of more than 1 MB'),
  problem: z.string().optional(),
  since: z.string().optional().describe('When the problem began'),
});
