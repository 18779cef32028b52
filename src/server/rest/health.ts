import { z } from 'zod';
import { ownCalls } from '../../kernel/own-calls.ts';
import type { Route } from '../../kernel/route.ts';
import type { RestDeps } from './deps.ts';
import { exchangeOf } from './exchange.ts';
import { answer } from './operation.ts';
import { visibleTools } from './visible-tools.ts';

const health = z.object({
  healthy: z.boolean(),
  version: z.string(),
  available_tools: z.array(z.string()).describe('Names of the tools the caller may see'),
  timestamp: z.number().describe('Seconds since 1970'),
  error: z.string().nullable().describe('What is wrong; null if healthy'),
  request_id: z.string(),
  processing_time_ms: z.number(),
});

/** GET /api/v1/mcp/health: whether all servers run. It answers 200 either way. */
export function mcpHealth(deps: RestDeps): Route {
  return {
    path: '/api/v1/mcp/health',
    scope: 'health:check',
    get openapi() {
      return {
        operationId: 'mcpHealth',
        summary: 'Whether all servers run, and which tools exist',
        tags: ['health'],
        responses: { 200: answer('The health', health) },
      };
    },
    handle({ request, principal }) {
      const exchange = exchangeOf(request);
      const tools = visibleTools(deps, principal);
      const known = ownCalls(principal) && new Set(tools.map(({ source }) => source));
      const error = problemOf(deps, known);
      const body: z.infer<typeof health> = {
        healthy: error === null,
        version: deps.version,
        available_tools: tools.map(({ name }) => name),
        timestamp: Math.floor(Date.now() / 1000),
        error,
        request_id: exchange.id,
        processing_time_ms: exchange.elapsed(),
      };
      return exchange.reply(body);
    },
  };
}

/** `known`: if set, report only these servers; the caller may not see others. */
function problemOf({ gateway, ready }: RestDeps, known: ReadonlySet<string> | undefined): string | null {
  if (!ready()) return 'Servers are still starting.';
  const failed = gateway.backends().filter(({ name, state }) => state === 'FAILED' && (!known || known.has(name)));
  if (failed.length === 0) return null;
  return `Not running: ${failed.map(({ name, lastError }) => (lastError ? `${name} (${lastError.message})` : name)).join('; ')}`;
}
