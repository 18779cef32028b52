import { AppError, messageOf } from '../../kernel/errors.ts';
import type { N8nAddress } from './answer.ts';
import { setWhere } from './set-where.ts';

/** The error for a request without an answer: cancelled, timed out or unreachable. */
export function unreached(
  { name, url, isKept }: N8nAddress,
  error: unknown,
  limit: AbortSignal,
  caller?: AbortSignal,
): AppError {
  if (caller?.aborted) return new AppError('cancelled', 'The call was cancelled.', { cause: error });
  if (limit.aborted) {
    return new AppError('timeout', `n8n (${name}, ${url}) did not answer in time. It may be busy: try again later.`, {
      cause: error,
    });
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const remedy = isKept
    ? 'Sluice restarts it. Try again in a minute; gateway_status shows its state.'
    : `Check that it runs and that ${setWhere(name, 'url')} is right.`;
  return new AppError('unavailable', `n8n (${name}, ${url}) cannot be reached: ${reasonOf(cause)}. ${remedy}`, {
    cause: error,
  });
}

/** If a host has several addresses and none answers, the error has one error per address and no message of its own. */
const reasonOf = (cause: unknown): string =>
  messageOf(cause instanceof AggregateError && cause.message === '' ? cause.errors[0] : cause);
