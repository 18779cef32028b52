import { messageOf } from '../../kernel/errors.ts';
import type { Found } from '../discover.ts';
import type { Asked } from '../asked.ts';
import type { BridgeDeps } from '../exposer.ts';
import { createLook } from './look.ts';
import type { Via, WatchState } from './watch-state.ts';

/**
 * n8n announces a publication before it has stored it, so scan again for a while. A change that is seen may be an earlier
 * one, so it does not end this.
 */
const AFTERTHOUGHTS_MS = [100, 200, 400, 800, 1600];
/** How many ids an event contains. */
const SHOWN = 20;

export interface Watcher extends AsyncDisposable {
  /** Scans everything or one workflow. Settles when its tools are listed. */
  look(workflow?: string, via?: Via): Promise<void>;
  /** A change was announced: scans now, and a few times more, because n8n may store it later. */
  told(workflow: string | undefined, via: Via): void;
  /** The configuration changed. */
  reset(): void;
  found(): readonly Found[];
  /** Runs work while no scan runs. */
  exclusively<T>(work: (found: readonly Found[], signal: AbortSignal) => Promise<T>): Promise<T>;
  /** How the last scan ended. */
  state(): WatchState;
}

/** Keeps track of the workflows of one n8n. */
export function createWatcher(
  instance: string,
  deps: Pick<BridgeDeps, 'instances' | 'settings' | 'events' | 'redact' | 'named'> & {
    asked?: Pick<Asked, 'of'>;
    /** n8n became reachable or unreachable. */
    stateChanged?(): void;
  },
  onChange: (found: readonly Found[], signal: AbortSignal) => Promise<void>,
): Watcher {
  const looking = createLook();
  const stopping = new AbortController();
  const { signal } = stopping;
  const afterthoughts = new Map<string, NodeJS.Timeout>();
  let state: WatchState = { state: 'starting', since: new Date().toISOString() };
  let queue: Promise<unknown> = Promise.resolve();
  /** A full scan that has not begun yet. Further requests join it. */
  let waiting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** The exposers need the results even without a change: at the start, and after they failed. */
  let isDue = true;
  /** Whether there was a full scan with these settings. Before, a workflow may exist without being known. */
  let isWhole = false;
  let isReset = false;

  function inTurn<T>(work: () => Promise<T>): Promise<T> {
    const mine = queue.then(() => {
      signal.throwIfAborted();
      return work();
    });
    queue = mine.catch(() => {});
    return mine;
  }

  async function read(workflow: string | undefined) {
    const client = deps.instances.get(instance);
    const named = deps.named?.(instance);
    const choosing = {
      ...deps.settings(instance),
      asked: deps.asked?.of(instance) ?? [],
      ...(named && { named }),
    };
    if (isReset) {
      isReset = false;
      isWhole = false;
      looking.reset();
    }
    if (workflow !== undefined && isWhole) return looking.one(client, workflow, choosing, signal);
    const seen = await looking.all(client, choosing, signal);
    isWhole = true;
    return seen;
  }

  async function lookAt(workflow: string | undefined, via: Via): Promise<void> {
    // The health of n8n says what to do. With a key, the client is a new one, and is scanned at once.
    if (via !== 'asked' && state.state === 'starting' && !deps.instances.get(instance).hasKey) return;
    const began = performance.now();
    try {
      const { changed } = await read(workflow);
      const ms = Math.round(performance.now() - began);
      if (via !== 'start' && changed.length > 0) {
        const workflows = changed.slice(0, SHOWN);
        deps.events.record({ type: 'bridge.workflows_changed', instance, via, workflows, count: changed.length });
      }
      if (changed.length > 0 || isDue) {
        isDue = true;
        await onChange(looking.found(), signal);
        isDue = false;
      }
      if (state.state === 'failing') deps.events.record({ type: 'bridge.discovery_recovered', instance });
      const was = state.state;
      const lookedAt = new Date().toISOString();
      const since = state.state === 'watching' ? state.since : lookedAt;
      state = { state: 'watching', since, workflows: looking.size(), lookedAt, ms };
      if (was !== 'watching') deps.stateChanged?.();
    } catch (error) {
      if (signal.aborted) return;
      fail(deps.redact(messageOf(error)));
      if (via === 'asked') throw error;
    }
  }

  /** Keeps the known workflows and their tools, and schedules a retry instead of waiting for the next hook. */
  function fail(reason: string): void {
    const since = state.state === 'failing' ? state.since : new Date().toISOString();
    if (state.state !== 'failing') deps.events.record({ type: 'bridge.discovery_failed', instance, reason });
    const was = state.state;
    const retryAt = new Date(Date.now() + deps.settings(instance).poll).toISOString();
    state = { state: 'failing', reason, since, retryAt };
    if (was !== 'failing') deps.stateChanged?.();
    schedule();
  }

  function look(workflow?: string, via: Via = 'asked'): Promise<void> {
    if (workflow !== undefined) return inTurn(() => lookAt(workflow, via));
    waiting ??= inTurn(() => {
      waiting = undefined;
      return lookAt(undefined, via);
    });
    return waiting;
  }

  function schedule(): void {
    clearTimeout(timer);
    const { poll, scan } = deps.settings(instance);
    timer = setTimeout(
      () => {
        void look(undefined, 'poll')
          .catch(() => {})
          .finally(() => signal.aborted || schedule());
      },
      state.state === 'failing' ? poll : scan,
    ).unref();
  }
  schedule();

  return {
    look,
    told(workflow, via) {
      const key = workflow ?? '';
      clearTimeout(afterthoughts.get(key));
      afterthoughts.delete(key);
      const tell = (after: number) => {
        void look(workflow, via)
          .catch(() => {})
          .then(() => {
            const wait = AFTERTHOUGHTS_MS[after];
            if (wait === undefined || signal.aborted || afterthoughts.has(key)) return;
            const next = () => {
              afterthoughts.delete(key);
              tell(after + 1);
            };
            afterthoughts.set(key, setTimeout(next, wait).unref());
          });
      };
      tell(0);
    },
    reset() {
      // Only set flags: a running scan still uses the old settings, and would overwrite the result.
      isReset = true;
      isDue = true;
      schedule();
    },
    found: looking.found,
    exclusively: (work) =>
      inTurn(async () => {
        // Without a full scan, workflows would seem deleted, and what was generated for them would be deleted too.
        if (!isWhole || isReset) {
          isDue = true;
          await read(undefined);
        }
        return work(looking.found(), signal);
      }),
    state: () => state,
    async [Symbol.asyncDispose]() {
      stopping.abort();
      clearTimeout(timer);
      for (const one of afterthoughts.values()) clearTimeout(one);
      await queue;
    },
  };
}
