import { Worker } from 'node:worker_threads';
import { AppError } from '../../kernel/errors.ts';
import type { ThreadReply, ThreadRequest, Work } from './messages.ts';

const script = import.meta.url.endsWith('.ts')
  ? new URL('evaluation-worker.ts', import.meta.url)
  : new URL('evaluation-worker.js', import.meta.url);

/** On a busy machine, work gets little of a processor. It is stopped after this many times its limit all the same. */
const LONGEST = 50;
const SHORTEST_MS = 20;

/** A list that grows without end fills this in about a second. The limit in time is usually reached first. */
const MOST_MB = 256;

export interface ThreadLimits {
  /** Work that needs more time of a processor is stopped. The start of the thread does not count. */
  readonly limitMs: number;
  readonly idleMs: number;
}

/** Why there is no answer. `at` is the index of the expression or input at which the work was stopped. */
export type Stopped = { readonly why: 'time' | 'memory'; readonly at: number };

interface Waiting {
  readonly work: Work;
  readonly at: Int32Array;
  readonly stopped: (stopped: Stopped) => AppError;
  resolve(value: unknown): void;
  reject(error: AppError): void;
}

export interface LimitedThread extends AsyncDisposable {
  ask(work: Work, stopped: Waiting['stopped']): Promise<unknown>;
}

/**
 * A thread whose work can be stopped. It gets one piece of work at a time, so that stopping it loses nothing else: the next
 * thread does what is waiting. It starts on first use and ends when it is idle.
 */
export function limitedThread({ limitMs, idleMs }: ThreadLimits): LimitedThread {
  const queue: Waiting[] = [];
  let current: Waiting | undefined;
  let thread: { readonly worker: Worker; ready: boolean } | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;

  function next(): void {
    clearTimeout(timer);
    if (queue.length === 0) return rest();
    thread ??= start();
    // A thread that owes an answer keeps the process alive; an idle one does not.
    thread.worker.ref();
    if (!thread.ready || current) return;
    current = queue.shift() as Waiting;
    const { work, at, reject } = current;
    try {
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread, not a window
      thread.worker.postMessage({ work, at } satisfies ThreadRequest);
    } catch {
      // Not its message: it may quote a value, and a value may be a secret.
      reject(new AppError('invalid_input', 'The values for an expression are not JSON, or are nested too deep.'));
      current = undefined;
      next();
    }
  }

  function rest(): void {
    if (!thread || current) return;
    thread.worker.unref();
    timer = setTimeout(() => void drop(), idleMs).unref();
  }

  /** Forgets the thread before it ends: the next work starts another one. */
  function drop(): Promise<number> | undefined {
    const ending = thread?.worker.terminate();
    thread = undefined;
    return ending;
  }

  function start(): NonNullable<typeof thread> {
    const worker = new Worker(script, {
      name: 'expressions',
      execArgv: [],
      env: {},
      resourceLimits: { maxOldGenerationSizeMb: MOST_MB },
    });
    const started = { worker, ready: false };
    worker.on('message', (reply: ThreadReply) => {
      if (thread === started) hear(reply, started);
    });
    const lost = (error?: unknown) => {
      if (thread !== started) return;
      thread = undefined;
      const isFull = (error as { code?: unknown } | undefined)?.code === 'ERR_WORKER_OUT_OF_MEMORY';
      const failed = () =>
        new AppError('unavailable', 'The thread that evaluates expressions stopped.', { cause: error });
      // One that does not even start would not start for the next one either.
      const asked = current ?? queue.shift();
      current = undefined;
      asked?.reject(isFull ? asked.stopped({ why: 'memory', at: Atomics.load(asked.at, 0) }) : failed());
      next();
    };
    worker.once('error', lost);
    worker.once('exit', () => lost());
    return started;
  }

  function hear(reply: ThreadReply, from: NonNullable<typeof thread>): void {
    if (reply.state === 'begun') {
      lookIn(limitMs, current, reply.cpu, performance.now());
      return;
    }
    if (reply.state === 'ready') from.ready = true;
    else {
      const asked = current;
      current = undefined;
      if (reply.state === 'done') asked?.resolve(reply.value);
      else asked?.reject(new AppError(reply.code, reply.message));
    }
    next();
  }

  function lookIn(ms: number, asked: Waiting | undefined, before: NodeJS.CpuUsage, since: number): void {
    timer = setTimeout(() => {
      const worker = thread?.worker;
      if (!worker || !asked || current !== asked) return;
      const isLast = performance.now() - since >= limitMs * LONGEST;
      worker.cpuUsage(before).then(
        ({ user, system }) => {
          if (current !== asked) return;
          const left = limitMs - (user + system) / 1000;
          if (left > 0 && !isLast) lookIn(Math.max(left, SHORTEST_MS), asked, before, since);
          else setImmediate(stop, asked);
        },
        // The thread is ending.
        () => setImmediate(stop, asked),
      );
    }, ms);
  }

  /** Called after waiting messages were heard: this thread may have been busy while the answer came. */
  function stop(late: Waiting | undefined): void {
    if (!late || current !== late) return;
    current = undefined;
    void drop();
    late.reject(late.stopped({ why: 'time', at: Atomics.load(late.at, 0) }));
    next();
  }

  return {
    ask(work, stopped) {
      if (closed) return Promise.reject(new AppError('unavailable', 'Sluice is stopping.'));
      const at = new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
      return new Promise((resolve, reject) => {
        queue.push({ work, at, stopped, resolve, reject });
        if (!current) next();
      });
    },
    async [Symbol.asyncDispose]() {
      closed = true;
      clearTimeout(timer);
      const ending = drop();
      for (const asked of [...(current ? [current] : []), ...queue.splice(0)])
        asked.reject(new AppError('unavailable', 'Sluice is stopping.'));
      current = undefined;
      await ending;
    },
  };
}
