import { Worker } from 'node:worker_threads';
import type { EmbedderReply, EmbedderRequest, Texts } from './messages.ts';

/** The thread with the model ends after this long without a question: it holds some 150 MB. */
const IDLE_MS = 5 * 60_000;

/** One model in one thread, for everybody who compares meanings. */
export interface Embedder extends AsyncDisposable {
  /** Until the vectors of these texts are there; 'lacking' where they cannot be, 'lost' where the thread ended. */
  prepare(set: Texts, progress?: (done: number, of: number) => void): Promise<'ready' | 'lacking' | 'lost'>;
  /** How alike an English text is to each of the prepared ones, or undefined where that cannot be told (any more). */
  compare(key: string, text: string): Promise<Float64Array | undefined>;
  /** Waits for an answer that the process must not end before: a thread that prepares for later keeps none alive. */
  hold<T>(answer: Promise<T>): Promise<T>;
  /** Told when the thread has ended, and all that was prepared with it. */
  onEnd(listener: () => void): void;
  readonly closed: boolean;
}

// Published, the sources are JavaScript.
const script = import.meta.url.endsWith('.ts')
  ? new URL('./embedder-worker.ts', import.meta.url)
  : new URL('./embedder-worker.js', import.meta.url);

interface Waiting {
  answer(reply: EmbedderReply | undefined): void;
  progress?(done: number, of: number): void;
}

/** Meanings are compared in a thread of its own, started when first needed. It keeps no process alive. */
export function createEmbedder({ idleMs = IDLE_MS }: { readonly idleMs?: number } = {}): Embedder {
  const waiting = new Map<number, Waiting>();
  const listeners: (() => void)[] = [];
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  /** How many wait for an answer that the process must not end before. */
  let owed = 0;
  let closed = false;

  function start(): Worker {
    const started = new Worker(script, { name: 'embedder', execArgv: [], env: {} });
    started.unref();
    started.on('message', (reply: EmbedderReply) => {
      const asked = waiting.get(reply.id);
      if (reply.ok === 'soon') return asked?.progress?.(reply.done, reply.of);
      waiting.delete(reply.id);
      asked?.answer(reply);
      rest();
    });
    const lost = () => {
      if (worker !== started) return;
      worker = undefined;
      for (const listener of listeners) listener();
      for (const { answer } of waiting.values()) answer(undefined);
      waiting.clear();
    };
    // Words still find things: what goes wrong here is no failure of a search.
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
    request: EmbedderRequest extends infer R ? (R extends { id: number } ? Omit<R, 'id'> : never) : never,
    progress?: Waiting['progress'],
  ) {
    if (closed) return Promise.resolve(undefined);
    worker ??= start();
    clearTimeout(idle);
    const id = ++lastId;
    const { promise, resolve } = Promise.withResolvers<EmbedderReply | undefined>();
    waiting.set(id, { answer: resolve, ...(progress && { progress }) });
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage({ id, ...request });
    return promise;
  }

  async function hold<T>(answer: Promise<T>): Promise<T> {
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
    async prepare(set, progress) {
      const reply = await ask({ do: 'prepare', set }, progress);
      return reply === undefined ? 'lost' : reply.ok === true ? 'ready' : 'lacking';
    },
    async compare(key, text) {
      const reply = await hold(ask({ do: 'compare', key, text }));
      return reply?.ok === true ? reply.alike : undefined;
    },
    hold,
    onEnd: (listener) => void listeners.push(listener),
    get closed() {
      return closed;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(idle);
      await worker?.terminate();
    },
  };
}
