import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import type { Comparable } from '../diff/diff.ts';
import { publishedVersion } from './published.ts';

/** Reads a version by name: `draft`, `published`, or an id from the history. */
export async function versionOf(
  client: N8nClient,
  workflow: Workflow,
  named: string,
  signal: AbortSignal,
): Promise<Comparable> {
  if (named === 'draft' || named === workflow.versionId) return workflow;
  if (named === 'published') {
    const published = publishedVersion(workflow);
    if (published) return published;
    throw new AppError('not_found', `"${workflow.name}" is not published, so there is no published version.`);
  }
  try {
    const { nodes, connections } = await client.workflows.version(workflow.id, named, signal);
    return { nodes, connections };
  } catch (error) {
    if (!(error instanceof AppError) || error.code !== 'not_found') throw error;
    throw new AppError(
      'not_found',
      `"${workflow.name}" has no version ${named.slice(0, 100)}, or n8n has deleted it. n8n_list_versions shows the versions it has.`,
      { cause: error },
    );
  }
}
