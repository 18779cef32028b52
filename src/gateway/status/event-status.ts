import { z } from 'zod';

/** How a webhook is doing. */
export const webhookStatus = z.object({
  name: z.string(),
  host: z.string(),
  state: z.enum(['delivering', 'failing', 'elsewhere']).describe('elsewhere: another process of this home delivers'),
  waiting: z.number().describe('Events not delivered yet'),
  oldest: z.string().optional().describe('When the oldest of them happened'),
  delivered: z.number(),
  dead: z.number().describe('Set aside because the receiver refused them: `sluice webhooks --dead`'),
  droppedDead: z.number().optional().describe('Of those, dropped since the start: too many, or too old'),
  skipped: z.number().describe('Not sent, because too many were waiting'),
  full: z.boolean().optional().describe('Too many are waiting: new events are not sent to it until there is room'),
  problem: z.object({ reason: z.string(), since: z.string() }).optional(),
  retryAt: z.string().optional(),
});

/** How a watched file is doing. */
export const watchStatus = z.object({
  file: z.string(),
  state: z.enum(['reading', 'missing', 'failing']),
  events: z.number().describe('Taken from it since the start'),
  behind: z.number().describe('Bytes not read yet'),
  bad: z.number().describe('Lines that were no events'),
  tooLong: z.number().describe('Lines of more than 1 MB'),
  problem: z.string().optional(),
  since: z.string().optional().describe('When the problem began'),
});
