import type { Route, RouteRequest } from '../../kernel/route.ts';
import type { ServerDetail, ServerList } from './shapes.ts';

export interface ServerAnswers {
  list(asked: RouteRequest): ServerList;
  one(asked: RouteRequest): Promise<ServerDetail>;
}

/** The servers behind the gateway, for programs and the console. Whoever may see the status may see them. */
export function serverRoutes(load: () => Promise<ServerAnswers>): Route[] {
  const described = async (operationId: string, summary: string, shape: 'serverList' | 'serverDetail') => {
    const [{ answered }, shapes] = await Promise.all([import('../../kernel/described.ts'), import('./shapes.ts')]);
    return { operationId, summary, tags: ['servers'], responses: answered(shapes[shape]) };
  };
  const scope = 'health:check';
  const headers = { 'cache-control': 'no-store' };
  return [
    {
      path: '/api/v1/servers',
      scope,
      openapi: () => described('servers', 'Lists the servers and how each is doing', 'serverList'),
      handle: async (asked) => Response.json((await load()).list(asked), { headers }),
    },
    {
      path: '/api/v1/servers/:name',
      scope,
      openapi: () =>
        described('server', 'One server: its errors, its changed tools, the end of its stderr', 'serverDetail'),
      handle: async (asked) => Response.json(await (await load()).one(asked), { headers }),
    },
  ];
}
