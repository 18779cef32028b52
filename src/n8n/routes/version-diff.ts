import { z } from 'zod';
import type { RouteRequest } from '../../kernel/route.ts';
import { shownDiff } from '../diff/shown-diff.ts';
import { twoVersions } from '../workflows/two-versions.ts';
import { type BackupRoutesDeps, connectedFor } from './deps.ts';
import { fresh, queryIn, readOperation } from './operation.ts';

const side = z
  .string()
  .min(1)
  .max(500)
  .describe('draft, published, a version of n8n_list_versions, the id of a backup, or "backup" for the newest one');

const query = z.strictObject({
  instance: z.string().optional().describe('Which n8n. Default: the one called default, or the only one'),
  workflow: z.string().min(1).max(200).optional().describe('Id of the workflow; not needed with the id of a backup'),
  before: side,
  after: side,
});

const shownSide = z.object({
  version: z.string(),
  content: z
    .record(z.string(), z.unknown())
    .describe('What both sides have, without pinned and static data, and with stand-ins for secrets'),
});

const answer = z.object({
  workflow: z.object({ id: z.string(), name: z.string() }),
  changes: z.array(z.string()).describe('From before to after: + added, - removed, ~ changed'),
  before: shownSide,
  after: shownSide,
  hidesSecrets: z.boolean().describe('Something that looks like a secret is not shown'),
});

export const versionDiffOperation = () =>
  readOperation(
    {
      operationId: 'n8nVersionDiff',
      summary: 'Two versions of a workflow, in words and side by side',
      description: 'Like the tool n8n_diff_versions, but never cut, and with the content of both sides.',
    },
    query,
    answer,
  );

/** GET /api/v1/n8n/version-diff */
export async function versionDiff(deps: BackupRoutesDeps, { request, principal }: RouteRequest): Promise<Response> {
  const { instance, workflow: id, before, after } = queryIn(request, query);
  const connected = await connectedFor(deps, principal, 'n8n_diff_versions');
  const found = await twoVersions({ instance, id, before, after }, connected, request.signal);
  const shown = shownDiff(found.before.content, found.after.content);
  const body: z.output<typeof answer> = {
    workflow: found.workflow,
    changes: [...shown.changes],
    before: { version: found.before.name, content: shown.before },
    after: { version: found.after.name, content: shown.after },
    hidesSecrets: shown.hidesSecrets,
  };
  return fresh(JSON.parse(deps.redact(JSON.stringify(body))));
}
