/** What replicas share, in one process: every answer is late, and turns are taken one after the other. */
import type { Peers, Shared } from '../../src/kernel/shared.ts';
import { newLocalShared } from './local-shared.ts';

export interface FakeReplicas {
  readonly tell: Shared['tell'];
  /** How another replica sees it. */
  replica(): Shared;
  /** Milliseconds for which the store has been out of reach. */
  cutOff: number | undefined;
}

export function fakeReplicas(): FakeReplicas {
  const local = newLocalShared();
  const turns = new Map<string, Promise<void>>();
  const state: FakeReplicas = {
    cutOff: undefined,
    tell: local.tell,
    replica: () => ({
      ...local,
      peers: {} as Peers,
      keep: async (...given) => local.keep(...given),
      take: async (key) => local.take(key),
      lead(task, work) {
        const stop = new AbortController();
        const before = turns.get(task) ?? Promise.resolve();
        const done = before.then(() => (stop.signal.aborted ? undefined : work(stop.signal))).catch(() => {});
        turns.set(task, done);
        return {
          async [Symbol.asyncDispose]() {
            stop.abort();
            await done;
          },
        };
      },
      cutOffSince: () => (state.cutOff === undefined ? undefined : performance.now() - state.cutOff),
    }),
  };
  return state;
}
