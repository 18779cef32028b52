import { AppError, type ErrorCode } from '../../kernel/errors.ts';
import { explainsPostgres, isServerError, saidBy } from '../postgres/explain.ts';

/** What PostgreSQL's errors mean for somebody who wrote no SQL. By SQLSTATE, the first that fits. */
const readings: readonly (readonly [state: RegExp, as: ErrorCode, message: (said: string, at: string) => string])[] = [
  [
    /^57014$/,
    'timeout',
    (_, at) =>
      `${at} took too long, and the call was stopped. Narrow the filter, build an index with pgvector_create_index, or raise modules.pgvector.timeout.`,
  ],
  [/^42P01$/, 'not_found', (said) => `${said} pgvector_list_collections shows what is there.`],
  [/^23502$/, 'invalid_input', (said) => `The table needs a value that is missing: ${said} Pass it in fields.`],
  [/^428C9$/, 'invalid_input', (said) => `${said} Leave out the ids: the table makes them itself.`],
  [/^22P02$|^22P03$|^22007$|^22008$/, 'invalid_input', (said) => `A value does not fit its column: ${said}`],
  [/^22021$|^22P05$/, 'invalid_input', (said) => `A text has a character that PostgreSQL cannot keep: ${said}`],
  [/^22/, 'invalid_input', (said) => `PostgreSQL refuses a value: ${said}`],
  [/^(?:42804|42883)$/, 'invalid_input', (said) => `A value does not fit its column: ${said}`],
  [/^54/, 'unsupported', (said) => `This is more than PostgreSQL or pgvector supports: ${said}`],
];

const explainsOthers = explainsPostgres('pgvector');

export function explainPgvector(error: unknown, at: string): AppError | undefined {
  if (isServerError(error)) {
    const [, code, message] = readings.find(([state]) => state.test(error.code)) ?? [];
    if (code && message) return new AppError(code, message(saidBy(error), at), { cause: error });
  }
  return explainsOthers(error, at);
}
