import { type Signal, useSignal } from '@preact/signals';
import { useLocation } from 'preact-iso/router';
import { useEffect, useRef } from 'preact/hooks';
import { Failed } from './api.ts';
import { revived } from './session.ts';

/** After so long without an answer, asking again may help more than waiting. */
const PATIENCE_MS = 30_000;

export interface Data<T> {
  /** The newest answer. While another is loading, or after a failure, the one before. */
  readonly value: T | undefined;
  readonly error: Failed | undefined;
  readonly loading: boolean;
  reload(): Promise<void>;
}

/** Loads when the page opens, when `deps` change, after the gateway was away, and every `everyMs` while the page is visible. */
export function useData<T>(
  load: (signal: AbortSignal) => Promise<T>,
  deps: readonly unknown[] = [],
  everyMs?: number,
): Data<T> {
  const value: Signal<T | undefined> = useSignal<T | undefined>(undefined);
  const error = useSignal<Failed | undefined>(undefined);
  const loading = useSignal(true);
  const running = useRef<AbortController | undefined>(undefined);
  const asked = useRef(0);

  async function reload(): Promise<void> {
    running.current?.abort();
    const mine = new AbortController();
    running.current = mine;
    asked.current = Date.now();
    loading.value = true;
    try {
      const next = await load(mine.signal);
      if (mine.signal.aborted) return;
      value.value = next;
      error.value = undefined;
    } catch (thrown) {
      if (mine.signal.aborted) return;
      error.value = thrown instanceof Failed ? thrown : new Failed(String(thrown), { code: 'failed', status: 0 });
    }
    loading.value = false;
  }

  useEffect(() => {
    void reload();
    return () => running.current?.abort();
  }, [...deps, revived.value]);
  useEffect(() => {
    if (everyMs === undefined) return undefined;
    return whileVisible(everyMs, () => {
      // An answer may take longer than the time until the next question, and must not be given up for it.
      if (!loading.peek() || Date.now() - asked.current > PATIENCE_MS) void reload();
    });
  }, [...deps, everyMs]);
  return { value: value.value, error: error.value, loading: loading.value, reload };
}

/** Runs now and then while somebody looks, and at once when they look again. */
export function whileVisible(everyMs: number, run: () => void): () => void {
  const timer = setInterval(() => {
    if (!document.hidden) run();
  }, everyMs);
  const seen = () => {
    if (!document.hidden) run();
  };
  document.addEventListener('visibilitychange', seen);
  return () => {
    clearInterval(timer);
    document.removeEventListener('visibilitychange', seen);
  };
}

export type Query = Readonly<Record<string, string | undefined>>;

/** What stands in the URL after `?`, and how to change it. An empty value goes away. */
export function useQuery(): [Query, (change: Query, push?: boolean) => void] {
  const { query, route } = useLocation();
  const change = (next: Query, push = false) => {
    // The address as it is now: two changes may come before the page is drawn again.
    const { pathname, search } = window.location;
    const all = new URLSearchParams(search);
    for (const [name, value] of Object.entries(next))
      if (value === undefined || value === '') all.delete(name);
      else all.set(name, value);
    const text = all.toString();
    route(text === '' ? pathname : `${pathname}?${text}`, !push);
  };
  return [query, change];
}
