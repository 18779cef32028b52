import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { storeError } from './errors.ts';

export interface ThreadRequest {
  readonly id: number;
  readonly method: string;
  readonly argument: unknown;
}

export type ThreadReply =
  | { readonly id: number; readonly value: unknown }
  | { readonly id: number; readonly error: { readonly code: ErrorCode; readonly message: string } };

interface Waiting {
  resolve(value: unknown): void;
  reject(error: AppError): void;
}

export interface StoreThread<Method extends string> extends AsyncDisposable {
  ask(method: Method, argument?: unknown): Promise<unknown>;
}

/** A thread holds about 10 MB, so it ends after this time without a question. */
const IDLE_MS = 2 * 60_000;
/**
 * Has a thread with its own connection answer. It starts on first use, again after a crash, and ends when it is idle.
 * A store that closes lets it finish for `closingMs`.
 */
export function storeThread<Method extends string>(
  file: string,
  script: URL,
  { idleMs = IDLE_MS, closingMs = 0 }: { readonly idleMs?: number; readonly closingMs?: number } = {},
): StoreThread<Method> {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let idle: NodeJS.Timeout | undefined;
  let lastId = 0;
  let closed = false;
  let drained: (() => void) | undefined;

  function fail(error: AppError): void {
    for (const asker of waiting.values()) asker.reject(error);
    waiting.clear();
    drained?.();
  }

  function rest(of: Worker): void {
    if (waiting.size > 0) return;
    // An idle thread does not keep the process alive; one that owes an answer does.
    of.unref();
    drained?.();
    clearTimeout(idle);
    idle = setTimeout(() => end(of), idleMs).unref();
  }

  /** Forgets the thread before it ends: the next question starts another one. */
  function end(ending: Worker): void {
    if (worker === ending) worker = undefined;
    void ending.terminate();
  }

  function start(): Worker {
    const started = new Worker(script, { name: 'store', workerData: { file }, execArgv: [], env: {} });
    started.on('message', (reply: ThreadReply) => {
      const asker = waiting.get(reply.id);
      waiting.delete(reply.id);
      if ('value' in reply) asker?.resolve(reply.value);
      else asker?.reject(new AppError(reply.error.code, reply.error.message));
      rest(started);
    });
    const lost = (error: AppError) => {
      if (worker !== started) return;
      worker = undefined;
      fail(error);
    };
    started.once('error', (error) => lost(storeError(file, error)));
    started.once('exit', () => lost(new AppError('unavailable', `A thread of the store ${file} stopped. Try again.`)));
    return started;
  }

  return {
    async ask(method, argument) {
      if (closed) throw new AppError('unavailable', `The store ${file} is closed.`);
      worker ??= start();
      worker.ref();
      clearTimeout(idle);
      const id = ++lastId;
      const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      worker.postMessage({ id, method, argument } satisfies ThreadRequest);
      return answer;
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(idle);
      const stopping = worker;
      if (stopping && waiting.size > 0 && closingMs > 0) {
        const done = Promise.withResolvers<void>();
        drained = done.resolve;
        const timer = setTimeout(done.resolve, closingMs);
        await done.promise;
        clearTimeout(timer);
      }
      worker = undefined;
      fail(new AppError('unavailable', `The store ${file} is closed.`));
      await stopping?.terminate();
    },
  };
}
