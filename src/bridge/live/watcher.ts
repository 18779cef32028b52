import { messageOf } from '../../kernel/errors.ts';
import type { Found } from '../discover.ts';
import type { Asked } from '../asked.ts';
import type { BridgeDeps } from '../exposer.ts';
import { createLook } from './look.ts';
import type { Via, WatchState } from './watch-state.ts';

/** With hooks or a file the poll only catches what they missed. */
const SELDOM = 10;
/** n8n tells of a publication before it is done with it: looks follow until they see a change. */
const AFTERTHOUGHTS_MS = [100, 200, 400, 800, 1600];
/** So many ids are in an event. */
const SHOWN = 20;

export interface Watcher extends AsyncDisposable {
  /** Looks again, at everything or at one workflow, and settles when what it found is listed. */
  look(workflow?: string, via?: Via): Promise<void>;
  /** Somebody says that this workflow changed: looks now, and a few times more as long as nothing is seen. */
  told(workflow: string | undefined, via: Via): void;
  /** The configuration is another one. */
  reset(): void;
  found(): readonly Found[];
  /** Does something that no look comes between. */
  exclusively<T>(work: (found: readonly Found[], signal: AbortSignal) => Promise<T>): Promise<T>;
  /** How the last look ended. */
  state(): WatchState;
}

/** Keeps what is known of one n8n current. */
export function createWatcher(
  instance: string,
  deps: Pick<BridgeDeps, 'instances' | 'settings' | 'events' | 'redact'> & {
    asked?: Pick<Asked, 'of'>;
    /** n8n can be asked, or cannot any more. */
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
  /** A look at everything that has not begun yet: whoever wants one joins it. */
  let waiting: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  /** The exposers have not seen the last of it: the first time, and after they failed. */
  let isDue = true;
  /** Everything was looked at under these settings: until then what is not known may be there all the same. */
  let isWhole = false;
  let isReset = false;
  let changes = 0;

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
    const choosing = { ...deps.settings(instance), asked: deps.asked?.of(instance) ?? [] };
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
    const began = performance.now();
    try {
      const { news, changed } = await read(workflow);
      const ms = Math.round(performance.now() - began);
      if (news) changes++;
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

  /** What is known stays, and so do its tools; another look follows soon, and is not left to the next hook. */
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
    const { poll, discovery } = deps.settings(instance);
    timer = setTimeout(
      () => {
        void look(undefined, 'poll')
          .catch(() => {})
          .finally(() => signal.aborted || schedule());
      },
      discovery === 'poll' || state.state === 'failing' ? poll : poll * SELDOM,
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
        const before = changes;
        void look(workflow, via)
          .catch(() => {})
          .then(() => {
            const wait = AFTERTHOUGHTS_MS[after];
            if (changes !== before || wait === undefined || signal.aborted || afterthoughts.has(key)) return;
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
      // In its turn: a look that is under way would end with what the old settings choose.
      isReset = true;
      isDue = true;
      schedule();
    },
    found: looking.found,
    exclusively: (work) =>
      inTurn(async () => {
        // What is missing from half a picture would be taken for gone, and what we made for it be deleted.
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
