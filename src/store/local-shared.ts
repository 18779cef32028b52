import { setTimeout } from 'node:timers/promises';
import { messageOf } from '../kernel/errors.ts';
import { createLimiter } from '../kernel/rate.ts';
import { MOST_KEPT, type Shared } from '../kernel/shared.ts';

const AGAIN_MS = 5000;

/** Shared by nobody else: everything is in this process. */
export function localShared(): Shared & AsyncDisposable {
  const limiter = createLimiter();
  const kept = createKept();
  const listeners = new Map<string, Set<() => void>>();
  const leading = new Set<AsyncDisposable>();

  return {
    peers: undefined,
    count: limiter.exceeded,
    keep: kept.keep,
    take: kept.take,
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

/** Values that are gone once they were taken. */
function createKept(): Pick<Shared, 'keep'> & { take(key: string): string | undefined } {
  const values = new Map<string, { value: string; expires: number; group: string }>();
  const groups = new Map<string, Set<string>>();

  function forget(key: string): void {
    const known = values.get(key);
    if (!known) return;
    values.delete(key);
    const others = groups.get(known.group);
    others?.delete(key);
    if (others?.size === 0) groups.delete(known.group);
  }

  return {
    keep(key, value, ms, group) {
      const now = performance.now();
      forget(key);
      for (const [oldest, { expires }] of values) {
        if (expires >= now) break;
        forget(oldest);
      }
      for (const oldest of groups.get(group) ?? []) {
        if ((groups.get(group)?.size ?? 0) < MOST_KEPT) break;
        forget(oldest);
      }
      values.set(key, { value, expires: now + ms, group });
      groups.set(group, (groups.get(group) ?? new Set()).add(key));
    },
    take(key) {
      const known = values.get(key);
      if (known) forget(key);
      return known && known.expires > performance.now() ? known.value : undefined;
    },
  };
}
