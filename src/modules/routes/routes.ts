import type { Route } from '../../kernel/route.ts';
import type { lookingAt, Modules } from './looking.ts';

/** The services for programs and the console. */
export function moduleRoutes(modules: Modules): Route[] {
  const headers = { 'cache-control': 'no-store' };
  let looking: ReturnType<typeof lookingAt> | undefined;
  const service = async () => {
    const code = await import('./looking.ts');
    return (looking ??= code.lookingAt(modules));
  };
  return [
    {
      path: '/api/v1/modules',
      scope: 'tools:read',
      openapi: async () => (await import('./described.ts')).described.modules,
      handle: async ({ principal }) => Response.json({ modules: await (await service()).list(principal) }, { headers }),
    },
    {
      method: 'POST',
      path: '/api/v1/modules/:name/check',
      scope: 'tools:read',
      openapi: async () => (await import('./described.ts')).described.checkModule,
      handle: async ({ params, principal }) =>
        Response.json(await (await service()).check(params.name ?? '', principal), { headers }),
    },
  ];
}
