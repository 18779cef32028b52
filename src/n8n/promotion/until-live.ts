import { counted } from '../../kernel/some-of.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { untilLive } from '../workflows/live.ts';

/** For all of them. Some instances serve webhooks elsewhere, where nobody can see them. */
const PATIENCE_MS = 45_000;

export interface Published {
  readonly workflow: Workflow;
  readonly wasLive: boolean;
}

/** n8n says that a workflow is published before its triggers are live. Returns what is not live. */
export async function untilAllLive(
  client: N8nClient,
  published: readonly Published[],
  signal: AbortSignal,
  patienceMs = PATIENCE_MS,
): Promise<string[]> {
  const limit = AbortSignal.any([signal, AbortSignal.timeout(patienceMs)]);
  const notes: string[] = [];
  for (const [index, { workflow, wasLive }] of published.entries()) {
    const seen = await untilLive(client, workflow, wasLive, limit).catch(() => undefined);
    if (limit.aborted) {
      const unseen = counted(published.length - index, 'workflow');
      if (!signal.aborted) {
        notes.push(`Stopped waiting for ${unseen} to be live. n8n may be busy: check them later.`);
      }
      return notes;
    }
    if (seen?.done === false) notes.push(`"${workflow.name}": ${seen.note ?? 'its triggers are not live yet.'}`);
  }
  return notes;
}
