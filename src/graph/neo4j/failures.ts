import { Neo4jError } from 'neo4j-driver';
import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { isTooLong } from '../../kernel/message-limit.ts';

/** Thrown inside a transaction whose work has to start over, because somebody else was faster. */
export class Overtaken extends Error {}

/** Neo4j could not be reached, or the connection ended. */
export const isLost = (error: unknown): boolean =>
  error instanceof Neo4jError && (error.code === 'ServiceUnavailable' || error.code === 'SessionExpired');

/** Another try may succeed: a deadlock, a change of leader. */
export const isTransient = (error: unknown): boolean =>
  error instanceof Overtaken || (error instanceof Neo4jError && !isLost(error) && error.retriable);

type Reading = readonly [code: RegExp, as: ErrorCode, message: (where: string, said: string) => string];

const readings: readonly Reading[] = [
  [
    /^(ServiceUnavailable|SessionExpired|N\/A)$/,
    'unavailable',
    (where) =>
      `Neo4j at ${where} does not answer. Start it, or correct graph.neo4j in sluice.yaml; without graph.neo4j Sluice keeps the graph in its own store.`,
  ],
  [
    /Security\.(Unauthorized|AuthenticationRateLimit|CredentialsExpired|TokenExpired)/,
    'unavailable',
    (where) => `Neo4j at ${where} refuses the user or the password. Correct them in graph.neo4j in sluice.yaml.`,
  ],
  [
    /Database\.DatabaseNotFound/,
    'unavailable',
    (where) => `Neo4j at ${where} does not have this database. Correct graph.neo4j.database in sluice.yaml.`,
  ],
  [
    /Statement\.AccessMode/,
    'invalid_input',
    () => 'This statement writes, and graph_query only reads. Nothing was changed. Use graph_write.',
  ],
  [/TransactionTimedOut|Transaction\.LockClientStopped|Transaction\.Terminated/, 'timeout', tookTooLong],
  [
    /Security\.Forbidden/,
    'forbidden',
    (where, said) => `Neo4j at ${where} does not allow this user to do that: ${said}`,
  ],
  [
    /Schema\.Constraint/,
    'conflict',
    (_, said) => `A constraint in Neo4j forbids this, so nothing was changed: ${said}`,
  ],
  [/^Neo\.ClientError\./, 'invalid_input', (_, said) => `Neo4j refused the statement: ${said}`],
  [/^Neo\.TransientError\./, 'unavailable', (where, said) => `Neo4j at ${where} is too busy: ${said} Try again.`],
];

export function tookTooLong(where: string): string {
  return `Neo4j at ${where} took too long, and the call was stopped. Narrow it, with LIMIT for example, or allow more time.`;
}

/** What went wrong, for whoever can act on it. Errors of others pass unchanged. */
export function failureAt(where: string, error: unknown): unknown {
  if (error instanceof Overtaken)
    return new AppError('conflict', 'Others keep changing the same entities. Nothing was changed. Try again.');
  if (isTooLong(error))
    return new AppError(
      'too_large',
      `Neo4j at ${where} answered with a message of more than 16 MB, and the connection was closed. Return less: fewer or shorter properties, or parts of a list or text.`,
      { cause: error },
    );
  if (!(error instanceof Neo4jError)) return error;
  const [, code, message] = readings.find(([pattern]) => pattern.test(error.code)) ?? [];
  if (!code || !message)
    return new AppError('internal', `Neo4j at ${where} failed: ${error.message}`, { cause: error });
  return new AppError(code, message(where, error.message), { cause: error });
}
