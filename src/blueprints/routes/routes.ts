import { AppError } from '../../kernel/errors.ts';
import type { Route } from '../../kernel/route.ts';
import type { Json } from '../../kernel/source.ts';
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
import { type Asked, askedDefinition, askedInBody, askedInQuery } from './asked.ts';
import { type RouteCall, routeCall, type RoutesDeps } from './call.ts';
import { type Described, operationOf, responses } from './operation.ts';
import { runEvents } from './run-events.ts';

interface Given extends Described {
  /** Below /api/v1. */
  readonly path: string;
  readonly numbers?: readonly string[];
}

const NAME = ['name'];
const RUN = ['run'];

/** A request is answered at once. The stream of the run shows the rest. */
const AT_ONCE = { wait_seconds: 0 };

const tools: readonly Given[] = [
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

/** Blueprints over plain HTTP. Each endpoint calls the tool of the same purpose. */
export function blueprintRoutes(deps: RoutesDeps): Route[] {
  const call = routeCall(deps);
  return [...tools.map((given) => toolRoute(given, call)), unschedule(deps, call), runEvents(deps, call)];
}

function toolRoute(given: Given, call: RouteCall): Route {
  const { method, path, tool, named = [], otherwise = {} } = given;
  return {
    ...(method && { method }),
    path: `/api/v1${path}`,
    scope: tool.scope,
    get openapi() {
      return operationOf(given);
    },
    async handle(asked) {
      const { args, confirm } = await read(asked.request, given);
      const inPath = Object.fromEntries(named.map((name) => [name, asked.params[name] ?? '']));
      return answer(await call(asked, tool.name, { ...otherwise, ...args, ...inPath }, confirm));
    },
  };
}

function read(request: Request, { method, takesYaml, numbers = [] }: Given): Asked | Promise<Asked> {
  if (method !== 'POST') return askedInQuery(request, numbers);
  return takesYaml ? askedDefinition(request) : askedInBody(request);
}

const answer = (data: Json): Response => Response.json(data, { headers: { 'cache-control': 'no-store' } });

/** DELETE /api/v1/blueprint-schedules/{id}. The tool also cancels runs, this does not. */
function unschedule({ open }: RoutesDeps, call: RouteCall): Route {
  return {
    method: 'DELETE',
    path: '/api/v1/blueprint-schedules/:id',
    scope: cancel.scope,
    get openapi() {
      return {
        operationId: 'blueprintUnschedule',
        summary: 'Ends a schedule',
        tags: ['blueprints'],
        responses: responses(cancel.output),
      };
    },
    async handle(asked) {
      const id = asked.params.id ?? '';
      if (!(await (await open()).schedules.get(id)))
        throw new AppError('not_found', 'There is no such schedule. /api/v1/blueprint-schedules lists them.');
      return answer(await call(asked, cancel.name, { run: id }));
    },
  };
}
