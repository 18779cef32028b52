import { z } from 'zod';
import type { Route } from '../../kernel/part.ts';
import type { RestDeps } from './deps.ts';
import { exchangeOf } from './exchange.ts';
import { answer } from './operation.ts';
import { visibleTools } from './visible-tools.ts';

const health = z.object({
  healthy: z.boolean(),
  version: z.string(),
  available_tools: z.array(z.string()).describe('The names of the tools the caller may know of'),
  timestamp: z.number().describe('Seconds since 1970'),
  error: z.string().nullable().describe('What is wrong'),
  request_id: z.string(),
  processing_time_ms: z.number(),
});

/** GET /api/v1/mcp/health: whether all is well behind the gateway. It answers 200 either way. */
export function mcpHealth(deps: RestDeps): Route {
  return {
    path: '/api/v1/mcp/health',
    scope: 'health:check',
    get openapi() {
      return {
        operationId: 'mcpHealth',
        summary: 'Whether all servers are well, and which tools there are',
        tags: ['health'],
        responses: { 200: answer('How it is', health) },
      };
    },
    handle({ request, principal }) {
      const exchange = exchangeOf(request);
      const error = problemOf(deps);
      const body: z.infer<typeof health> = {
        healthy: error === null,
        version: deps.version,
        available_tools: visibleTools(deps, principal).map(({ name }) => name),
        timestamp: Math.floor(Date.now() / 1000),
        error,
        request_id: exchange.id,
        processing_time_ms: exchange.elapsed(),
      };
      return exchange.reply(body);
    },
  };
}

function problemOf({ gateway, ready }: RestDeps): string | null {
  if (!ready()) return 'Servers are still starting.';
  const failed = gateway.backends().filter(({ state }) => state === 'FAILED');
  if (failed.length === 0) return null;
  return `Not running: ${failed.map(({ name, lastError }) => (lastError ? `${name} (${lastError.message})` : name)).join('; ')}`;
}
