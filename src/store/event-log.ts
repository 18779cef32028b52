import { setImmediate } from 'node:timers/promises';
import { AppError, messageOf } from '../kernel/errors.ts';
import { type EventLog, type RecordedEvent, toEvent } from '../kernel/events.ts';
import type { Fact, FactTable } from '../kernel/facts.ts';
import { traceFrom } from '../kernel/trace.ts';
import type { Events } from './store.ts';

export interface BufferedEventLog extends EventLog<Fact>, AsyncDisposable {
  /** Called once for each event, shortly after it was recorded, whether or not it can be stored. */
  subscribe(listener: (event: RecordedEvent) => void): () => void;
  /** Called after each batch that was stored. */
  onStored(listener: () => void): () => void;
  /** Passes events to the listeners that were stored in another way. */
  passOn(events: readonly RecordedEvent[]): void;
  /** Turns on (or off) that a call's answer waits until its events are stored. */
  relyOn(on: boolean): void;
  /** Stores everything recorded so far. Rejects if that fails; the events are kept and retried. */
  flush(): Promise<void>;
  /** The same, but waits no longer than for a call's events, and never fails. */
  caughtUp(): Promise<unknown>;
  /** How many events were lost because the store failed for too long. */
  dropped(): number;
  /** The events waiting to be stored, and why they wait. */
  backlog(): Backlog;
}

/** Everything except recording facts. */
export type Recording = Omit<BufferedEventLog, 'record' | typeof Symbol.asyncDispose>;

export interface Backlog {
  readonly waiting: number;
  /** When the oldest of them was recorded. */
  readonly oldestAt?: number;
  readonly dropped: number;
  readonly failing?: { readonly reason: string; readonly since: number; readonly retryAt?: number };
  /** The last failure that has ended. */
  readonly lastError?: { readonly reason: string; readonly since: number; readonly until: number };
}

export interface EventLogOptions {
  /** The facts of all parts. */
  readonly facts?: FactTable;
  /** For texts that come from outside: a server may repeat an argument in its error. */
  readonly redact?: (text: string) => string;
  readonly flushMs?: number;
  readonly maxBuffer?: number;
}

/** Events per transaction: enough to be cheap, few enough that no call waits for it. */
const BATCH = 500;
const SLOWEST_RETRY_MS = 5000;
/** How long a call, or a reader of events, waits until they are stored. */
const DURABLE_MS = 2000;

/**
 * An event log that costs callers next to nothing: facts are buffered, and become events in the store when a timer
 * fires or a batch is full.
 */
