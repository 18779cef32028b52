import { Worker } from 'node:worker_threads';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { storeError } from './errors.ts';
import type { EventScans } from './event-scans.ts';
import type { CallGroup, FollowedEvents, StoredEvent } from '../store.ts';

export interface ScanRequest {
  id: number;
  method: keyof EventScans;
  argument: unknown;
}

export type ScanReply = { id: number; value: unknown } | { id: number; error: { code: ErrorCode; message: string } };

interface Waiting {
  resolve(value: unknown): void;
  reject(error: AppError): void;
}

// The published package contains JavaScript.
const script = import.meta.url.endsWith('.ts')
  ? new URL('./events-worker.ts', import.meta.url)
  : new URL('./events-worker.js', import.meta.url);

/** Runs the scans in a thread with its own connection, started on first use and again after a crash. */
export function eventScansInThread(file: string): EventScans & AsyncDisposable {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let lastId = 0;
  let closed = false;

  function fail(error: AppError): void {
    for (const asker of waiting.values()) asker.reject(error);
    waiting.clear();
  }

  function start(): Worker {
    const started = new Worker(script, { name: 'store', workerData: { file }, execArgv: [], env: {} });
    started.on('message', (reply: ScanReply) => {
      const asker = waiting.get(reply.id);
      waiting.delete(reply.id);
      if (waiting.size === 0) started.unref();
      if ('value' in reply) asker?.resolve(reply.value);
      else asker?.reject(new AppError(reply.error.code, reply.error.message));
    });
    const lost = (error: AppError) => {
      if (worker !== started) return;
      worker = undefined;
      fail(error);
    };
    started.once('error', (error) => lost(storeError(file, error)));
    started.once('exit', () =>
      lost(new AppError('unavailable', `The reader thread of the store ${file} stopped. Try again.`)),
    );
    return started;
  }

  async function ask(method: keyof EventScans, argument?: unknown): Promise<unknown> {
    if (closed) throw new AppError('unavailable', `The store ${file} is closed.`);
    worker ??= start();
    // An idle thread does not keep the process alive; one that owes an answer does.
    worker.ref();
    const id = ++lastId;
    const answer = new Promise((resolve, reject) => waiting.set(id, { resolve, reject }));
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
    worker.postMessage({ id, method, argument } satisfies ScanRequest);
    return answer;
  }

  return {
    select: (selection) => ask('select', selection) as Promise<StoredEvent[]>,
    follow: (selection) => ask('follow', selection) as Promise<FollowedEvents>,
    usage: (period) => ask('usage', period) as Promise<CallGroup[]>,
    prune: (pruning) => ask('prune', pruning) as Promise<number>,
    count: () => ask('count') as Promise<number>,
    async [Symbol.asyncDispose]() {
      closed = true;
      const stopping = worker;
      worker = undefined;
      fail(new AppError('unavailable', `The store ${file} is closed.`));
      await stopping?.terminate();
    },
  };
}
