import { own } from '../../kernel/own.ts';
import { AppError } from '../../kernel/errors.ts';
import type { RouteRequest } from '../../kernel/route.ts';
import type { Json } from '../../kernel/source.ts';
import { type Asked, askedDefinition, askedInBody, askedInQuery } from './asked.ts';
import { routeCall, type RoutesDeps } from './call.ts';
import type { Endpoint } from './operation.ts';
import { runEvents } from './run-events.ts';

export type Handling = ReturnType<typeof createHandling>;

/** Answers the requests for blueprints. */
export function createHandling(deps: RoutesDeps) {
  const { gateway, open } = deps;
  const call = routeCall(deps);
  return {
    async tool(endpoint: Endpoint, asked: RouteRequest): Promise<Response> {
      const { tool, named = [], otherwise = {} } = endpoint;
      const { args, confirm } = await read(asked.request, endpoint);
      const inPath = Object.fromEntries(named.map((name) => [name, own(asked.params, name) ?? '']));
      return answer(await call(asked, tool.name, { ...otherwise, ...args, ...inPath }, confirm));
    },
    /** The tool also cancels runs, this does not. */
    async unschedule(asked: RouteRequest): Promise<Response> {
      const id = asked.params.id ?? '';
      const isOn = gateway.registry.find('blueprint_cancel') !== undefined;
      if (isOn && !(await (await open()).schedules.head(id)))
        throw new AppError('not_found', 'There is no such schedule. /api/v1/blueprint-schedules lists them.');
      return answer(await call(asked, 'blueprint_cancel', { run: id }));
    },
    runEvents: runEvents(deps, call),
  };
}

function read(request: Request, { method, takesYaml, numbers = [] }: Endpoint): Asked | Promise<Asked> {
  if (method !== 'POST') return askedInQuery(request, numbers);
  return takesYaml ? askedDefinition(request) : askedInBody(request);
}

const answer = (data: Json): Response => Response.json(data, { headers: { 'cache-control': 'no-store' } });
