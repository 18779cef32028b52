import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../kernel/errors.ts';

/** Waits `ms`; throws if the call is cancelled meanwhile. */
export async function pause(ms: number, signal: AbortSignal): Promise<void> {
  try {
    await delay(ms, undefined, { signal });
  } catch (error) {
    throw new AppError('cancelled', 'The call was cancelled.', { cause: error });
  }
}
