import { z } from 'zod';
import type { Route } from '../../kernel/route.ts';
import type { CallMinutes } from './call-minutes.ts';

const callMinutes = z.object({
  minutes: z
    .array(
      z.object({
        at: z.string().describe('When the minute began'),
        calls: z.number().describe('How many calls ended in it'),
        errors: z.number().describe('How many of them failed'),
      }),
    )
    .describe('The last 60 minutes, oldest first; the last one is not over yet'),
});

/** GET /api/v1/calls/minutes: how busy the gateway was in the last hour. */
export function callMinutesRoute(counted: Pick<CallMinutes, 'lastHour'>): Route {
  return {
    path: '/api/v1/calls/minutes',
    scope: 'health:check',
    ofEverybody: true,
    get openapi() {
      const { $schema: _, ...schema } = z.toJSONSchema(callMinutes);
      return {
        operationId: 'callMinutes',
        summary: 'Calls and failures of the last hour, by minute and over all replicas',
        tags: ['health'],
        responses: { 200: { description: 'Each minute', content: { 'application/json': { schema } } } },
      };
    },
    handle: async () =>
      Response.json({ minutes: await counted.lastHour() } satisfies z.infer<typeof callMinutes>, {
        headers: { 'cache-control': 'no-store' },
      }),
  };
}
