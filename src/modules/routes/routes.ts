import { answered } from '../../kernel/described.ts';
import type { Route } from '../../kernel/route.ts';
import { moduleAnswer, modulesAnswer } from './answers.ts';
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
      get openapi() {
        return {
          operationId: 'modules',
          summary: 'The services of the stack: their state, and what those need that are not configured',
          tags: ['modules'],
          responses: answered(modulesAnswer),
        };
      },
      handle: async ({ principal }) => Response.json({ modules: await (await service()).list(principal) }, { headers }),
    },
    {
      method: 'POST',
      path: '/api/v1/modules/:name/check',
      scope: 'tools:read',
      get openapi() {
        return {
          operationId: 'checkModule',
          summary: 'Asks a service whether it works. It answers with its state, also if it does not work',
          tags: ['modules'],
          responses: answered(moduleAnswer),
        };
      },
      handle: async ({ params, principal }) =>
        Response.json(await (await service()).check(params.name ?? '', principal), { headers }),
    },
  ];
}
