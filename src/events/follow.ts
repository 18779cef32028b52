import type { EventFilter, Events, FollowedEvents } from '../store/store.ts';

export interface FollowDeps {
  readonly store: { readonly events: Pick<Events, 'follow' | 'span'> };
  /** Calls the listener each time events were stored. */
  onStored(listener: () => void): () => void;
}

/** Another gateway may share the store. Poll to notice the events it records. */
const LOOK_MS = 2000;
const PAGE = 200;

/**
 * Events as they happen, in batches read from the store, so that a slow or absent reader misses nothing and costs no
 * memory. Starts after the given id, or with the next event if there is none. Ends on abort or, if not `live`, after
 * the newest event.
 */
export async function* followEvents(
  { store, onStored }: FollowDeps,
  filter: EventFilter,
  after: number | undefined,
  signal: AbortSignal,
  live = true,
): AsyncGenerator<FollowedEvents, void, void> {
  let wake: (() => void) | undefined;
  let news = true;
  const stop = onStored(() => {
    news = true;
    wake?.();
  });
  try {
    const last = (await store.events.span())?.last ?? 0;
    // An id beyond the newest one comes from another store.
    let position = after === undefined || after > last ? last : after;
    while (!signal.aborted) {
      news = false;
      const found = await store.events.follow(filter, position, PAGE);
      ({ position } = found);
      if (found.events.length > 0) yield found;
      if (found.events.length === PAGE) continue;
      if (!live) return;
      if (news || signal.aborted) continue;
      await new Promise<void>((resolve) => {
        const timer = setTimeout(() => wake?.(), LOOK_MS);
        wake = () => {
          clearTimeout(timer);
          signal.removeEventListener('abort', go);
          resolve();
        };
        const go = () => wake?.();
        signal.addEventListener('abort', go);
      });
      wake = undefined;
    }
  } finally {
    stop();
  }
}
