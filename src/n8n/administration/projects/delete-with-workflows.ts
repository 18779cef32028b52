import { setTimeout as delay } from 'node:timers/promises';
import { AppError, toAppError } from '../../../kernel/errors.ts';
import { counted, someOf } from '../../../kernel/some-of.ts';
import type { N8nClient } from '../../client/client.ts';
import type { Workflow } from '../../client/shapes.ts';
import { namedWorkflow } from '../../workflows/dependents.ts';
import type { Contents } from './contents.ts';

const UNPUBLISH_MS = 15_000;
const AGAIN_MS = 200;

/**
 * Deletes a project or a user. n8n refuses that while a workflow in it is published, so takes the live ones down first,
 * and retries until n8n has finished that. If n8n refuses nevertheless, what was live is live again.
 */
export async function deleteWithWorkflows(
  client: N8nClient,
  { workflows = [] }: Contents,
  scope: 'project:delete' | 'user:delete',
  remove: () => Promise<void>,
): Promise<void> {
  const live = workflows.filter(({ active }) => active);
  if (live.length === 0) return remove();
  await client.abilities.assertScopes([scope]);
  const down: Workflow[] = [];
  try {
    for (const workflow of live) {
      await client.workflows.unpublish(workflow.id);
      down.push(workflow);
    }
    await insistently(remove);
  } catch (thrown) {
    if (down.length === 0) throw thrown;
    const error = toAppError(thrown);
    throw new AppError(error.code, `${error.message} ${await afterwards(client, down, error)}`, {
      cause: error,
      ...(error.data && { data: error.data }),
    });
  }
}

async function insistently(remove: () => Promise<void>): Promise<void> {
  for (const until = Date.now() + UNPUBLISH_MS; ; ) {
    try {
      return await remove();
    } catch (error) {
      if (!(error instanceof AppError) || error.code !== 'conflict' || Date.now() > until) throw error;
      await delay(AGAIN_MS);
    }
  }
}

/** Publishes again what was taken down, in the version that was live, and says how that went. */
async function afterwards(client: N8nClient, down: readonly Workflow[], { code }: AppError): Promise<string> {
  const took = `${counted(down.length, 'live workflow')} had been unpublished for it`;
  // Without an answer n8n may still be deleting.
  if (code === 'timeout' || code === 'unavailable') return `${took} and backed up. Look at n8n before you try again.`;
  const lost: Workflow[] = [];
  for (const workflow of down) {
    const version = workflow.activeVersionId ?? undefined;
    await client.workflows.publish(workflow.id, undefined, version).catch(() => lost.push(workflow));
  }
  if (lost.length === 0) return `${took} and ${down.length === 1 ? 'is' : 'are'} live again.`;
  const them = lost.length === 1 ? 'it' : 'them';
  return `${took}. Not live any more: ${someOf(lost.map(namedWorkflow))}. Publish ${them} again with n8n_publish_workflow.`;
}
