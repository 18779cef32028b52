import { useEffect, useRef } from 'preact/hooks';
import { ask, Failed } from './api.ts';
import { revived } from './session.ts';
import { createLines } from './sse.ts';

/** A recorded event. */
export interface Event {
  readonly id: number;
  readonly timestamp: string;
  readonly trace_id: string;
  readonly event_type: string;
  readonly status: 'success' | 'failure' | 'pending';
  readonly data: Readonly<Record<string, unknown>>;
}

export interface LiveState {
  readonly state: 'connecting' | 'live' | 'lost' | 'paused';
  readonly why?: string;
}

const FIRST_PAUSE_MS = 1000;
const LONGEST_PAUSE_MS = 15_000;
/** A stream that ends sooner did not work: opened again at once, it would end again and again. */
const LASTING_MS = 5000;

/**
 * Follows events while the page is visible, and continues where it was when it is visible again or the gateway is back.
 * `onBatch` gets what arrived since the last frame; `query` are filters as in the URL of /api/v1/events. It begins behind
 * the event `after`, without it with the next one.
 */
export function useEvents(
  query: string | undefined,
  onBatch: (events: readonly Event[]) => void,
  onState: (state: LiveState) => void = () => {},
  after?: number,
): void {
  const batch = useRef(onBatch);
  batch.current = onBatch;
  useEffect(() => {
    if (query === undefined) {
      onState({ state: 'paused' });
      return undefined;
    }
    const following = follow(query, (events) => batch.current(events), onState, after);
    return () => following.abort();
  }, [query]);
}

function follow(
  query: string,
  onBatch: (events: readonly Event[]) => void,
  onState: (state: LiveState) => void,
  after: number | undefined,
): AbortController {
  const whole = new AbortController();
  let last = after?.toString();
  let waiting: Event[] = [];
  let frame = 0;
  let connection = new AbortController();

  function arrived(id: string, data: string): void {
    last = id;
    waiting.push({ ...(JSON.parse(data) as Omit<Event, 'id'>), id: Number(id) });
    if (frame !== 0) return;
    frame = requestAnimationFrame(() => {
      frame = 0;
      const now = waiting;
      waiting = [];
      onBatch(now);
    });
  }

  async function read(): Promise<void> {
    const headers = { accept: 'text/event-stream', ...(last !== undefined && { 'last-event-id': last }) };
    const response = await ask(`api/v1/events${query === '' ? '' : `?${query}`}`, {
      headers,
      signal: connection.signal,
    });
    if (!response.ok || !response.body)
      throw new Failed(await response.text(), { code: 'failed', status: response.status });
    onState({ state: 'live' });
    const lines = createLines(({ id, event, data }) => {
      if (event === undefined && id !== undefined) arrived(id, data);
    });
    const decoder = new TextDecoder();
    const reader = response.body.getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      lines(decoder.decode(value, { stream: true }));
    }
  }

  async function run(): Promise<void> {
    let pause = FIRST_PAUSE_MS;
    while (!whole.signal.aborted) {
      if (document.hidden) await visible(whole.signal);
      if (whole.signal.aborted) return;
      connection = new AbortController();
      onState({ state: 'connecting' });
      const begun = performance.now();
      const why = await read().then(() => undefined, reasonOf);
      if (whole.signal.aborted) return;
      const hasLasted = performance.now() - begun >= LASTING_MS;
      if (hasLasted) pause = FIRST_PAUSE_MS;
      if (document.hidden || (hasLasted && why === undefined)) continue;
      onState({ state: 'lost', why: why ?? 'The gateway ended the connection.' });
      await pauseOf(pause, whole.signal);
      pause = Math.min(LONGEST_PAUSE_MS, pause * 2);
    }
  }

  const hidden = () => {
    if (document.hidden) connection.abort();
  };
  document.addEventListener('visibilitychange', hidden);
  whole.signal.addEventListener('abort', () => {
    document.removeEventListener('visibilitychange', hidden);
    cancelAnimationFrame(frame);
    connection.abort();
  });
  void run();
  return whole;
}

const reasonOf = (error: unknown): string =>
  error instanceof Failed && error.status !== 0 ? `The gateway refused: ${error.status}.` : 'The connection was lost.';

/** Ends early when the gateway is back. */
const pauseOf = (ms: number, stop: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const before = revived.peek();
    const end = () => {
      clearTimeout(timer);
      ignore();
      stop.removeEventListener('abort', end);
      done();
    };
    const timer = setTimeout(end, ms);
    const ignore = revived.subscribe((count) => {
      if (count !== before) setTimeout(end);
    });
    stop.addEventListener('abort', end);
  });

const visible = (stop: AbortSignal): Promise<void> =>
  new Promise((done) => {
    const seen = () => {
      if (document.hidden && !stop.aborted) return;
      document.removeEventListener('visibilitychange', seen);
      stop.removeEventListener('abort', seen);
      done();
    };
    document.addEventListener('visibilitychange', seen);
    stop.addEventListener('abort', seen);
  });
