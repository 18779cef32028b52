import type { Route, RouteRequest } from '../../kernel/route.ts';
import type { BackupRoutesDeps } from './deps.ts';

type Handle = (deps: BackupRoutesDeps, asked: RouteRequest) => Promise<Response>;

/** What no tool shows: both sides of a difference, where backups are, and what is in that of a whole n8n. */
export function backupRoutes(deps: BackupRoutesDeps): Route[] {
  const route = (path: string, load: () => Promise<{ handle: Handle; operation: () => object }>): Route => ({
    path: `/api/v1/n8n/${path}`,
    scope: 'n8n:read',
    handle: async (asked) => (await load()).handle(deps, asked),
  });
  return [];
}
