import type { Route } from '../../kernel/route.ts';
import type { RestDeps } from './deps.ts';
import { exchangeOf } from './exchange.ts';
import { answer } from './operation.ts';
import { detailsOf, toolDetails } from './tool-view.ts';
import { toolToShow } from './visible-tools.ts';

/** GET /api/v1/mcp/tools/{name}: everything known about one tool. */
export function describeTool(deps: RestDeps): Route {
  return {
    path: '/api/v1/mcp/tools/:name',
    scope: 'tools:read',
    get openapi() {
      return {
        operationId: 'describeTool',
        summary: 'Describes a tool: its schemas, guidance and examples',
        tags: ['tools'],
        responses: { 200: answer('The tool', toolDetails) },
      };
    },
    handle({ request, params, principal }) {
      const exchange = exchangeOf(request);
      const tool = toolToShow(deps, principal, params.name ?? '');
      const details = detailsOf(tool, deps, principal);
      return exchange.reply({ ...details, processing_time_ms: exchange.elapsed(), request_id: exchange.id });
    },
  };
}
