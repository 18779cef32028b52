import { late } from '../../kernel/late.ts';
import { type ListedTool, listing } from '../../kernel/listed-tool.ts';
import type { Route } from '../../kernel/route.ts';
import * as listed from '../listed.json' with { type: 'json' };
import type { RoutesDeps } from './call.ts';
import { detailRoutes } from './details.ts';
import { type Endpoint, operationOf, runEventsOperation, unscheduleOperation } from './operation.ts';

const NAME = ['name'];
const RUN = ['run'];

/** A request is answered at once. The stream of the run shows the rest. */
const AT_ONCE = { wait_seconds: 0 };

const byName = new Map(listing(listed).map((tool) => [tool.name, tool]));
const of = (tool: string): ListedTool => byName.get(`blueprint_${tool}`) as ListedTool;

const endpoints: readonly Endpoint[] = [
  { path: '/blueprints', tool: of('list_definitions') },
  { method: 'POST', path: '/blueprints', tool: of('save'), takesYaml: true },
  { method: 'POST', path: '/blueprints/validate', tool: of('validate'), takesYaml: true },
  { path: '/blueprints/:name', tool: of('show'), named: NAME, numbers: ['offset'] },
  { method: 'DELETE', path: '/blueprints/:name', tool: of('delete'), named: NAME },
  { method: 'POST', path: '/blueprints/:name/plan', tool: of('plan'), named: NAME },
  { method: 'POST', path: '/blueprints/:name/deploy', tool: of('deploy'), named: NAME, otherwise: AT_ONCE },
  { path: '/blueprint-runs', tool: of('history'), numbers: ['limit'] },
  { path: '/blueprint-runs/:run', tool: of('status'), named: RUN, numbers: ['wait_seconds'] },
  {
    method: 'POST',
    path: '/blueprint-runs/:run/approve',
    tool: of('approve'),
    named: RUN,
    otherwise: { approve: true },
  },
  { method: 'POST', path: '/blueprint-runs/:run/cancel', tool: of('cancel'), named: RUN },
  { method: 'POST', path: '/blueprint-runs/:run/undo', tool: of('undo'), named: RUN, otherwise: AT_ONCE },
  { method: 'POST', path: '/blueprint-runs/:run/resume', tool: of('resume'), named: RUN, otherwise: AT_ONCE },
  { path: '/blueprint-schedules', tool: of('list_schedules'), numbers: ['skip'] },
];

/** Blueprints over plain HTTP. Each endpoint calls the tool of the same purpose. Its code is loaded with the first request. */
export function blueprintRoutes(deps: RoutesDeps): Route[] {
  const load = late(async () => (await import('./handling.ts')).createHandling(deps));
  return [
    ...endpoints.map((endpoint): Route => {
      const { method, path, tool } = endpoint;
      return {
        ...(method && { method }),
        path: `/api/v1${path}`,
        scope: tool.scope,
        get openapi() {
          return operationOf(endpoint);
        },
        handle: async (asked) => (await load()).tool(endpoint, asked),
      };
    }),
    {
      method: 'DELETE',
      path: '/api/v1/blueprint-schedules/:id',
      scope: of('cancel').scope,
      get openapi() {
        return unscheduleOperation(of('cancel'));
      },
      handle: async (asked) => (await load()).unschedule(asked),
    },
    {
      path: '/api/v1/blueprint-runs/:run/events',
      scope: of('status').scope,
      get openapi() {
        return runEventsOperation();
      },
      handle: async (asked) => (await load()).runEvents(asked),
    },
    ...detailRoutes(deps),
  ];
}
