import { messageOf } from '../kernel/errors.ts';
import type { Shared } from '../kernel/shared.ts';
import { createTurn } from '../kernel/turn.ts';
import type { Events } from '../store/store.ts';

export interface RetentionDeps {
  readonly store: { readonly events: Pick<Events, 'prune' | 'span'>; readonly shared: Pick<Shared, 'lead'> };
  /** How long to keep events, and how many and how much at most. */
  settings(): { keepMs: number; max: number; maxBytes: number };
  /** Keep events from this id on: a webhook still waits for them. */
  keepFrom?(): number | undefined | Promise<number | undefined>;
  /** Deletes the files of days before this date. */
  pruneFiles?(before: Date): Promise<unknown>;
}

const FIRST_MS = 30_000;
const EVERY_MS = 10 * 60_000;

/**
 * Deletes expired events in the background. The store does it in small steps that do not delay calls. Of several
 * replicas one prunes the store, but each its own files.
 */
export function startRetention(
  deps: RetentionDeps,
  { firstMs = FIRST_MS, everyMs = EVERY_MS }: { firstMs?: number; everyMs?: number } = {},
): AsyncDisposable & { run(): Promise<number> } {
  let running: Promise<number> | undefined;
  let closed = false;
  const turn = createTurn(deps.store.shared, 'retention');
  let timer = setTimeout(tick, firstMs).unref();

  function tick(): void {
    void run().then(() => {
      if (!closed) timer = setTimeout(tick, everyMs).unref();
    });
  }

  function run(): Promise<number> {
    running ??= prune(deps, turn.isOurs())
      .catch((error: unknown) => {
        if (!closed) process.emitWarning(`Cannot delete old events, will retry: ${messageOf(error)}`);
        return 0;
      })
      .finally(() => {
        running = undefined;
      });
    return running;
  }

  return {
    run,
    /** A run in progress ends with the store. The next start continues it. */
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(timer);
      await turn[Symbol.asyncDispose]();
    },
  };
}

async function prune({ store, settings, keepFrom, pruneFiles }: RetentionDeps, isOurTurn: boolean): Promise<number> {
  const { keepMs, max, maxBytes } = settings();
  const before = new Date(Date.now() - keepMs);
  await pruneFiles?.(before);
  if (!isOurTurn) return 0;
  const span = await store.events.span();
  // Ids may have gaps, so the id range is never smaller than the count. Usually there is nothing to delete, and the
  // prune thread is not started. A first event dated in the future says nothing about the events after it.
  const isYoung = span && span.since >= before && span.since.getTime() <= Date.now();
  if (!span || (isYoung && span.last - span.first < max && span.bytes <= maxBytes)) return 0;
  const from = await keepFrom?.();
  return store.events.prune(before, { max, maxBytes, ...(from !== undefined && { keepFrom: from }) });
}
