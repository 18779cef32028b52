import type { AppError } from '../kernel/errors.ts';

/** How a connection ends that there was: the server may have begun, or even ended, what it was asked for. */
const brokenOff: ReadonlySet<unknown> = new Set(['ECONNRESET', 'EPIPE']);

/** What a caller can do about a server that is away, where the error does not say so itself. */
export function withRemedy({ code, message, saysWhen, cause }: AppError): string {
  if (code !== 'unavailable' || saysWhen) return message;
  const isBroken = cause instanceof Error && brokenOff.has((cause as NodeJS.ErrnoException).code);
  const midst = isBroken ? ' Whether the call took effect is not known.' : '';
  const bare = message.replace(/[.\s]+$/, '');
  return `${bare}.${midst} Try again in a few seconds; gateway_status shows how that server is.`;
}
