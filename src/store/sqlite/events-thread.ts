import type { CallGroup, FollowedEvents, StoredEvent } from '../store.ts';
import type { EventScans } from './event-scans.ts';
import { storeThread } from './thread.ts';

// The published package contains JavaScript.
const script = import.meta.url.endsWith('.ts')
  ? new URL('./events-worker.ts', import.meta.url)
  : new URL('./events-worker.js', import.meta.url);

/** Runs the scans in a thread with its own connection. */
export function eventScansInThread(file: string): EventScans & AsyncDisposable {
  const thread = storeThread<keyof EventScans>(file, script);
  return {
    select: (selection) => thread.ask('select', selection) as Promise<StoredEvent[]>,
    follow: (selection) => thread.ask('follow', selection) as Promise<FollowedEvents>,
    usage: (period) => thread.ask('usage', period) as Promise<CallGroup[]>,
    prune: (pruning) => thread.ask('prune', pruning) as Promise<number>,
    count: () => thread.ask('count') as Promise<number>,
    [Symbol.asyncDispose]: () => thread[Symbol.asyncDispose](),
  };
}
