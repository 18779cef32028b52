import { z } from 'zod';
import type { Route } from '../../kernel/route.ts';
import type { Events } from '../../store/store.ts';
import { askedUsage, usageReport } from './usage.ts';

const query = askedUsage.extend({
  limit: z.coerce.number().int().min(1).max(200).optional().describe('Entries in each list; default: 5'),
});

/** GET /api/v1/usage: the same as the tool gateway_usage, but looking is not a call that is counted. */
export function usageRoute({ events }: { readonly events: Pick<Events, 'usage'> }): Route {
  return {
    path: '/api/v1/usage',
    scope: 'health:check',
    async openapi() {
      const { answered, inQuery } = await import('../../kernel/described.ts');
      return {
        operationId: 'usage',
        summary: 'Which tools, sources or keys are used most, are slowest and fail most',
        tags: ['health'],
        parameters: inQuery(query),
        responses: answered(usageReport),
      };
    },
    async handle({ request, principal }) {
      const [{ askedIn }, { usageFor }] = await Promise.all([
        import('../../kernel/described.ts'),
        import('./usage-for.ts'),
      ]);
      const answer = await usageFor(events, askedIn(query, request), principal);
      return Response.json(answer, { headers: { 'cache-control': 'no-store' } });
    },
  };
}
