import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';

/**
 * Versions that somebody else saved between our reading and our writing. n8n takes a save unconditionally, so that
 * only its history tells; where that is not to be had, nothing is known, and nothing is said.
 */
export async function foreignVersions(client: N8nClient, before: Workflow, after: Workflow): Promise<string[]> {
  const page = await client.workflows.history(before.id, { limit: 20 }).catch(() => undefined);
  const versions = page?.items.map(({ versionId }) => versionId) ?? [];
  const ours = versions.indexOf(after.versionId ?? '');
  const old = versions.indexOf(before.versionId ?? '');
  return ours === -1 || old === -1 ? [] : versions.slice(ours + 1, old);
}
