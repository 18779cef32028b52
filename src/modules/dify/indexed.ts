import { setTimeout as delay } from 'node:timers/promises';
import { z } from 'zod';
import type { Progress } from '../../kernel/progress.ts';
import { brief } from '../text-part.ts';
import { indexing } from './answers.ts';
import type { Dify } from './connection.ts';

export const indexedOutput = {
  status: z.string().describe('completed: it can be found'),
  segments: z.number().optional(),
  error: z.string().optional(),
  note: z.string().optional(),
};

const FIRST_MS = 200;
const MOST_MS = 3000;
const ENDS = new Set(['completed', 'error', 'paused']);

/** Waits until a document can be searched, as long as the call may take. */
export async function indexed(
  dify: Dify,
  { dataset, batch }: { readonly dataset: string; readonly batch: string },
  { signal, progress }: { readonly signal: AbortSignal; readonly progress: Progress },
) {
  // The document is there whatever happens here: an answer is better than a time-out.
  const until = Date.now() + dify.timeoutMs * 0.8;
  for (let turn = 1, wait = FIRST_MS; ; turn += 1, wait = Math.min(MOST_MS, wait * 1.5)) {
    const path = ['datasets', dataset, 'documents', batch, 'indexing-status'];
    const [state] = (await dify.knowledge().get(indexing, path, { signal })).data;
    const status = state?.indexing_status ?? 'unknown';
    const { completed_segments: done, total_segments: all, error } = state ?? {};
    const ended = ENDS.has(status);
    if (ended || Date.now() + wait > until)
      return {
        status,
        ...(typeof all === 'number' && { segments: all }),
        ...(error && { error: brief(error, 800) }),
        ...(!ended && { note: 'Dify is still indexing it. dify_get_document shows when it is done.' }),
      };
    progress(
      turn,
      undefined,
      `${status}${typeof all === 'number' && all > 0 ? `: ${done ?? 0} of ${all} segments` : ''}`,
    );
    await delay(wait, undefined, { signal });
  }
}
