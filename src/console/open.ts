import type { HostOf, None, OpenPart } from '../host/part.ts';
import type { Route } from '../kernel/route.ts';
import { configurationRoute } from './configuration-route.ts';
import { waitingRoutes } from './waiting/routes.ts';

/** Its routes. What they serve is loaded at the first request. */
export function openConsole(host: HostOf<None>): OpenPart<undefined> {
  const shell: Route['handle'] = async ({ request }) =>
    (await import('./shell.ts')).shellReply(request, await bundle());
  const bundle = async () => (await import('./bundle.ts')).currentBundle(host.all.pages());
  const routes: Route[] = [
    configurationRoute(host),
    { path: '/', scope: 'public', handle: shell },
    { path: '/console', scope: 'public', handle: shell },
    { path: '/console/*', scope: 'public', handle: shell },
    {
      path: '/console/assets/:name',
      scope: 'public',
      handle: async ({ request, params }) =>
        (await import('./asset.ts')).assetReply(request, await bundle(), params.name ?? ''),
    },
    ...waitingRoutes(host.all.waiting),
  ];
  return { api: undefined, routes };
}
