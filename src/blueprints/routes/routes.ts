import type { Route } from '../../kernel/route.ts';
import { approve } from '../tools/approve.ts';
import { cancel } from '../tools/cancel.ts';
import { remove } from '../tools/delete.ts';
import { deploy } from '../tools/deploy.ts';
import { history } from '../tools/history.ts';
import { listDefinitions } from '../tools/list-definitions.ts';
import { listSchedules } from '../tools/list-schedules.ts';
import { plan } from '../tools/plan.ts';
import { resume } from '../tools/resume.ts';
import { save } from '../tools/save.ts';
import { show } from '../tools/show.ts';
import { status } from '../tools/status.ts';
import { undo } from '../tools/undo.ts';
import { validate } from '../tools/validate.ts';
import type { RoutesDeps } from './call.ts';
import type { Handling } from './handling.ts';
import { type Endpoint, operationOf, runEventsOperation, unscheduleOperation } from './operation.ts';

const NAME = ['name'];
const RUN = ['run'];

/** A request is answered at once. The stream of the run shows the rest. */
const AT_ONCE = { wait_seconds: 0 };

const tools: readonly Endpoint[] = [
  { path: '/blueprints', tool: listDefinitions },
  { method: 'POST', path: '/blueprints', tool: save, takesYaml: true },
  { method: 'POST', path: '/blueprints/validate', tool: validate, takesYaml: true },
  { path: '/blueprints/:name', tool: show, named: NAME, numbers: ['offset'] },
  { method: 'DELETE', path: '/blueprints/:name', tool: remove, named: NAME },
  { method: 'POST', path: '/blueprints/:name/plan', tool: plan, named: NAME },
  { method: 'POST', path: '/blueprints/:name/deploy', tool: deploy, named: NAME, otherwise: AT_ONCE },
  { path: '/blueprint-runs', tool: history, numbers: ['limit'] },
  { path: '/blueprint-runs/:run', tool: status, named: RUN, numbers: ['wait_seconds'] },
  { method: 'POST', path: '/blueprint-runs/:run/approve', tool: approve, named: RUN, otherwise: { approve: true } },
  { method: 'POST', path: '/blueprint-runs/:run/cancel', tool: cancel, named: RUN },
  { method: 'POST', path: '/blueprint-runs/:run/undo', tool: undo, named: RUN, otherwise: AT_ONCE },
  { method: 'POST', path: '/blueprint-runs/:run/resume', tool: resume, named: RUN, otherwise: AT_ONCE },
  { path: '/blueprint-schedules', tool: listSchedules, numbers: ['skip'] },
];

/** Blueprints over plain HTTP. Each endpoint calls the tool of the same purpose. Its code is loaded with the first request. */
export function blueprintRoutes(deps: RoutesDeps): Route[] {
  let loading: Promise<Handling> | undefined;
  const load = () => (loading ??= import('./handling.ts').then(({ createHandling }) => createHandling(deps)));
  return [
    ...tools.map((endpoint): Route => {
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
      scope: cancel.scope,
      get openapi() {
        return unscheduleOperation(cancel.output);
      },
      handle: async (asked) => (await load()).unschedule(asked),
    },
    {
      path: '/api/v1/blueprint-runs/:run/events',
      scope: status.scope,
      get openapi() {
        return runEventsOperation();
      },
      handle: async (asked) => (await load()).runEvents(asked),
    },
  ];
}
