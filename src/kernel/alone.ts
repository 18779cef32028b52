import { AppError } from './errors.ts';
import type { Shared } from './shared.ts';

const WAIT_MS = 60_000;

/**
 * Runs work once, while no other replica runs work of this name. `lost` is aborted if the right to it is lost. The signal
 * ends the wait for other replicas, not the work.
 */
export async function alone<T>(
  shared: Pick<Shared, 'lead'>,
  task: string,
  work: (lost: AbortSignal) => Promise<T>,
  { waitMs = WAIT_MS, signal }: { waitMs?: number; signal?: AbortSignal } = {},
): Promise<T> {
  signal?.throwIfAborted();
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let begun = false;
  const lead = shared.lead(task, async (lost) => {
    if (begun) return;
    begun = true;
    await work(lost).then(resolve, reject);
  });
  const giveUp = (reason: unknown) => {
    if (begun) return;
    begun = true;
    reject(reason);
  };
  const timer = setTimeout(() => {
    const message = `Another replica is busy with this (${task}), or the store cannot be reached. Try again in a minute.`;
    giveUp(new AppError('unavailable', message));
  }, waitMs).unref();
  const stop = () => giveUp(signal?.reason);
  signal?.addEventListener('abort', stop);
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    await lead[Symbol.asyncDispose]();
  }
}
