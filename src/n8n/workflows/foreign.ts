import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';

/**
 * Versions that somebody else saved between our read and our write. n8n accepts every save, so only its history shows
 * this. Empty if the history cannot be read.
 */
export async function foreignVersions(client: N8nClient, before: Workflow, after: Workflow): Promise<string[]> {
  const page = await client.workflows.history(before.id, { limit: 20 }).catch(() => undefined);
  const versions = page?.items.map(({ versionId }) => versionId) ?? [];
  const ours = versions.indexOf(after.versionId ?? '');
  const old = versions.indexOf(before.versionId ?? '');
  return ours === -1 || old === -1 ? [] : versions.slice(ours + 1, old);
}
