import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { RouteRequest } from '../../kernel/route.ts';
import { type BackupRoutesDeps, connectedFor } from './deps.ts';
import { fresh, queryIn, readOperation } from './operation.ts';

const query = z.strictObject({ backup: z.string().min(1).max(500).describe('Id of a backup of a whole n8n') });

const answer = z.object({
  id: z.string(),
  instance: z.string(),
  taken: z.string(),
  workflows: z.array(
    z.object({
      id: z.string(),
      name: z.string(),
      active: z.boolean().describe('Was live'),
      archived: z.boolean(),
      nodes: z.number(),
      state: z.enum(['present', 'deleted', 'unknown']).describe('In n8n now. unknown: n8n could not be asked'),
    }),
  ),
  tags: z.array(z.string()),
  credentials: z.array(z.object({ name: z.string(), type: z.string() })).describe('Never their values'),
  dataTables: z.array(z.object({ id: z.string(), name: z.string(), rows: z.number() })),
});

export const wholeBackupOperation = () =>
  readOperation({ operationId: 'n8nWholeBackup', summary: 'What a backup of a whole n8n has in it' }, query, answer);

/** GET /api/v1/n8n/whole-backup */
export async function wholeBackup(deps: BackupRoutesDeps, { request, principal }: RouteRequest): Promise<Response> {
  const { backup } = queryIn(request, query);
  const { instances, backups } = await connectedFor(deps, principal, 'n8n_list_backups');
  const found = await backups.contents(backup);
  const present = instances.names().includes(found.instance)
    ? await Array.fromAsync(instances.get(found.instance).workflows.all({}, request.signal)).catch((error: unknown) => {
        if (error instanceof AppError) return undefined;
        throw error;
      })
    : undefined;
  const ids = present && new Set(present.map(({ id }) => id));
  const body = {
    ...found,
    workflows: found.workflows.map((one) => ({
      ...one,
      state: !ids ? 'unknown' : ids.has(one.id) ? 'present' : 'deleted',
    })),
  };
  return fresh(JSON.parse(deps.redact(JSON.stringify(body))));
}
