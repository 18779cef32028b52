import { setTimeout as delay } from 'node:timers/promises';
import type { Closing } from './closing.ts';

/** How long calls in flight may take to end. */
const CALLS_MS = 3000;
/** Calls that came while other replicas took over. */
const LATE_CALLS_MS = 1000;
/** What closing everything may take after `server.drain`. */
const END_MS = 4500;
/** `docker stop` sends SIGKILL after ten seconds. */
const WHOLE_MS = 9500;

/** What happens before anything closes: the gateway says that it is not ready, and what is under way comes to its end. */
export interface Stopping {
  isStopping(): boolean;
  /** What there is to wait for: others that take over, or calls in flight. */
  waitsFor(): 'others' | 'calls' | undefined;
  /** Settles when it is time to close; `skip` ends every wait. */
  finish(skip: Promise<unknown>): Promise<void>;
  /** How long the whole stop may take from its first signal. */
  wholeMs(): number;
}

export function createStopping({
  closing,
  drainMs,
  handOver,
}: {
  closing: Pick<Closing, 'open' | 'begin'>;
  /** How long to go on answering, so that load balancers notice. */
  drainMs(): number;
  /** Hands over to other replicas, if there may be some. */
  handOver?: ((skip: Promise<unknown>) => Promise<void>) | undefined;
}): Stopping {
  let isStopping = false;

  async function atMost(ms: number, ...ends: Promise<unknown>[]): Promise<void> {
    const over = new AbortController();
    await Promise.race([delay(ms, undefined, { signal: over.signal }).catch(() => {}), ...ends]);
    over.abort();
  }

  return {
    isStopping: () => isStopping,
    waitsFor: () => (drainMs() > 0 ? 'others' : closing.open() > 0 ? 'calls' : undefined),
    async finish(skip) {
      const asked = Date.now();
      isStopping = true;
      await (handOver ? handOver(skip) : atMost(drainMs(), skip));
      await atMost(Math.max(LATE_CALLS_MS, CALLS_MS - (Date.now() - asked)), closing.begin(), skip);
    },
    wholeMs: () => Math.max(WHOLE_MS, drainMs() + END_MS),
  };
}
