import { messageOf } from '../kernel/errors.ts';
import type { Events } from '../store/store.ts';

export interface RetentionDeps {
  readonly store: { readonly events: Pick<Events, 'prune' | 'span'> };
  /** How long events are kept, and how many at most. */
  settings(): { keepMs: number; max: number };
  /** Events from this id on are still awaited elsewhere, and stay. */
  keepFrom?(): number | undefined | Promise<number | undefined>;
  /** Deletes files of days that ended before. */
  pruneFiles?(before: Date): Promise<unknown>;
}

const FIRST_MS = 30_000;
const EVERY_MS = 10 * 60_000;

/** Deletes what has been kept long enough, in the background: the store does it in small steps, off the path of calls. */
export function startRetention(
  deps: RetentionDeps,
  { firstMs = FIRST_MS, everyMs = EVERY_MS }: { firstMs?: number; everyMs?: number } = {},
): Disposable & { run(): Promise<number> } {
  let running: Promise<number> | undefined;
  let closed = false;
  let timer = setTimeout(tick, firstMs).unref();

  function tick(): void {
    void run().then(() => {
      if (!closed) timer = setTimeout(tick, everyMs).unref();
    });
  }

  function run(): Promise<number> {
    running ??= prune(deps)
      .catch((error: unknown) => {
        if (!closed) process.emitWarning(`Old events could not be deleted; that is tried again: ${messageOf(error)}`);
        return 0;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  return {
    run,
    /** What is under way ends with the store, and goes on another time. */
    [Symbol.dispose]() {
      closed = true;
      clearTimeout(timer);
    },
  };
}

async function prune({ store, settings, keepFrom, pruneFiles }: RetentionDeps): Promise<number> {
  const { keepMs, max } = settings();
  const before = new Date(Date.now() - keepMs);
  await pruneFiles?.(before);
  const span = await store.events.span();
  // Ids have gaps at most, so this is never fewer than there are. Mostly nothing is to be done, and the thread that
  // would do it is not even started. What has a time that has not come yet says nothing of those behind it.
  const isYoung = span && span.since >= before && span.since.getTime() <= Date.now();
  if (!span || (isYoung && span.last - span.first < max)) return 0;
  const from = await keepFrom?.();
  return store.events.prune(before, { max, ...(from !== undefined && { keepFrom: from }) });
}
