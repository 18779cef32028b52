import { AppError } from './errors.ts';
import type { Shared } from './shared.ts';

/** A process that died with the turn keeps it for less than this. */
const WAIT_MS = 25_000;

/** Runs work while no other replica runs work of this name, and returns its result. */
export async function alone<T>(
  shared: Pick<Shared, 'lead'>,
  task: string,
  work: () => Promise<T>,
  waitMs = WAIT_MS,
): Promise<T> {
  const { promise, resolve, reject } = Promise.withResolvers<T>();
  const timer = setTimeout(
    () => reject(new AppError('unavailable', `Another replica did not finish in time: ${task}. Try again.`)),
    waitMs,
  );
  await using turn = shared.lead(task, async () => {
    clearTimeout(timer);
    await work().then(resolve, reject);
  });
  void turn;
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
  }
}
