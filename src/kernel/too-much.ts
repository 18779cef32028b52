import { AppError } from './errors.ts';

/** Open calls and streams may end at any moment, so the wait is short. */
export const TRY_AGAIN_S = 5;

/** Refuses a caller that has too much open. `message` says what is open and how to get room. */
export function tooMuch(message: string): AppError {
  const data = { retryAfter: TRY_AGAIN_S };
  return new AppError('rate_limited', `${message} Try again in ${TRY_AGAIN_S} s.`, { data });
}
