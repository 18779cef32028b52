import { errorFrom, notN8n } from './client/http-errors.ts';
import { isPage } from './client/http.ts';
import type { N8nClient } from './client/client.ts';

const LOOK_MS = 10_000;

/** Sends one cheap request to see whether n8n answers and accepts our key. Throws an error that says what to do. */
export async function reach({ http, plain, hasKey }: N8nClient, signal: AbortSignal): Promise<void> {
  const path = hasKey ? '/api/v1/tags' : '/healthz';
  const answer = await (hasKey ? http : plain).send('GET', path, {
    signal,
    timeoutMs: LOOK_MS,
    ...(hasKey && { query: { limit: 1 } }),
  });
  if (hasKey && answer.status === 200 && isPage(answer.body)) throw notN8n(http.address, 'GET', path);
  const error = errorFrom(http.address, answer, 'GET', path);
  // A key without the scope to list tags is still a valid key.
  const refused = error.code === 'unauthenticated' || error.code === 'unavailable' || error.code === 'timeout';
  if (refused || answer.status >= 500) throw error;
}
