import type { N8nClient } from '../client/client.ts';
import { isUnregisteredWebhook } from '../client/refused.ts';
import { notRunYet, saysItStarts, saysNotReady } from '../client/starting.ts';
import { unreached } from '../client/unreached.ts';
import { pause } from '../pause.ts';
import { send } from './send.ts';
import { bodyOf, type RawAnswer } from './web-answer.ts';
import type { WebRequest } from './web-request.ts';

interface Patience {
  readonly signal: AbortSignal;
  /** How long the answer may take. Absent: as long as the signal allows. */
  readonly timeoutMs?: number;
  /** How long a webhook may take to appear after its workflow was published. */
  readonly appearsMs?: number;
  /** How many bytes of an answer to read. */
  readonly mostBytes?: number;
}

const MOST_BYTES = 5 * 1024 * 1024;
const STEP_MS = 100;

/** Calls a webhook, form or chat, without the API key. */
export async function callWeb(client: N8nClient, request: WebRequest, patience: Patience): Promise<RawAnswer> {
  // n8n says that a workflow is published before its webhooks are live.
  for (const end = Date.now() + (patience.appearsMs ?? 0); ; await pause(STEP_MS, patience.signal)) {
    const answer = await once(client, request, patience);
    if (isStarting(answer)) throw notRunYet(client);
    if (!isUnregistered(answer) || Date.now() >= end) return answer;
  }
}

async function once(client: N8nClient, request: WebRequest, { signal, timeoutMs, mostBytes }: Patience) {
  const limit = timeoutMs === undefined ? signal : AbortSignal.timeout(timeoutMs);
  const either = limit === signal ? signal : AbortSignal.any([signal, limit]);
  try {
    return await send(client.url, request, mostBytes ?? MOST_BYTES, either);
  } catch (error) {
    throw unreached(client.plain.address, error, limit, signal);
  }
}

const isStarting = (answer: RawAnswer): boolean =>
  saysItStarts(answer.bytes) || ((answer.status === 404 || answer.status === 503) && saysNotReady(bodyOf(answer)));

/** Whether n8n itself answered 404. If the workflow answered, it has run and must not run again. */
export const isUnregistered = (answer: RawAnswer): boolean =>
  answer.status === 404 && isUnregisteredWebhook(bodyOf(answer));
