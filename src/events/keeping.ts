import type { CallObserver } from '../kernel/call.ts';
import type { Route } from '../kernel/route.ts';
import type { Shared } from '../kernel/shared.ts';
import type { Events } from '../store/store.ts';
import type { DeliveryLog } from './facts.ts';
import { argumentsObserver } from './call-arguments.ts';
import type * as Jsonl from './jsonl.ts';
import { startRetention } from './retention.ts';
import { eventRoute, eventsRoute } from './route.ts';

export interface KeepingSettings {
  /** In milliseconds. */
  readonly keep: number;
  readonly max: number;
  /** In MB. */
  readonly maxSize: number;
  /** Directory of the event files; none are written without it. */
  readonly jsonl?: string;
  readonly arguments: boolean;
}

export interface KeepingDeps {
  readonly store: {
    readonly events: Pick<Events, 'query' | 'follow' | 'span' | 'prune'>;
    readonly shared: Pick<Shared, 'peers' | 'lead' | 'tell' | 'hear'>;
  };
  readonly log: DeliveryLog;
  redact(text: string): string;
  /** Ends the event streams when the gateway stops. */
  readonly stopping?: AbortSignal;
  /** Keep events from this id on: a webhook still waits for them. */
  keepFrom?(): number | undefined | Promise<number | undefined>;
}

export interface EventKeeping extends AsyncDisposable {
  readonly routes: readonly Route[];
  readonly observers: readonly CallObserver[];
  configure(settings: KeepingSettings): Promise<void>;
  /** Events for another command of the same user, line by line. */
  feed(wish: unknown, signal: AbortSignal): AsyncGenerator<string>;
  status(): { dropped: number; jsonl?: Jsonl.JsonlStatus };
}

/** Everything around the stored events: files, retention, recorded arguments and live streams. */
export async function keepEvents(deps: KeepingDeps, initial: KeepingSettings): Promise<EventKeeping> {
  const { store, log } = deps;
  const ending = new AbortController();
  const closing = AbortSignal.any([ending.signal, ...(deps.stopping ? [deps.stopping] : [])]);
  let settings = initial;
  /** Loaded when files are wanted. */
  let jsonl: typeof Jsonl | undefined;
  let files: Jsonl.JsonlFiles | undefined;
  let unsubscribe: (() => void) | undefined;

  function openFiles(): void {
    if (settings.jsonl === undefined) return;
    files = jsonl?.createJsonlFiles(settings.jsonl);
    unsubscribe = files && log.subscribe(files.add);
  }

  async function closeFiles(): Promise<void> {
    unsubscribe?.();
    const closed = files;
    files = undefined;
    unsubscribe = undefined;
    await closed?.[Symbol.asyncDispose]();
  }

  if (settings.jsonl !== undefined) jsonl = await import('./jsonl.ts');
  openFiles();
  const retention = startRetention({
    store,
    settings: () => ({ keepMs: settings.keep, max: settings.max, maxBytes: settings.maxSize * 1024 * 1024 }),
    pruneFiles: async (before) => files?.prune(before),
    ...(deps.keepFrom && { keepFrom: deps.keepFrom }),
  });
  const { shared } = store;
  const stopTelling = shared.peers && log.onStored(() => shared.tell('events'));
  const following = {
    store,
    /** Called for events of this process at once, and for those of other replicas soon. */
    onStored(listener: () => void): () => void {
      const stop = log.onStored(listener);
      const heard = shared.hear('events', listener);
      return () => {
        stop();
        heard[Symbol.dispose]();
      };
    },
  };

  return {
    routes: [eventsRoute({ ...following, closing }), eventRoute({ store })],
    observers: [argumentsObserver({ events: log, enabled: () => settings.arguments, redact: deps.redact })],
    async configure(next) {
      const moved = next.jsonl !== settings.jsonl;
      if (next.jsonl !== undefined && !jsonl) jsonl = await import('./jsonl.ts');
      settings = next;
      if (!moved) return;
      // Events recorded while the old files close go to the new ones.
      const closed = closeFiles();
      openFiles();
      await closed;
    },
    async *feed(wish, signal) {
      const { eventFeed } = await import('./event-feed.ts');
      yield* eventFeed(following, wish, AbortSignal.any([signal, closing]));
    },
    status: () => ({ dropped: log.dropped(), ...(files && { jsonl: files.status() }) }),
    async [Symbol.asyncDispose]() {
      ending.abort();
      stopTelling?.();
      await retention[Symbol.asyncDispose]();
      await closeFiles();
    },
  };
}
