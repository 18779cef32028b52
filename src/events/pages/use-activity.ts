import { useSignal } from '@preact/signals';
import { useEffect, useRef } from 'preact/hooks';
import { Failed, get } from '../../console/client/api.ts';
import { type LiveState, useEvents } from '../../console/client/live.ts';
import { lostSince, revived } from '../../console/client/session.ts';
import type { Event } from './event.ts';
import { type HeldEvents, heldFrom, MOST_HELD, noEvents, withNew, withOlder, withWaiting } from './held-events.ts';
import { isCut } from './light-event.ts';
import { createRate } from './rate.ts';

interface Page {
  readonly events: readonly Event[];
  readonly cursor?: string;
}

export interface Activity {
  readonly held: HeldEvents;
  readonly live: LiveState;
  /** Events a second, over the last few seconds. */
  readonly rate: number;
  readonly loading: boolean;
  readonly error: Failed | undefined;
  /** Whether the gateway has older events, and there is room for them. */
  readonly hasOlder: boolean;
  older(): void;
  reload(): void;
  /** Shows what came while somebody read. */
  showNew(): void;
}

const FIRST = 100;
const OLDER = 500;
/** Where events are large. */
const FEW = 20;
/** New events are shown so often: nobody reads faster, and the page stays free for other work. */
const SHOW_MS = 120;
/** After so long in the background, the newest events are more useful than all that were missed. */
const AWAY_MS = 5 * 60_000;

/** The newest events of a filter, and those that come. While `isReading`, new ones wait. */
export function useActivity(
  filter: string,
  { isReading, isPaused }: { isReading: boolean; isPaused: boolean },
): Activity {
  const held = useSignal<HeldEvents>(noEvents);
  const cursor = useSignal<string | undefined>(undefined);
  const start = useSignal<number | undefined>(undefined);
  const live = useSignal<LiveState>({ state: 'connecting' });
  const error = useSignal<Failed | undefined>(undefined);
  const loading = useSignal(true);
  const epoch = useSignal(0);
  const rate = useSignal(0);
  const reading = useRef(isReading);
  reading.current = isReading;
  const counted = useRef(createRate());

  const ask = (more: Record<string, string>, signal?: AbortSignal): Promise<Page> =>
    get(`api/v1/events?${new URLSearchParams([...new URLSearchParams(filter), ...Object.entries(more)])}`, signal);
  const failed = (thrown: unknown): void => {
    error.value = thrown instanceof Failed ? thrown : new Failed(String(thrown), { code: 'failed', status: 0 });
  };

  useEffect(() => {
    const ending = new AbortController();
    start.value = undefined;
    loading.value = true;
    ask({ limit: String(FIRST) }, ending.signal).then(
      (page) => {
        if (ending.signal.aborted) return;
        held.value = heldFrom(page.events);
        cursor.value = page.cursor;
        start.value = held.value.newest;
        error.value = undefined;
        loading.value = false;
      },
      (thrown: unknown) => {
        if (ending.signal.aborted) return;
        failed(thrown);
        loading.value = false;
      },
    );
    return () => ending.abort();
  }, [filter, epoch.value]);

  // The stream continues by itself. Only what never loaded is asked for again.
  useEffect(() => {
    if (error.value && start.value === undefined) epoch.value++;
  }, [revived.value]);

  const came = useRef<Event[]>([]);
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const show = (): void => {
    timer.current = undefined;
    const batch = came.current;
    came.current = [];
    const before = held.value.came;
    held.value = withNew(held.value, batch, reading.current);
    counted.current.add(held.value.came - before);
    rate.value = counted.current.perSecond();
  };
  useEffect(() => {
    const ticking = setInterval(() => (rate.value = counted.current.perSecond()), 1000);
    return () => {
      clearInterval(ticking);
      clearTimeout(timer.current);
    };
  }, []);

  const ends = new URLSearchParams(filter).has('until');
  const follows = start.value !== undefined && !isPaused && !ends;
  useEvents(
    follows ? filter : undefined,
    (batch) => {
      for (const event of batch) came.current.push(event);
      timer.current ??= setTimeout(show, SHOW_MS);
    },
    (state) => {
      const wasLost = live.value.state === 'lost';
      // "Connecting" after a loss would make the line flicker.
      if (state.state !== 'connecting' || !wasLost) live.value = state;
      if (state.state === 'live' && wasLost) void noticeOtherStore();
    },
    held.value.newest,
  );

  /** After a restart with another store, ids begin anew, and what is shown here exists no more. */
  async function noticeOtherStore(): Promise<void> {
    const newest = await get<Page>('api/v1/events?limit=1').catch(() => undefined);
    const known = newest?.events[0]?.id;
    if (known !== undefined && known < held.value.newest) epoch.value++;
  }

  useEffect(() => {
    let hiddenAt: number | undefined;
    const seen = () => {
      if (document.hidden) hiddenAt = Date.now();
      else if (hiddenAt !== undefined && Date.now() - hiddenAt > AWAY_MS && lostSince.value === undefined)
        epoch.value++;
    };
    document.addEventListener('visibilitychange', seen);
    return () => document.removeEventListener('visibilitychange', seen);
  }, []);

  const asking = useRef(false);
  async function loadOlder(): Promise<void> {
    const from = cursor.value;
    if (asking.current || from === undefined || held.value.rows.length >= MOST_HELD) return;
    asking.current = true;
    try {
      const limit = held.value.rows.slice(-FIRST).some(isCut) ? FEW : OLDER;
      const page = await ask({ limit: String(limit), cursor: from });
      if (cursor.value !== from) return;
      held.value = withOlder(held.value, page.events);
      cursor.value = page.cursor;
      error.value = undefined;
    } catch (thrown) {
      failed(thrown);
    } finally {
      asking.current = false;
    }
  }

  return {
    held: held.value,
    live: isPaused || ends ? { state: 'paused' } : live.value,
    rate: rate.value,
    loading: loading.value,
    error: error.value,
    hasOlder: cursor.value !== undefined && held.value.rows.length < MOST_HELD,
    older: () => void loadOlder(),
    reload: () => void epoch.value++,
    showNew: () => (held.value = withWaiting(held.value)),
  };
}
