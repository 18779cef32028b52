import { Worker } from 'node:worker_threads';
import { AppError } from '../kernel/errors.ts';
import { giveBack } from '../kernel/give-back.ts';
import { IDLE_MS } from '../kernel/kept-while-used.ts';
import type { EmbedderReply, EmbedderRequest, ModelInThread, Texts } from './messages.ts';
import type { Haste } from './turns.ts';

/** One model in one thread, shared by everything that compares meanings. */
export interface Embedder extends AsyncDisposable {
  /** Waits for the vectors of these texts; 'lacking' if they cannot be made, 'lost' if the thread ended. */
  prepare(set: Texts, progress?: (done: number, of: number) => void): Promise<'ready' | 'lacking' | 'lost'>;
  /** How similar an English text is to each prepared one; undefined if that is unknown (or no longer known). */
  compare(key: string, text: string): Promise<Float64Array | undefined>;
  /** Vectors of length 1, one after the other; undefined if the thread ended. Throws if the model fails. */
  embed(texts: readonly string[], haste: Haste, model?: ModelInThread): Promise<Float32Array | undefined>;
  /** Keeps the process alive until this answer arrives. Preparing for later does not keep it alive. */
  hold<T>(answer: Promise<T>): Promise<T>;
  /** Calls the listener when the thread has ended, and everything prepared with it. */
  onEnd(listener: () => void): void;
  readonly closed: boolean;
}

// The published package contains JavaScript.
const script = import.meta.url.endsWith('.ts')
  ? new URL('./embedder-worker.ts', import.meta.url)
  : new URL('./embedder-worker.js', import.meta.url);

interface Waiting {
  answer(reply: EmbedderReply | undefined): void;
  progress?(done: number, of: number): void;
}

/**
 * Compares meanings in a separate thread, started on first use. It does not keep the process alive. The thread holds about
 * 150 MB, so it ends after some time without a question.
 */
export function createEmbedder({ idleMs = IDLE_MS }: { readonly idleMs?: number | undefined } = {}): Embedder {
  const waiting = new Map<number, Waiting>();
  const listeners: (() => void)[] = [];
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  /** How many answers keep the process alive. */
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
    // Search by words still works, so an error here does not fail a search.
    started.once('error', () => lose(started));
    started.once('exit', () => {
      lose(started);
      giveBack();
    });
    return started;
  }

  function lose(ended: Worker): void {
    if (worker !== ended) return;
    worker = undefined;
    for (const listener of listeners) listener();
    for (const { answer } of waiting.values()) answer(undefined);
    waiting.clear();
  }

  function rest(): void {
    clearTimeout(idle);
    if (waiting.size > 0 || !worker) return;
    const resting = worker;
    idle = setTimeout(() => {
      // Ending takes a moment, and what is asked meanwhile is for the next thread.
      lose(resting);
      void resting.terminate();
    }, idleMs);
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
    async embed(texts, haste, model) {
      const reply = await hold(ask({ do: 'embed', texts, haste, ...(model && { model }) }));
      if (reply?.ok === false) throw new AppError('unavailable', `The model failed: ${reply.reason}`);
      return reply?.ok === true ? reply.vectors : undefined;
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
