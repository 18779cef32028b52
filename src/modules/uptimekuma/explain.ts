import { AppError } from '../../kernel/errors.ts';
import { HttpError } from '../http.ts';
import { tryLater } from '../rate-limited.ts';
import { shortened } from '../shown.ts';

/** The connection ended while somebody waited for an answer. */
export class Lost extends Error {
  override readonly name = 'Lost';
}

/** The WebSocket could not be opened, for a reason that is not the network. */
export class NoSocket extends Error {
  override readonly name = 'NoSocket';
}

export const MOST_BYTES = 16 * 1024 * 1024;

/** The limit of Uptime Kuma is 20 logins a minute. */
const RATE_MS = 60_000;

/** What the server says when it refuses a login. Version 2 has names for texts, 1.23 has texts. */
export function loginRefused(said: string, at: string, setting: string): AppError {
  const made = (text: string) => new AppError('unavailable', `${at} ${text}`);
  if (/too frequently/i.test(said)) return tryLater(at, RATE_MS, new Error('Too many logins'));
  if (/incorrect|authIncorrectCreds/i.test(said))
    return made(
      `refuses the username or the password. Correct ${setting}.username and ${setting}.password in sluice.yaml.`,
    );
  if (/inactive|deleted/i.test(said))
    return made(`says that the user is inactive or deleted. Use another one in ${setting} in sluice.yaml.`);
  if (/invalid ?token/i.test(said))
    return made(
      `refuses the token. It ends with a change of the password: log in again and correct ${setting}.token in sluice.yaml, or set username and password.`,
    );
  return made(`refuses the login: ${shortened(said, 200)}. Check ${setting} in sluice.yaml.`);
}

/** What the server says when it refuses a question. */
export function refused(given: string, at: string): AppError {
  const said = withoutSql(given);
  const [, column] = /has no column named (\w{1,60})/.exec(said) ?? [];
  if (column !== undefined)
    return new AppError(
      'unsupported',
      `This version of Uptime Kuma has no ${column} in its monitors. Leave it out, or update ${at}.`,
    );
  const text = shortened(said.trim() || 'it gives no reason', 500).replace(/\.$/, '');
  if (/not logged in/i.test(said))
    return new AppError('unavailable', `${at} has ended the session. Try again in a moment.`);
  if (/do not own|permission denied/i.test(said))
    return new AppError(
      'forbidden',
      `${at} says that this belongs to another user: ${text}. Use that user in the configuration.`,
    );
  return new AppError('invalid_input', `${at} refuses this: ${text}. Change it and try again.`);
}

/** An error of the database begins with the statement, which may hold secrets. */
const withoutSql = (said: string): string =>
  /^\s*(?:insert|update|select|delete)\b[^]*`/i.test(said)
    ? (/ - ((?:SQLITE_|ER_)[^`]*)$/.exec(said)?.[1] ?? 'an error of its database')
    : said;

/** Errors of the connection. What every service has in common is explained elsewhere. */
export function explain(error: unknown, at: string): AppError | undefined {
  const made = (text: string) => new AppError('unavailable', `${at} ${text}`, { cause: error });
  if (error instanceof Lost) {
    if (/max payload/i.test(error.message))
      return new AppError(
        'too_large',
        `${at} sent more than ${MOST_BYTES / 1024 / 1024} MB at once, and the connection was closed. Ask for less, such as fewer hours.`,
        { cause: error },
      );
    return made('closed the connection. Try again in a moment.');
  }
  if (error instanceof NoSocket) {
    const [, status] = /response: (\d{3})/.exec(error.message) ?? [];
    if (status === '401' || status === '403')
      return made(
        `refuses the connection (HTTP ${status}): a proxy before it wants a login. Put its user and password into modules.uptimekuma.url, or use the address of Uptime Kuma itself.`,
      );
    if (status?.startsWith('3'))
      return made('redirects to another address. Set modules.uptimekuma.url to the address of Uptime Kuma itself.');
    if (status?.startsWith('5'))
      return made(`answered with HTTP ${status}. It may be starting: try again in a moment.`);
    return made(
      `does not open a WebSocket${status === undefined ? '' : ` (HTTP ${status})`}. Check that modules.uptimekuma.url leads to Uptime Kuma, with its path if it has one, and that a proxy before it passes WebSockets on. A new Uptime Kuma answers so until its database is chosen in the browser.`,
    );
  }
  if (error instanceof HttpError) return made(`answered with HTTP ${error.status}. Check modules.uptimekuma.url.`);
  return undefined;
}
