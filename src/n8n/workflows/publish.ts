import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { untilLive } from './live.ts';
import { insistent } from './lost.ts';

/** The result of publishing, for answers. */
export const publication = z.object({
  published: z.boolean().describe('Whether n8n published the version'),
  live: z.boolean().optional().describe('Whether its triggers are live; absent if unknown'),
  note: z.string().optional(),
});

export type Publication = z.output<typeof publication>;

/** Publishes the draft, or `version`, and waits until it is live. */
export async function publishWorkflow(
  client: N8nClient,
  workflow: Workflow,
  signal: AbortSignal,
  version?: string,
): Promise<{ workflow: Workflow; publication: Publication }> {
  const after = await insistent(() => client.workflows.publish(workflow.id, undefined, version));
  const seen = await untilLive(client, after, workflow.active, signal);
  return {
    workflow: after,
    publication: {
      published: true,
      ...(seen.done !== undefined && { live: seen.done }),
      ...(seen.note !== undefined && { note: seen.note }),
    },
  };
}

/** Publishes after a save. If n8n refuses, the save stays and the answer says why it was not published. */
export async function publishSaved(
  client: N8nClient,
  workflow: Workflow,
  signal: AbortSignal,
): Promise<{ workflow: Workflow; publication: Publication }> {
  try {
    return await publishWorkflow(client, workflow, signal);
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    const before = workflow.active ? ' The version that was published before stays live.' : '';
    const note = `Saved as a draft, but not published: ${error.message}${before}`;
    return { workflow, publication: { published: false, note } };
  }
}
