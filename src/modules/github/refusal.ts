import { AppError } from '../../kernel/errors.ts';
import { HttpError } from '../http.ts';

/** What GitHub answered, of an error that the connection explained. */
export const refusalIn = (error: unknown): HttpError | undefined =>
  error instanceof AppError && error.cause instanceof HttpError ? error.cause : undefined;

/** Does the work, and explains a refusal better than its status alone does. `words` returns undefined for others. */
export async function orSay<T>(work: Promise<T>, words: (refusal: HttpError) => AppError | undefined): Promise<T> {
  try {
    return await work;
  } catch (error) {
    const refusal = refusalIn(error);
    throw (refusal && words(refusal)) ?? error;
  }
}
