import { createHmac } from 'node:crypto';
import type { Peers, Replica, Shared } from '../../src/kernel/shared.ts';

export interface Cluster {
  /** Adds a replica, and returns what it sees of the others. */
  join(id: string): Peers;
  /** Adds or changes a replica that is not a gateway of this test. */
  set(id: string, changes: Partial<Replica>): void;
  /** From now on it counts as dead. */
  bury(id: string): void;
}

/** Replicas that find each other in memory. */
export function createCluster(): Cluster {
  const known = new Map<string, Replica>();
  const sign = (text: string) => createHmac('sha256', 'the key of this cluster').update(text).digest('base64url');
  const report = { state: 'ok', problems: [], sessions: 0, tools: 0 } as const;

  function set(id: string, changes: Partial<Replica>): void {
    const fresh: Replica = {
      id,
      host: 'one',
      pid: process.pid,
      version: '1.0.0',
      startedAt: new Date().toISOString(),
      seenMs: 400,
      skewMs: 0,
      draining: false,
      leads: [],
      report,
    };
    known.set(id, { ...(known.get(id) ?? fresh), ...changes });
  }

  return {
    set,
    bury: (id) => void known.delete(id),
    join(self) {
      set(self, {});
      let read: (() => Replica['report']) | undefined;
      let isReading = false;
      // Whoever makes the report may ask for the replicas.
      const fresh = (one: Replica): Replica => {
        if (one.id !== self || !read || isReading) return one;
        isReading = true;
        const reported = { ...one, report: read() };
        isReading = false;
        return reported;
      };
      return {
        self,
        all: () => [...known.values()].map(fresh).sort((a, b) => Number(b.id === self) - Number(a.id === self)),
        find: async (id) => known.get(id),
        announce(url, given) {
          read = given;
          set(self, url === undefined ? {} : { url });
        },
        lookAgain() {},
        async drain() {
          set(self, { draining: true });
        },
        sign,
        isSigned: (text, signature) => sign(text) === signature,
      };
    },
  };
}

/** What the gateways that start next share, in the order of their start. */
export const nextPeers: Peers[] = [];

/** For `vi.mock` of store/open.ts: gives each store that opens the next of `nextPeers`. */
export function withPeers<S extends { shared: Shared }>(open: (...given: never[]) => Promise<S>) {
  return async (...given: never[]): Promise<S> => {
    const store = await open(...given);
    const peers = nextPeers.shift();
    return peers ? { ...store, shared: { ...store.shared, peers } } : store;
  };
}
