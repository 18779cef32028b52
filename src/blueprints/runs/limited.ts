import { setTimeout as delay } from 'node:timers/promises';
import { messageOf } from '../../kernel/errors.ts';
import type { Acted } from '../acts/act.ts';

/** How long an action may take to end after it was stopped. */
const GRACE_MS = 2000;

type Limits = { readonly signal: AbortSignal; readonly stopping: AbortSignal; readonly timeoutMs: number };

/** The end of work, or why it did not come to its end. Work that ignores its signal is left alone. */
export async function limited(
  work: (signal: AbortSignal) => Promise<Acted>,
  { signal, stopping, timeoutMs }: Limits,
): Promise<Acted | 'stopped' | 'stopping' | 'timeout'> {
  const late = AbortSignal.timeout(timeoutMs);
  const limit = AbortSignal.any([signal, stopping, late]);
  const { promise: over, resolve: give } = Promise.withResolvers<undefined>();
  const onAbort = () => void delay(GRACE_MS, undefined, { ref: false }).then(() => give(undefined));
  limit.addEventListener('abort', onAbort, { once: true });
  const working = work(limit).catch((error: unknown): Acted => ({ error: messageOf(error) }));
  const ended = await Promise.race([working, over]);
  limit.removeEventListener('abort', onAbort);
  if (ended && (!limit.aborted || 'result' in ended)) return ended;
  if (signal.aborted) return 'stopped';
  return stopping.aborted ? 'stopping' : 'timeout';
}
