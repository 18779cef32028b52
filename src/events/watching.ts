import type { Tail, TailDeps, WatchedPath, WatchStatus } from './tail.ts';

export interface Watching extends AsyncDisposable {
  /** Applies a new list of files. Files that stay are followed without interruption. */
  configure(files: readonly WatchedPath[]): Promise<void>;
  /** The status of each file; empty if none is watched. */
  report(): { watch?: WatchStatus[] };
}

/** Records what other programs append to JSONL files as events. */
export function createWatching(deps: TailDeps): Watching {
  const running = new Map<string, Tail>();

  return {
    async configure(files) {
      const paths = new Set(files.map(({ path }) => path));
      for (const [path, tail] of running) {
        if (paths.has(path)) continue;
        running.delete(path);
        await tail[Symbol.asyncDispose]();
      }
      if (files.length === 0) return;
      const { startTail } = await import('./tail.ts');
      for (const file of files) {
        if (!running.has(file.path)) running.set(file.path, startTail(file, deps));
      }
    },
    report: () => (running.size > 0 ? { watch: [...running.values()].map((tail) => tail.status()) } : {}),
    async [Symbol.asyncDispose]() {
      await Promise.all([...running.values()].map((tail) => tail[Symbol.asyncDispose]()));
      running.clear();
    },
  };
}