export function createEventLog(
  store: Pick<Events, 'append'>,
  { facts = {}, redact, flushMs = 100, maxBuffer = 10_000 }: EventLogOptions = {},
): BufferedEventLog {
  let recorded: { fact: Fact; at: number; traceId: string | undefined }[] = [];
  let unstored: RecordedEvent[] = [];
  let dropped = 0;
  let failures = 0;
  let closed = false;
  let timer: NodeJS.Timeout | undefined;
  let retryAt: number | undefined;
  let failing: { reason: string; since: number } | undefined;
  let lastError: Backlog['lastError'];
  let writing: Promise<void> = Promise.resolve();
  const listeners = new Set<(event: RecordedEvent) => void>();
  const storedListeners = new Set<() => void>();

  function arm(): void {
    if (timer || closed) return;
    const wait = Math.min(flushMs * 2 ** failures, Math.max(flushMs, SLOWEST_RETRY_MS));
    retryAt = Date.now() + wait;
    timer = setTimeout(() => {
      timer = undefined;
      // The failure was reported, and the rest is retried.
      flush().catch(() => {});
    }, wait).unref();
  }

  function announce(): void {
    const taken = recorded;
    recorded = [];
    let last = Number.NaN;
    let timestamp = '';
    for (const { fact, at, traceId } of taken) {
      // Under load many events have the same time.
      if (at !== last) timestamp = new Date((last = at)).toISOString();
      const event = toEvent(
        facts,
        // Redacted before it is cut: half a secret must not remain.
        bounded(redact ? withoutSecrets(fact, redact) : fact),
        traceId ?? traceFrom().traceId,
        timestamp,
      );
      unstored.push(event);
      tell(event);
    }
  }

  function tell(event: RecordedEvent): void {
    for (const listener of listeners) {
      try {
        listener(event);
      } catch (error) {
        process.emitWarning(`A listener failed on the event ${event.event_type}: ${messageOf(error)}`);
      }
    }
  }

  async function write(): Promise<void> {
    let size = BATCH;
    while (unstored.length > 0) {
      const batch = unstored.slice(0, size);
      try {
        await store.append(batch);
      } catch (error) {
        const refused = error instanceof AppError && error.code === 'invalid_input';
        if (!refused) {
          keep(error);
          throw error;
        }
        // An event the store refuses would block all others forever: halve the batch until it is on its own.
        if (batch.length > 1) {
          size = Math.ceil(batch.length / 2);
          continue;
        }
        dropped++;
        size = BATCH;
      }
      failures = 0;
      if (failing) lastError = { ...failing, until: Date.now() };
      failing = undefined;
      unstored = unstored.slice(batch.length);
      for (const listener of storedListeners) listener();
      // The store may work in this thread: let calls run between two batches.
      if (unstored.length > 0) await setImmediate();
    }
  }

  function keep(error: unknown): void {
    if (failures === 0) process.emitWarning(`Cannot store events; they stay in memory for now: ${messageOf(error)}`);
    failing = { reason: messageOf(error), since: failing?.since ?? Date.now() };
    failures = Math.min(failures + 1, 16);
    arm();
  }

  function flush(): Promise<void> {
    announce();
    // Queue behind the running write: it may have looked for new events for the last time.
    writing = writing.then(write, write);
    return writing;
  }

  // All calls that end in one turn of the event loop share a transaction. A store that fails or is silent delays
  // nobody: events are kept and retried, but not by each call.
  let commit: Promise<boolean> | undefined;
  let isReliedOn = false;
  let isSilent = false;
  function durable(): Promise<boolean> | undefined {
    if (!isReliedOn) return undefined;
    if (failures > 0 || isSilent) return Promise.resolve(false);
    commit ??= setImmediate().then(() => {
      commit = undefined;
      return storedInTime();
    });
    return commit;
  }

  function storedInTime(): Promise<boolean> {
    return new Promise((resolve) => {
      const late = setTimeout(() => {
        isSilent = true;
        resolve(false);
      }, DURABLE_MS);
      const settle = (isStored: boolean) => {
        clearTimeout(late);
        isSilent = false;
        resolve(isStored);
      };
      flush().then(
        () => settle(true),
        () => settle(false),
      );
    });
  }

  return {
    record(fact, context) {
      if (closed || recorded.length + unstored.length >= maxBuffer) {
        dropped++;
        return;
      }
      recorded.push({ fact, at: Date.now(), traceId: context?.traceId });
      if (!timer) arm();
      // Under load the timer would let thousands pile up, and every minor garbage collection would copy them.
      if (recorded.length === BATCH && failures === 0)
        setImmediate()
          .then(flush)
          .catch(() => {});
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    onStored(listener) {
      storedListeners.add(listener);
      return () => void storedListeners.delete(listener);
    },
    passOn(events) {
      if (listeners.size > 0) for (const event of events) tell(event);
      for (const listener of storedListeners) listener();
    },
    relyOn(on) {
      isReliedOn = on;
    },
    durable,
    flush,
    caughtUp: () => (isSilent ? Promise.resolve() : storedInTime()),
    dropped: () => dropped,
    backlog() {
      const [first] = unstored;
      const oldestAt = first ? Date.parse(first.timestamp) : recorded[0]?.at;
      return {
        waiting: recorded.length + unstored.length,
        ...(oldestAt !== undefined && { oldestAt }),
        dropped,
        ...(failing && { failing: { ...failing, ...(retryAt !== undefined && { retryAt }) } }),
        ...(lastError && { lastError }),
      };
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(timer);
      try {
        await flush();
      } catch (error) {
        dropped += unstored.length;
        process.emitWarning(`Lost ${unstored.length} events because the store failed: ${messageOf(error)}`);
        unstored = [];
      }
      listeners.clear();
    },
  };
}

/**
 * Events for readers, including what was recorded a moment ago. Events that cannot be stored now do not delay readers.
 */
export function upToDate(events: Events, log: Pick<BufferedEventLog, 'caughtUp'>): Events {
  return {
    ...events,
    async query(query) {
      await log.caughtUp();
      return events.query(query);
    },
    async usage(period) {
      await log.caughtUp();
      return events.usage(period);
    },
  };
}

/** Fields with words. Others are names, numbers and times, which stay as they are. */
const WORDS = ['reason', 'asked', 'problems', 'message', 'error', 'detail'];

function withoutSecrets(fact: Fact, redact: (text: string) => string): Fact {
  const said = WORDS.filter((field) => fact[field] !== undefined);
  if (said.length === 0) return fact;
  const clean = (value: unknown): unknown => {
    if (typeof value === 'string') return redact(value);
    return Array.isArray(value) ? value.map(clean) : value;
  };
  return { ...fact, ...Object.fromEntries(said.map((field) => [field, clean(fact[field])])) };
}

/** Names, reasons and lists may come from outside. Longer ones are cut. */
const LONGEST = 4000;
const MOST_LISTED = 100;

const isLong = (value: unknown): boolean =>
  (typeof value === 'string' && value.length > LONGEST) ||
  (Array.isArray(value) && (value.length > MOST_LISTED || value.some(isLong)));

function cut(value: unknown): unknown {
  if (!isLong(value)) return value;
  return typeof value === 'string'
    ? `${value.slice(0, LONGEST).toWellFormed()}…`
    : (value as unknown[]).slice(0, MOST_LISTED).map(cut);
}

const bounded = (fact: Fact): Fact =>
  Object.values(fact).some(isLong)
    ? { ...fact, ...Object.fromEntries(Object.entries(fact).map(([name, value]) => [name, cut(value)])) }
    : fact;
