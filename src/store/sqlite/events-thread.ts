import type { CallGroup, FollowedEvents, StoredEvent } from '../store.ts';
import type { EventScans } from './event-scans.ts';
import { storeThread } from './thread.ts';

/** Runs the scans in a thread with its own connection. */
export function eventScansInThread(file: string): EventScans & AsyncDisposable {
  const thread = storeThread<keyof EventScans>(file, 'events-worker');
  return {
    select: (selection) => thread.ask('select', selection) as Promise<StoredEvent[]>,
    follow: (selection) => thread.ask('follow', selection) as Promise<FollowedEvents>,
    usage: (period) => thread.ask('usage', period) as Promise<CallGroup[]>,
    prune: (pruning) => thread.ask('prune', pruning) as Promise<number>,
    count: () => thread.ask('count') as Promise<number>,
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}
