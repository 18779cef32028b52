import { setTimeout as delay } from 'node:timers/promises';
import { AppError } from '../../kernel/errors.ts';

/** How long to wait for a restarting n8n, to learn what it did. Shorter than the timeout of most clients. */
const RETURN_MS = 45_000;
const STEP_MS = 500;

/** Whether the answer was lost, so that the request may or may not have taken effect. */
export function isLost(error: unknown): error is AppError {
  return error instanceof AppError && ['unavailable', 'timeout', 'internal'].includes(error.code);
}

/** Repeats a request until n8n can be reached again. */
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

/** Repeats an idempotent request if its answer was lost. */
export async function insistent<T>(act: () => Promise<T>): Promise<T> {
  try {
    return await act();
  } catch (error) {
    if (!isLost(error) || error.code === 'internal') throw error;
    return onceBack(act);
  }
}
