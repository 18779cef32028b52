import { askedIn } from '../../kernel/described.ts';
import { AppError } from '../../kernel/errors.ts';
import type { RouteRequest } from '../../kernel/route.ts';
import { type BackupRoutesDeps, connectedFor, fresh } from './deps.ts';
import { type Whole, wholeQuery } from './shapes.ts';

/** GET /api/v1/n8n/whole-backup */
export async function wholeBackup(deps: BackupRoutesDeps, { request, principal }: RouteRequest): Promise<Response> {
  const { backup } = askedIn(wholeQuery, request);
  const { instances, backups } = await connectedFor(deps, principal, 'n8n_list_backups');
  const found = await backups.contents(backup);
  const present = instances.names().includes(found.instance)
    ? await Array.fromAsync(instances.get(found.instance).workflows.all({}, request.signal)).catch((error: unknown) => {
        if (error instanceof AppError) return undefined;
        throw error;
      })
    : undefined;
  const ids = present && new Set(present.map(({ id }) => id));
  const body: Whole = {
    ...found,
    tags: [...found.tags],
    credentials: [...found.credentials],
    dataTables: [...found.dataTables],
    workflows: found.workflows.map((one) => ({
      ...one,
      state: !ids ? 'unknown' : ids.has(one.id) ? 'present' : 'deleted',
    })),
  };
  return fresh(deps, body);
}
