import type { MemoryEngine } from './engine.ts';

const FLUSH_MS = 2000;

/** Counts what searches return. Written a little later, so that no search waits for it. */
export interface Recalls extends AsyncDisposable {
  note(ids: readonly string[]): void;
}

export function createRecalls(engine: MemoryEngine, now: () => number): Recalls {
  let noted = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  let writing: Promise<void> = Promise.resolve();

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const counts = noted;
    noted = new Map();
    const most = Math.max(0, ...counts.values());
    for (let times = 1; times <= most; times++) {
      const ids = [...counts].flatMap(([id, count]) => (count >= times ? [id] : []));
      // A count that is lost changes a rank a little; a search that fails because of it would be worse.
      writing = writing.then(() => engine.recalled(ids, now())).catch(() => {});
    }
  }

  return {
    note(ids) {
      for (const id of ids) noted.set(id, (noted.get(id) ?? 0) + 1);
      if (ids.length > 0) timer ??= setTimeout(flush, FLUSH_MS).unref();
    },
    async [Symbol.asyncDispose]() {
      flush();
      await writing;
    },
  };
}
