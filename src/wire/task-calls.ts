import { isObject, type Id } from './jsonrpc.ts';

const KEPT = 1000;
const LONGEST_MS = 24 * 3_600_000;
const over: ReadonlySet<unknown> = new Set(['completed', 'failed', 'cancelled']);

/** Whether a task with this status has ended. */
export const isOver = (status: unknown): boolean => over.has(status);

interface TaskCall<T> {
  readonly task: string;
  readonly call: T;
  readonly until: number;
}

/** Calls that were answered with a 2025 task. Until it ends, the task reports under the call's progress token. */
export class TaskCalls<T> {
  readonly #calls = new Map<unknown, TaskCall<T>>();

  get size(): number {
    return this.#calls.size;
  }

  /** Keeps the call if its result announces a running task. */
  answered(id: Id, result: unknown, call: T): void {
    const task = isObject(result) && isObject(result.task) ? result.task : undefined;
    if (typeof task?.taskId !== 'string' || isOver(task.status)) return;
    const ttl = typeof task.ttl === 'number' && task.ttl >= 0 ? Math.min(task.ttl, LONGEST_MS) : LONGEST_MS;
    this.#calls.set(id, { task: task.taskId, call, until: Date.now() + ttl });
    for (const oldest of this.#calls.keys()) {
      if (this.#calls.size <= KEPT) break;
      this.#calls.delete(oldest);
    }
  }

  find(token: unknown): TaskCall<T> | undefined {
    return this.#calls.get(token);
  }

  ended(task: unknown): void {
    for (const [id, known] of this.#calls) if (known.task === task) this.#calls.delete(id);
  }

  sweep(now: number): void {
    for (const [id, { until }] of this.#calls) if (until <= now) this.#calls.delete(id);
  }
}
