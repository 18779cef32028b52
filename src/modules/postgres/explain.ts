import { AppError, type ErrorCode, messageOf } from '../../kernel/errors.ts';
import { shortened } from '../shown.ts';

/** What pg's errors have, if the server sent them. */
interface ServerError {
  readonly code: string;
  readonly message: string;
  readonly detail?: string;
  readonly hint?: string;
}

type Reading = readonly [state: RegExp, as: ErrorCode, message: (at: string, said: string, setting: string) => string];

/** By SQLSTATE, the first that fits. */
const readings: readonly Reading[] = [
  [
    /^28/,
    'unavailable',
    (at, _, setting) => `${at} refuses the user or the password. Correct ${setting}.url in sluice.yaml.`,
  ],
  [
    /^3D000$/,
    'unavailable',
    (at, said, setting) => `${at} does not have this database: ${said} Correct ${setting}.url in sluice.yaml.`,
  ],
  [/^53300$/, 'unavailable', (at) => `${at} has no connection left. Close some, or raise its max_connections.`],
  [/^57P0[1-5]$/, 'unavailable', (at) => `${at} is starting or stopping. Try again in a moment.`],
  [/^08/, 'unavailable', (at, said) => `${at} lost the connection: ${said} Try again in a moment.`],
  [/^53/, 'unavailable', (at, said) => `${at} is out of resources: ${said}`],
  [
    /^57014$/,
    'timeout',
    (at, _, setting) =>
      `${at} took too long, and the statement was stopped. Narrow it with WHERE or LIMIT, or raise ${setting}.timeout.`,
  ],
  [/^42501$/, 'forbidden', (at, said) => `The user of ${at} may not do this: ${said}`],
  [/^25006$/, 'forbidden', (_, said) => `This would change something, and only reading is allowed: ${said}`],
  [/^(?:42P01|3F000|42704)$/, 'not_found', (_, said) => `${said} postgres_list_tables shows what is there.`],
  [/^42703$/, 'invalid_input', (_, said) => `${said} postgres_describe_table shows the columns.`],
  [/^(?:23|2BP01|42P07|42710|42P06|42701|55)/, 'conflict', (_, said) => `PostgreSQL refuses this: ${said}`],
  [/^40/, 'conflict', (_, said) => `Another transaction was in the way, and nothing was changed: ${said} Try again.`],
  [/^0A/, 'unsupported', (_, said) => `PostgreSQL does not support this: ${said}`],
  [/^[0-9A-Z]{5}$/, 'invalid_input', (_, said) => `PostgreSQL refused the statement: ${said}`],
];

/** Errors of the driver that have no code. */
const lost =
  /Connection terminated|not queryable|Connection ended|connection timeout|timeout exceeded|timeout expired/i;

/** For `modules.<module>`: also of modules that are built on PostgreSQL. */
export const explainsPostgres =
  (module: string) =>
  (error: unknown, at: string): AppError | undefined => {
    const setting = `modules.${module}`;
    if (isServerError(error)) {
      const [, code, message] = readings.find(([state]) => state.test(error.code)) ?? [];
      return code && message && new AppError(code, message(at, saidBy(error), setting), { cause: error });
    }
    const text = messageOf(error);
    if (lost.test(text))
      return new AppError('unavailable', `${at} does not answer, or closed the connection. Try again in a moment.`, {
        cause: error,
      });
    if (/does not support SSL/i.test(text))
      return new AppError('unavailable', `${at} does not speak TLS. Remove ca, cert and key from ${setting}.`, {
        cause: error,
      });
    if (/password must be a|SASL/i.test(text))
      return new AppError(
        'unavailable',
        `${at} wants a password that it did not get. Add the user and the password to ${setting}.url in sluice.yaml.`,
        { cause: error },
      );
    return undefined;
  };

/** Errors of sockets have codes, too, such as EPIPE; those are not the server's. */
export const isServerError = (error: unknown): error is ServerError =>
  error instanceof Error &&
  /^[0-9A-Z]{5}$/.test(String((error as { code?: unknown }).code)) &&
  'severity' in error &&
  error.severity !== undefined;

/** A value can be part of it, however long it is. */
const LONGEST_SAID = 1000;

/** What the server said, with its detail and hint, as sentences. */
export function saidBy({ message, detail, hint }: ServerError): string {
  return [message, detail, hint]
    .filter((part) => part !== undefined && part !== '')
    .map((part) => sentence(shortened(part as string, LONGEST_SAID)))
    .join(' ');
}

const sentence = (text: string): string => (/[.!?]$/.test(text) ? text : `${text}.`);
