import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../kernel/errors.ts';

/** How long a restarting n8n is waited for, to learn what it had done: less than most clients wait for us. */
const RETURN_MS = 45_000;
const STEP_MS = 500;

/** Whether an answer went missing, so that what was asked for may have been done or not. */
export function isLost(error: unknown): error is AppError {
  return error instanceof AppError && ['unavailable', 'timeout', 'internal'].includes(error.code);
}

/** Asks until n8n is there again. */
export async function onceBack<T>(ask: () => Promise<T>): Promise<T> {
  for (const until = Date.now() + RETURN_MS; ; ) {
    try {
      return await ask();
    } catch (error) {
      if (!(error instanceof AppError) || !error.retryable || Date.now() > until) throw error;
    }
    await delay(STEP_MS);
  }
}

/** What may be done twice is done again when its answer was lost. */
export async function insistent<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!isLost(error) || error.code === 'internal') throw error;
    return onceBack(act);
  }
}
