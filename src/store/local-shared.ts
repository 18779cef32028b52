import { setTimeout } from 'node:timers/promises';
import { messageOf } from '../kernel/errors.ts';
import { createLimiter } from '../kernel/rate.ts';
import type { Shared } from '../kernel/shared.ts';

const AGAIN_MS = 5000;

/** Shared by nobody else: everything but the kept values is in this process. */
export function localShared({ keep, take }: Pick<Shared, 'keep' | 'take'>): Shared & AsyncDisposable {
  const limiter = createLimiter();
  const listeners = new Map<string, Set<() => void>>();
  const leading = new Set<AsyncDisposable>();

  return {
    peers: undefined,
    count: limiter.exceeded,
    keep,
    take,
    lead(task, work) {
      const stop = new AbortController();
      const done = repeat(work, stop.signal, task);
      const led = {
        async [Symbol.asyncDispose]() {
          leading.delete(led);
          stop.abort();
          await done;
        },
      };
      leading.add(led);
      return led;
    },
    tell(topic) {
      for (const listener of listeners.get(topic) ?? []) listener();
    },
    hear(topic, listener) {
      const all = listeners.get(topic) ?? new Set();
      listeners.set(topic, all.add(listener));
      return { [Symbol.dispose]: () => void all.delete(listener) };
    },
    cutOffSince: () => undefined,
    async [Symbol.asyncDispose]() {
      await Promise.all([...leading].map((led) => led[Symbol.asyncDispose]()));
    },
  };
}

async function repeat(work: (signal: AbortSignal) => Promise<void>, signal: AbortSignal, task: string): Promise<void> {
  while (!signal.aborted) {
    try {
      return await work(signal);
    } catch (error) {
      if (signal.aborted) return;
      process.emitWarning(`${task} failed and is tried again: ${messageOf(error)}`);
      await setTimeout(AGAIN_MS, undefined, { signal, ref: false }).catch(() => {});
    }
  }
}
