import { AppError, messageOf } from '../../kernel/errors.ts';
import type { N8nAddress } from './answer.ts';
import { setWhere } from './set-where.ts';

/** The connection was there, so n8n may have got the request. */
const BROKEN: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']);
const MAYBE = 'n8n may have done it nevertheless: look before you repeat it.';

/** The error for a request without an answer: cancelled, timed out or unreachable. */
export function unreached(
  { name, url, isKept }: N8nAddress,
  error: unknown,
  limit: AbortSignal,
  caller?: AbortSignal,
  /** It would be wrong to send it twice. */
  isChange = false,
): AppError {
  if (caller?.aborted) return new AppError('cancelled', 'The call was cancelled.', { cause: error });
  if (limit.aborted) {
    const advice = isChange ? MAYBE : 'It may be busy: try again later.';
    return new AppError('timeout', `n8n (${name}, ${url}) did not answer in time. ${advice}`, { cause: error });
  }
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const remedy = isKept
    ? 'Sluice restarts it. Try again in a minute; gateway_status shows its state.'
    : `Check that it runs and that ${setWhere(name, 'url')} is right.`;
  const isBroken = isChange && BROKEN.has((cause as { code?: unknown } | undefined)?.code);
  return new AppError(
    'unavailable',
    `n8n (${name}, ${url}) cannot be reached: ${reasonOf(cause)}. ${remedy}${isBroken ? ` ${MAYBE}` : ''}`,
    { cause: error },
  );
}

/** If a host has several addresses and none answers, the error has one error per address and no message of its own. */
const reasonOf = (cause: unknown): string =>
  messageOf(cause instanceof AggregateError && cause.message === '' ? cause.errors[0] : cause);
