import type { N8nClient } from '../client/client.ts';
import { notRunYet, saysItStarts } from '../client/starting.ts';
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
  /** How much of an answer is read. */
  readonly mostBytes?: number;
}

const MOST_BYTES = 5 * 1024 * 1024;
const STEP_MS = 100;

/** Calls a webhook, form or chat, without the API key. */
export async function callWeb(client: N8nClient, request: WebRequest, patience: Patience): Promise<RawAnswer> {
  // n8n says that a workflow is published before its webhooks are live.
  for (const end = Date.now() + (patience.appearsMs ?? 0); ; await pause(STEP_MS, patience.signal)) {
    const answer = await once(client, request, patience);
    if (isNotThereYet(answer)) throw notRunYet(client);
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

/** n8n is up, but does not serve yet. */
function isNotThereYet(answer: RawAnswer): boolean {
  if (saysItStarts(answer.bytes)) return true;
  const body = answer.status === 404 || answer.status === 503 ? bodyOf(answer) : undefined;
  const said = typeof body === 'object' && body !== null && 'message' in body ? body.message : body;
  return typeof said === 'string' && /^Database is not ready|<pre>Cannot [A-Z]+ \//.test(said);
}

const UNREGISTERED = /^(The requested webhook ".*" is|This webhook is) not registered/s;

/** Whether the 404 comes from n8n and not from the workflow: a workflow that answered has run, and must not run again. */
export function isUnregistered(answer: RawAnswer): boolean {
  if (answer.status !== 404) return false;
  const { code, message } = (bodyOf(answer) ?? {}) as { code?: unknown; message?: unknown };
  return code === 404 && typeof message === 'string' && UNREGISTERED.test(message);
}
