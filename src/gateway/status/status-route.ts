import { z } from 'zod';
import type { Route } from '../../kernel/route.ts';
import { statusFor } from './status-for.ts';
import { gatewayStatus, type StatusDeps } from './status.ts';

/** GET /api/v1/status: the same as the tool gateway_status and the command `sluice status`. */
export function statusRoute(deps: StatusDeps): Route {
  return {
    path: '/api/v1/status',
    scope: 'health:check',
    get openapi() {
      const { $schema: _, ...schema } = z.toJSONSchema(gatewayStatus);
      return {
        operationId: 'status',
        summary: 'How the gateway and each server behind it are doing',
        tags: ['health'],
        responses: { 200: { description: 'The status', content: { 'application/json': { schema } } } },
      };
    },
    handle: ({ principal }) => Response.json(statusFor(deps, principal)),
  };
}
