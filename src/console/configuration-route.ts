import { z } from 'zod';
import type { HostOf, None } from '../host/part.ts';
import type { Route } from '../kernel/route.ts';

const configuration = z.object({
  file: z.string().optional().describe('Absent if there is none'),
  state: z.enum(['ready', 'degraded', 'failing']).describe('failing: the changed file is not in effect'),
  since: z.string().optional(),
  notice: z.string().optional().describe('What is wrong, if it is not in the file'),
  problems: z
    .array(z.object({ path: z.string(), line: z.number().optional(), message: z.string(), fix: z.string() }))
    .describe('What is wrong with the changed file; the one before stays in effect'),
  restart: z.array(z.string()).describe('Changed keys that take effect after a restart'),
  keys: z.array(
    z.object({
      key: z.string(),
      from: z.enum(['file', 'environment', 'file and environment', 'default']),
      value: z.unknown().describe('References as they are written; secrets masked'),
    }),
  ),
});

/** GET /api/v1/configuration: what is in effect, without secrets. */
export function configurationRoute(host: Pick<HostOf<None>, 'configuration'>): Route {
  return {
    path: '/api/v1/configuration',
    scope: 'admin',
    async openapi() {
      const { answered } = await import('../kernel/described.ts');
      return {
        operationId: 'configuration',
        summary: 'The configuration in effect, with secrets masked, and what is wrong with the file',
        tags: ['configuration'],
        responses: answered(configuration),
      };
    },
    handle: async () => Response.json(await host.configuration(), { headers: { 'cache-control': 'no-store' } }),
  };
}
