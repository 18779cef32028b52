import type { AppError } from '../kernel/errors.ts';

/** What a caller can do about a server that is away, where the error does not say so itself. */
export function withRemedy({ code, message }: Pick<AppError, 'code' | 'message'>): string {
  if (code !== 'unavailable' || /try again/i.test(message)) return message;
  // There was a connection: the server may have begun, or even ended, what it was asked for.
  const midst = /ECONNRESET|EPIPE|hang up/.test(message) ? ' Whether the call took effect is not known.' : '';
  const bare = message.replace(/[.\s]+$/, '');
  return `${bare}.${midst} Try again in a few seconds; gateway_status shows how that server is.`;
}
