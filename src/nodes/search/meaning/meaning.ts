import { statSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import type { Catalogue } from '../../catalogue.ts';
import type { MeaningReply, MeaningRequest, Near } from './messages.ts';

/** The thread with the model ends after this long without a question: it holds some 150 MB. */
const IDLE_MS = 5 * 60_000;

export interface Meaning extends AsyncDisposable {
  /**
   * The nodes nearest in meaning to an English text, or undefined where that cannot be told (yet): the vectors of a
   * catalogue are read when it is first asked, or made, in the background and once.
   */
  near(catalogue: Catalogue, text: string, signal?: AbortSignal): Promise<readonly Near[] | undefined>;
  /** Until the vectors of this catalogue are there; false where they cannot be. */
  prepare(catalogue: Catalogue, progress?: (done: number, of: number) => void): Promise<boolean>;
}

export interface MeaningOptions {
  /** Where vectors are kept; beside the catalogue unless told. */
  readonly vectors?: string;
  /** Who has missing vectors made. Without it they are made here, which takes some 20 s of a processor. */
  readonly missing?: () => void;
  readonly idleMs?: number;
}

// Published, the sources are JavaScript.
const script = import.meta.url.endsWith('.ts')
  ? new URL('./meaning-worker.ts', import.meta.url)
  : new URL('./meaning-worker.js', import.meta.url);

interface Waiting {
  answer(reply: MeaningReply | undefined): void;
  progress?(done: number, of: number): void;
}

type Ready = 'making' | 'ready' | 'failed';

/** Meanings are compared in a thread of its own, started when first needed. It keeps no process alive. */
export function createMeaning({ vectors, missing, idleMs = IDLE_MS }: MeaningOptions = {}): Meaning {
  const waiting = new Map<number, Waiting>();
  const prepared = new Map<string, { state: Ready; done: Promise<boolean>; looked: number }>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  /** How many wait for an answer that the process must not end before. */
  let owed = 0;
  let closed = false;

  function start(): Worker {
    const started = new Worker(script, { name: 'meaning', execArgv: [], env: {} });
    started.unref();
    started.on('message', (reply: MeaningReply) => {
      const asked = waiting.get(reply.id);
      if (reply.ok === 'soon') return asked?.progress?.(reply.done, reply.of);
      waiting.delete(reply.id);
      asked?.answer(reply);
      rest();
    });
    const lost = () => {
      if (worker !== started) return;
      worker = undefined;
      prepared.clear();
      for (const { answer } of waiting.values()) answer(undefined);
      waiting.clear();
    };
    // Words still find nodes: what goes wrong here is no failure of a search.
    started.once('error', lost);
    started.once('exit', lost);
    return started;
  }

  function rest(): void {
    clearTimeout(idle);
    if (waiting.size > 0 || !worker) return;
    idle = setTimeout(() => void worker?.terminate(), idleMs);
    idle.unref();
  }

  function ask(
    request: MeaningRequest extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never,
    progress?: Waiting['progress'],
  ) {
    if (closed) return Promise.resolve(undefined);
    worker ??= start();
    clearTimeout(idle);
    const id = ++lastId;
    const { promise, resolve } = Promise.withResolvers<MeaningReply | undefined>();
    waiting.set(id, { answer: resolve, ...(progress && { progress }) });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage({ id, ...request });
    return promise;
  }

  function preparation(file: string, { origin }: Catalogue, progress?: Waiting['progress']) {
    // One that took the place of another has other nodes.
    const key = JSON.stringify([file, origin.builtAt]);
    let known = prepared.get(key);
    const kept = vectors ?? `${file}.vectors`;
    // Whoever makes them keeps them bit by bit.
    if (known?.state === 'failed' && missing && known.looked !== changedAt(kept)) known = undefined;
    if (!known) {
      const entry = { state: 'making' as Ready, done: Promise.resolve(false), looked: changedAt(kept) };
      entry.done = ask({ do: 'prepare', file, vectors: kept, make: !missing }, progress).then((reply) => {
        entry.state = reply?.ok === true ? 'ready' : 'failed';
        if (reply?.ok === false) missing?.();
        return entry.state === 'ready';
      });
      prepared.set(key, (known = entry));
    }
    return known;
  }

  /** An idle thread keeps no process alive, nor does one that prepares for later; one that owes an answer does. */
  async function held<T>(answer: Promise<T>): Promise<T> {
    owed += 1;
    worker?.ref();
    try {
      return await answer;
    } finally {
      owed -= 1;
      if (owed === 0) worker?.unref();
    }
  }

  return {
    async near(catalogue, text, signal) {
      const file = catalogue.database.location();
      if (file === null || preparation(file, catalogue).state !== 'ready') return undefined;
      const reply = await held(ask({ do: 'near', file, text }));
      signal?.throwIfAborted();
      return reply?.ok === true ? reply.near : undefined;
    },
    async prepare(catalogue, progress) {
      const file = catalogue.database.location();
      if (file === null || closed) return false;
      return held(preparation(file, catalogue, progress).done);
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(idle);
      await worker?.terminate();
    },
  };
}

function changedAt(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0;
}
