import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { isWebhookOpen, webhookPaths } from './webhook-paths.ts';

/** Whether what was asked for has come true, as far as it can be seen. */
export interface Seen {
  /** Absent: it could not be seen. */
  readonly done?: boolean;
  readonly note?: string;
}

const statusShape = z.looseObject({
  status: z.string(),
  liveVersionId: z.string().nullish(),
  triggers: z.array(z.looseObject({ errorMessage: z.string().nullish() })).default([]),
});

const PATIENCE_MS = 20_000;
const STEP_MS = 50;

// n8n answers 200 to publish and unpublish before its triggers follow.

/** Waits until the published version is the one that answers. */
export async function untilLive(
  client: N8nClient,
  workflow: Workflow,
  wasLive: boolean,
  signal: AbortSignal,
): Promise<Seen> {
  return watched(signal, 'live', async () => {
    if (!client.session.possible) {
      // An older version behind the same path looks alike from outside.
      return wasLive ? undefined : probed(client, workflow, true, signal);
    }
    return until(signal, async () => {
      const { status, liveVersionId, triggers } = await publicationOf(client, workflow.id, signal);
      if (status === 'in_progress') return undefined;
      const failures = triggers.flatMap(({ errorMessage }) => (errorMessage ? [errorMessage] : []));
      if (failures.length > 0) {
        return { done: false, note: `n8n could not start it: ${failures.join('; ').slice(0, 500)}` };
      }
      // No trigger of its own to start, such as that of a sub-workflow: it is live by being published.
      if (liveVersionId == null) return { done: true };
      return liveVersionId === workflow.activeVersionId ? { done: true } : undefined;
    });
  });
}

/** Waits until none of its triggers answers any more. */
export async function untilGone(client: N8nClient, workflow: Workflow, signal: AbortSignal): Promise<Seen> {
  return watched(signal, 'no longer live', async () => {
    if (!client.session.possible) return probed(client, workflow, false, signal);
    return until(signal, async () => {
      const { status, liveVersionId } = await publicationOf(client, workflow.id, signal);
      return status === 'in_progress' || liveVersionId != null ? undefined : { done: true };
    });
  });
}

/** It was done; that it cannot be seen does not make it a failure. */
async function watched(signal: AbortSignal, what: string, look: () => Promise<Seen | undefined>): Promise<Seen> {
  try {
    const without = 'without a login (n8n.<name>.login in the configuration)';
    return (
      (await look()) ?? { note: `n8n follows within about a second. That it is ${what} cannot be seen ${without}.` }
    );
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error;
    return { note: `n8n follows within about a second. That it is ${what} could not be seen: ${error.message}` };
  }
}

async function publicationOf(client: N8nClient, id: string, signal: AbortSignal) {
  return statusShape.parse(
    await client.session.ask('GET', `/workflows/${encodeURIComponent(id)}/publication-status`, { signal }),
  );
}

async function probed(
  client: N8nClient,
  workflow: Workflow,
  open: boolean,
  signal: AbortSignal,
): Promise<Seen | undefined> {
  const paths = webhookPaths(workflow);
  if (paths.length === 0) return undefined;
  return until(signal, async () => {
    for (const path of paths) if ((await isWebhookOpen(client, path, signal)) !== open) return undefined;
    return { done: true };
  });
}

async function until(signal: AbortSignal, look: () => Promise<Seen | undefined>): Promise<Seen> {
  for (const end = Date.now() + PATIENCE_MS; Date.now() < end; await delay(STEP_MS, undefined, { signal })) {
    const seen = await look();
    if (seen) return seen;
  }
  return { done: false, note: `n8n had not followed after ${PATIENCE_MS / 1000} s. It may be busy: look again later.` };
}
