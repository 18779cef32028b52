import type { EventFilter, Events, FollowedEvents } from '../store/store.ts';

export interface FollowDeps {
  readonly store: { readonly events: Pick<Events, 'follow' | 'span'> };
  /** Tells each time that there is more in the store. */
  onStored(listener: () => void): () => void;
}

/** Another gateway may share the store; what it records is noticed at the next look. */
const LOOK_MS = 2000;
const PAGE = 200;

/**
 * What happens, as it happens: batches from the store, so that nobody who is slow, or away for a while, misses
 * anything or makes anyone keep it in memory. Begins after an id, or with what comes next, and ends with
 * the signal; or, where it is not to be live, with the last there is.
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
    // An id that was not given out yet belongs to another store.
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
