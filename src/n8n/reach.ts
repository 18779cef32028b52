import { errorFrom } from './client/http-errors.ts';
import type { N8nClient } from './client/client.ts';

const LOOK_MS = 10_000;

/** One cheap question: whether an n8n answers, and takes our key. Throws what is wrong, in words that say what to do. */
export async function reach({ http, plain, hasKey }: N8nClient, signal: AbortSignal): Promise<void> {
  const path = hasKey ? '/api/v1/tags' : '/healthz';
  const answer = await (hasKey ? http : plain).send('GET', path, {
    signal,
    timeoutMs: LOOK_MS,
    ...(hasKey && { query: { limit: 1 } }),
  });
  const error = errorFrom(http.address, answer, 'GET', path);
  // A key that may not list tags is a key all the same.
  const refused = error.code === 'unauthenticated' || error.code === 'unavailable' || error.code === 'timeout';
  if (refused || answer.status >= 500) throw error;
}
