import { AppError } from './errors.ts';

/** What is open now may end at any moment. */
export const TRY_AGAIN_S = 5;

/** Refuses a caller who has too much open. `message` says what, and how to get room. */
export function tooMuch(message: string): AppError {
  const data = { retryAfter: TRY_AGAIN_S };
  return new AppError('rate_limited', `${message} Try again in ${TRY_AGAIN_S} s.`, { data });
}
