import type { AppError } from '../kernel/errors.ts';

const UNKNOWN = 'It is unknown whether the call took effect.';

/** Errors of a connection that was open: the server may have begun, or even finished, the call. */
const brokenOff: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

/** What a proxy answers if the server behind it fails: it may have begun the call too. */
const badGateway: ReadonlySet<unknown> = new Set([502, 503, 504]);

/**
 * Adds what to do about a server that is away, unless the error already says it. `broke`: the connection ended during
 * the call.
 */
export function withRemedy({ code, message, saysWhen, cause, data }: AppError, broke = false): string {
  if (code !== 'unavailable' || saysWhen) return message;
  const isReset = cause instanceof Error && brokenOff.has((cause as NodeJS.ErrnoException).code);
  const isBroken = data?.notExecuted !== true && (broke || isReset || badGateway.has(data?.status));
  const midst = isBroken && !message.includes(UNKNOWN) ? ` ${UNKNOWN}` : '';
  const bare = message.replace(/[.\s]+$/, '');
  return `${bare}.${midst} Try again in a few seconds; gateway_status shows the state of the server.`;
}
