import { useSignal } from '@preact/signals';
import { useMemo, useRef } from 'preact/hooks';
import { Failed } from './api.ts';
import { type Data, useData } from './data.ts';
import { say } from './ui/notice.tsx';

export interface PageOf<T> {
  readonly items: readonly T[];
  /** What the next page is asked for with; undefined after the last. */
  readonly next?: string | undefined;
}

export interface Paged<T, P extends PageOf<T>> {
  readonly first: Data<P>;
  /** Of all pages that were loaded. */
  readonly items: readonly T[];
  readonly hasMore: boolean;
  /** Loads the next page, if there is one. */
  more(): void;
}

/**
 * A list that is loaded page by page. What `deps` change starts it over. With `everyMs` the first page is loaded again now
 * and then, until somebody scrolls on to the next.
 */
export function usePaged<T, P extends PageOf<T>>(
  load: (next: string | undefined, signal: AbortSignal) => Promise<P>,
  deps: readonly unknown[] = [],
  everyMs?: number,
): Paged<T, P> {
  const rest = useSignal<PageOf<T> | undefined>(undefined);
  const running = useRef<AbortController | undefined>(undefined);
  const stop = () => {
    running.current?.abort();
    running.current = undefined;
  };
  const first = useData(
    async (signal) => {
      const page = await load(undefined, signal);
      stop();
      rest.value = undefined;
      return page;
    },
    deps,
    rest.value === undefined ? everyMs : undefined,
  );
  const next = (rest.value ?? first.value)?.next;

  async function more(): Promise<void> {
    if (next === undefined || running.current || first.loading) return;
    const mine = (running.current = new AbortController());
    try {
      const page = await load(next, mine.signal);
      if (mine.signal.aborted) return;
      rest.value = { items: [...(rest.value?.items ?? []), ...page.items], next: page.next };
    } catch (error) {
      if (mine.signal.aborted) return;
      if (!(error instanceof Failed)) throw error;
      say(error.message, true);
    }
    running.current = undefined;
  }

  const items = useMemo(() => [...(first.value?.items ?? []), ...(rest.value?.items ?? [])], [first.value, rest.value]);
  return { first, items, hasMore: next !== undefined, more: () => void more() };
}
