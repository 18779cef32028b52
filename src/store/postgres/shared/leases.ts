import { messageOf } from '../../../kernel/errors.ts';

export const LEASE_MS = 12_000;
/** What leads stops this long before others may take over. */
const MARGIN_MS = 2000;
const RENEW_MS = 3000;
const AGAIN_MS = 5000;

/** The store of the leases. */
export interface LeaseRows {
  /** Takes or renews these for `LEASE_MS`. Returns those that this replica has now. */
  hold(tasks: readonly string[]): Promise<ReadonlySet<string>>;
  release(task: string): Promise<unknown>;
}

type Work = (signal: AbortSignal) => Promise<void>;

interface Entry {
  readonly task: string;
  readonly work: Work;
  readonly stop: AbortController;
  readonly done: Promise<void>;
  readonly finish: () => void;
  /** `resting`: not asked for, because the work failed or is still ending. */
  state: 'waiting' | 'leading' | 'resting';
  right?: { readonly lost: AbortController; timer?: NodeJS.Timeout };
}

/** Runs each task in one replica at a time. */
export function createLeases(rows: LeaseRows, warn: (message: string) => void, now = () => performance.now()) {
  const entries = new Set<Entry>();
  let timer: NodeJS.Timeout | undefined;
  let turn: Promise<void> = Promise.resolve();
  let queued = false;
  let closed = false;

  /** One statement at a time, so that no renewal overtakes a release. */
  function inTurn(work: () => Promise<unknown>): Promise<void> {
    turn = turn.then(work).then(
      () => {},
      () => {},
    );
    return turn;
  }

  /** The first of each name: a second one in this process waits for the end of the first. */
  function asked(): Map<string, Entry> {
    const first = new Map<string, Entry>();
    for (const entry of entries) if (!first.has(entry.task)) first.set(entry.task, entry);
    for (const [task, { state }] of first) if (state === 'resting') first.delete(task);
    return first;
  }

  async function look(): Promise<void> {
    queued = false;
    clearTimeout(timer);
    const wanted = asked();
    if (closed || wanted.size === 0) return;
    const sent = now();
    try {
      const held = await rows.hold([...wanted.keys()].sort());
      for (const [task, entry] of wanted) {
        if (!entries.has(entry)) {
          // Nobody wants it any more.
          if (held.has(task)) await rows.release(task);
        } else if (held.has(task)) keepUntil(entry, sent + LEASE_MS - MARGIN_MS);
        else entry.right?.lost.abort(new Error(`Another replica has taken over ${task}.`));
      }
    } finally {
      timer = setTimeout(wake, RENEW_MS).unref();
    }
  }

  function wake(): void {
    if (queued) return;
    queued = true;
    void inTurn(look);
  }

  function keepUntil(entry: Entry, end: number): void {
    if (entry.state === 'resting' || entry.stop.signal.aborted || end <= now()) return;
    if (!entry.right) {
      entry.right = { lost: new AbortController() };
      entry.state = 'leading';
      void run(entry, entry.right.lost.signal);
    }
    const { right } = entry;
    clearTimeout(right.timer);
    const expire = () => right.lost.abort(new Error(`The lease of ${entry.task} could not be renewed.`));
    right.timer = setTimeout(expire, end - now()).unref();
  }

  async function run(entry: Entry, lost: AbortSignal): Promise<void> {
    const { task, work, stop } = entry;
    const signal = AbortSignal.any([lost, stop.signal]);
    let failed = false;
    try {
      await work(signal);
    } catch (error) {
      failed = !signal.aborted;
      if (failed) warn(`${task} failed and is tried again: ${messageOf(error)}`);
    }
    clearTimeout(entry.right?.timer);
    entry.right = undefined;
    entry.state = 'resting';
    // Whether it failed or was lost: another replica may have better luck.
    await inTurn(() => rows.release(task));
    if (stop.signal.aborted || !(failed || lost.aborted)) return end(entry);
    if (failed) await pause(AGAIN_MS, stop.signal);
    if (stop.signal.aborted) return end(entry);
    entry.state = 'waiting';
    wake();
  }

  function end(entry: Entry): void {
    entries.delete(entry);
    entry.finish();
    wake();
  }

  async function stop(entry: Entry): Promise<void> {
    entry.stop.abort();
    if (entry.state === 'waiting') {
      entries.delete(entry);
      await inTurn(async () => {});
      entry.finish();
    }
    await entry.done;
  }

  return {
    lead(task: string, work: Work): AsyncDisposable {
      const { promise, resolve } = Promise.withResolvers<void>();
      const entry: Entry = {
        task,
        work,
        stop: new AbortController(),
        done: promise,
        finish: resolve,
        state: 'waiting',
      };
      entries.add(entry);
      wake();
      return { [Symbol.asyncDispose]: () => stop(entry) };
    },
    wake,
    held: (): string[] => [...entries].filter(({ state }) => state === 'leading').map(({ task }) => task),
    /** Gives up everything, and takes nothing any more. */
    async close(): Promise<void> {
      closed = true;
      await Promise.all([...entries].map(stop));
      clearTimeout(timer);
    },
  };
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  const timer = setTimeout(resolve, ms).unref();
  signal.addEventListener('abort', () => {
    clearTimeout(timer);
    resolve();
  });
  return promise;
}
