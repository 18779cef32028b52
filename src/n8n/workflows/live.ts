import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { isWebhookOpen, webhookPaths } from './webhook-paths.ts';

/** Whether a publish or unpublish has taken effect, as far as we can see. */
export interface Seen {
  /** Absent if we could not see it. */
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

/** Waits until the published version is live: n8n answers publish with 200 before its triggers have changed. */
export async function untilLive(
  client: N8nClient,
  workflow: Workflow,
  wasLive: boolean,
  signal: AbortSignal,
): Promise<Seen> {
  return watched(signal, 'live', async () => {
    if (!client.session.possible) {
      // From outside, an older version at the same path looks the same.
      return wasLive ? undefined : probed(client, workflow, true, signal);
    }
    return until(signal, async () => {
      const { status, liveVersionId, triggers } = await publicationOf(client, workflow.id, signal);
      if (status === 'in_progress') return undefined;
      const failures = triggers.flatMap(({ errorMessage }) => (errorMessage ? [errorMessage] : []));
      if (failures.length > 0) {
        return { done: false, note: `n8n could not start it: ${failures.join('; ').slice(0, 500)}` };
      }
      // Without a trigger to start, for example in a sub-workflow, it is live as soon as it is published.
      if (liveVersionId == null) return { done: true };
      return liveVersionId === workflow.activeVersionId ? { done: true } : undefined;
    });
  });
}

/** Waits until no trigger answers any more: n8n answers unpublish with 200 before that. */
export async function untilGone(client: N8nClient, workflow: Workflow, signal: AbortSignal): Promise<Seen> {
  return watched(signal, 'no longer live', async () => {
    if (!client.session.possible) return probed(client, workflow, false, signal);
    return until(signal, async () => {
      const { status, liveVersionId } = await publicationOf(client, workflow.id, signal);
      return status === 'in_progress' || liveVersionId != null ? undefined : { done: true };
    });
  });
}

/** n8n accepted the change, so it is not a failure if we cannot see its effect. */
async function watched(signal: AbortSignal, what: string, look: () => Promise<Seen | undefined>): Promise<Seen> {
  try {
    const login = 'n8n.<name>.login in the configuration';
    return (await look()) ?? { note: `It should be ${what} within about a second. To check this, set ${login}.` };
  } catch (error) {
    if (signal.aborted || !(error instanceof AppError)) throw error;
    return { note: `It should be ${what} within about a second, but checking this failed: ${error.message}` };
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
  return {
    done: false,
    note: `This had not taken effect after ${PATIENCE_MS / 1000} s. n8n may be busy: check again later.`,
  };
}
