import type { Replica, Shared, Topic } from '../../src/kernel/shared.ts';
import { newLocalShared } from './local-shared.ts';

export interface FakeReplica extends Shared {
  /** As before a stop: the others may have what this one leads. */
  drain(): void;
}

/** What two replicas agree on, for tests of one process: work moves at once, and everybody hears everything. */
export function sharedByReplicas(): [FakeReplica, FakeReplica] {
  const common = newLocalShared();
  const names = ['one', 'two'] as const;
  const draining = new Set<string>();
  const listeners = new Map<Topic, Set<() => void>>();
  /** By task: who wants to lead, the first of them does. */
  const wanting = new Map<string, { replica: string; begin(): void }[]>();

  const replicaOf = (id: string): Replica => ({
    id,
    host: 'here',
    pid: process.pid,
    version: '0',
    startedAt: '2026-01-01T00:00:00.000Z',
    seenMs: 0,
    skewMs: 0,
    draining: draining.has(id),
    leads: [],
    report: { state: 'ok', problems: [], sessions: 0, tools: 0 },
  });
  const tell = (topic: Topic) => {
    for (const listener of listeners.get(topic) ?? []) listener();
  };

  const make = (self: string): FakeReplica => {
    const led = new Set<() => Promise<void>>();
    return {
      ...common,
      peers: {
        self,
        all: () => [self, ...names.filter((name) => name !== self)].map(replicaOf),
        find: async (id) => (id === 'one' || id === 'two' ? replicaOf(id) : undefined),
        announce() {},
        lookAgain() {},
        async drain() {},
        sign: (text) => text,
        isSigned: (text, signature) => text === signature,
      },
      lead(task, work) {
        const stop = new AbortController();
        let ended: Promise<void> | undefined;
        const queue = wanting.get(task) ?? [];
        wanting.set(task, queue);
        const mine = {
          replica: self,
          begin() {
            ended = work(stop.signal);
          },
        };
        queue.push(mine);
        if (queue[0] === mine) mine.begin();
        async function leave(): Promise<void> {
          if (!queue.includes(mine)) return;
          const wasFirst = queue[0] === mine;
          stop.abort();
          await ended;
          queue.splice(queue.indexOf(mine), 1);
          if (wasFirst) queue[0]?.begin();
        }
        led.add(leave);
        return { [Symbol.asyncDispose]: leave };
      },
      tell,
      hear(topic, listener) {
        const all = listeners.get(topic) ?? new Set();
        listeners.set(topic, all.add(listener));
        return { [Symbol.dispose]: () => void all.delete(listener) };
      },
      drain() {
        draining.add(self);
        for (const leave of led) void leave();
        tell('replicas');
      },
    };
  };
  return [make('one'), make('two')];
}
