/** Runs work on the same id one after the other. n8n has no lock: without turns the last save would silently win. */
export interface Turns {
  take<T>(id: string, work: () => Promise<T>): Promise<T>;
}

export function createTurns(): Turns {
  const last = new Map<string, Promise<unknown>>();
  return {
    async take(id, work) {
      const mine = (last.get(id) ?? Promise.resolve()).then(work, work);
      last.set(id, mine);
      try {
        return await mine;
      } finally {
        if (last.get(id) === mine) last.delete(id);
      }
    },
  };
}
