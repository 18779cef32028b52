import type { AppError } from '../kernel/errors.ts';

/** Errors of a connection that was open: the server may have begun, or even finished, the call. */
const brokenOff: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

/** Adds what to do about a server that is away, unless the error already says it. */
export function withRemedy({ code, message, saysWhen, cause }: AppError): string {
  if (code !== 'unavailable' || saysWhen) return message;
  const isBroken = cause instanceof Error && brokenOff.has((cause as NodeJS.ErrnoException).code);
  const midst = isBroken ? ' It is unknown whether the call took effect.' : '';
  const bare = message.replace(/[.\s]+$/, '');
  return `${bare}.${midst} Try again in a few seconds; gateway_status shows the state of the server.`;
}
