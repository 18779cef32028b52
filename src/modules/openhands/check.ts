import type { OpenHands } from './connection.ts';
import { busyConversations } from './conversations.ts';
import { readStatus } from './status.ts';

/** Such as `OpenHands (saas), 12 conversations, 1 working`. */
export async function check(openhands: OpenHands, signal: AbortSignal): Promise<string> {
  const { count, mode } = await readStatus(openhands, signal);
  const busy = await busyConversations(openhands, signal);
  return `OpenHands${mode === undefined ? '' : ` (${mode})`}, ${count} conversations, ${busy.length} working`;
}
