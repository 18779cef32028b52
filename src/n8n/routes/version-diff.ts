import { askedIn } from '../../kernel/described.ts';
import type { RouteRequest } from '../../kernel/route.ts';
import { shownDiff } from '../diff/shown-diff.ts';
import { twoVersions } from '../workflows/two-versions.ts';
import { type BackupRoutesDeps, connectedFor, fresh } from './deps.ts';
import { diffQuery, type ShownVersions } from './shapes.ts';

/** GET /api/v1/n8n/version-diff */
export async function versionDiff(deps: BackupRoutesDeps, { request, principal }: RouteRequest): Promise<Response> {
  const { instance, workflow: id, before, after } = askedIn(diffQuery, request);
  const connected = await connectedFor(deps, principal, 'n8n_diff_versions');
  const found = await twoVersions({ instance, id, before, after }, connected, request.signal);
  const shown = await shownDiff(found.before.content, found.after.content);
  const body: ShownVersions = {
    workflow: found.workflow,
    changes: [...shown.changes],
    before: { version: found.before.name, content: shown.before },
    after: { version: found.after.name, content: shown.after },
    hidesSecrets: shown.hidesSecrets,
  };
  return fresh(deps, body);
}
