import { AppError } from './errors.ts';
import type { Shared } from './shared.ts';

const WAIT_MS = 60_000;

/** Runs work once, while no other replica runs work of this name. `lost` is aborted if the right to it is lost. */
export async function alone<T>(
  shared: Pick<Shared, 'lead'>,
  task: string,
  work: (lost: AbortSignal) => Promise<T>,
  waitMs = WAIT_MS,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  let begun = false;
  const lead = shared.lead(task, async (lost) => {
    if (begun) return;
    begun = true;
    await work(lost).then(resolve, reject);
  });
  const timer = setTimeout(() => {
    if (begun) return;
    begun = true;
    const message = `Another replica is busy with this (${task}), or the store cannot be reached. Try again in a minute.`;
    reject(new AppError('unavailable', message));
  }, waitMs).unref();
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    await lead[Symbol.asyncDispose]();
  }
}
