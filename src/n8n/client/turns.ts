/** Lets one after the other do something to the same thing: n8n has no lock, and the last to save would win unseen. */
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
