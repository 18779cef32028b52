import { setTimeout as delay } from 'node:timers/promises';
import { START_WAIT_MS } from '../../n8n/client/presence.ts';
import type { Acted, Acting } from './act.ts';

const LOOK_MS = 500;

/** Calls n8n again while it is away, as long as the tools of workflows wait for it. A change only if it was not sent. */
export async function untilBack(
  { signal, timeoutMs }: Pick<Acting, 'signal' | 'timeoutMs'>,
  kind: 'read' | 'change',
  call: () => Promise<Acted>,
): Promise<Acted> {
  for (const until = Date.now() + Math.min(START_WAIT_MS, timeoutMs); ; ) {
    const acted = await call();
    if (!('error' in acted) || acted.away === undefined) return acted;
    if (kind === 'change' && acted.away !== 'unsent') return acted;
    if (Date.now() + LOOK_MS > until || signal.aborted) return acted;
    await delay(LOOK_MS, undefined, { signal }).catch(() => {});
  }
}
