/** Tells whoever waits that something about a run changed in this process. */
export function createWatching() {
  const listeners = new Map<string, Set<() => void>>();
  return {
    changed(run: string): void {
      for (const listener of listeners.get(run) ?? []) listener();
    },
    /** Waits for a change, but not longer than this: another replica may have made it. */
    next(run: string, ms: number, signal: AbortSignal): Promise<void> {
      if (signal.aborted) return Promise.resolve();
      return new Promise((resolve) => {
        const all = listeners.get(run) ?? new Set();
        listeners.set(run, all);
        const end = () => {
          clearTimeout(timer);
          all.delete(end);
          if (all.size === 0) listeners.delete(run);
          signal.removeEventListener('abort', end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        all.add(end);
        signal.addEventListener('abort', end, { once: true });
      });
    },
  };
}

export type Watching = ReturnType<typeof createWatching>;
