import { AppError, type ErrorCode, messageOf } from '../../kernel/errors.ts';
import { failureAt } from '../../kernel/unreachable.ts';
import { shortened } from '../shown.ts';

const SETTING = 'modules.mongodb';

/** What the driver's errors have. They are known by name: nothing here loads the driver. */
interface DriverError extends Error {
  readonly code?: number | string;
  readonly codeName?: string;
  readonly errInfo?: unknown;
  readonly keyValue?: unknown;
  readonly keyPattern?: unknown;
  readonly reason?: { readonly type?: string; readonly setName?: string | null; readonly servers?: unknown };
  readonly result?: { readonly insertedCount?: number };
  readonly writeErrors?: unknown;
  readonly errorResponse?: unknown;
}

type Reading = readonly [codes: readonly number[], as: ErrorCode, message: (at: string, error: DriverError) => string];

const said = ({ message }: Error): string => shortened(message.replace(/\/\/[^/@\s]*@/g, '//'), 400);

// https://github.com/mongodb/mongo/blob/master/src/mongo/base/error_codes.yml
const readings: readonly Reading[] = [
  [
    [18, 8000],
    'unavailable',
    (at) =>
      `${at} refuses the user or the password. Correct ${SETTING}.url; users of another database than the one in the URL need ?authSource=admin.`,
  ],
  [
    [11000, 11001, 12582],
    'conflict',
    (_, error) => `${duplicate(error)} Change the value, or update the document that has it.${partly(error)}`,
  ],
  [
    [121],
    'invalid_input',
    (_, error) => `The collection's validation refuses the document: ${brokenRule(error)}.${partly(error)}`,
  ],
  [[26, 73], 'not_found', (_, error) => `${said(error)}. mongodb_list_collections shows the names.`],
  [[27], 'not_found', (_, error) => `${said(error)}. mongodb_list_indexes shows the names.`],
  [[48], 'conflict', (_, error) => `${said(error)}. Choose another name.`],
  [
    [85, 86],
    'conflict',
    (_, error) => `${said(error)}. mongodb_list_indexes shows the index; drop it first with mongodb_drop_index.`,
  ],
  [
    [50, 262],
    'timeout',
    (at) => `${at} took too long, and the call was stopped. Narrow it, add an index, or raise ${SETTING}.timeout.`,
  ],
  [[43, 237], 'unavailable', (at) => `${at} gave up the query before all of it was read. Ask again.`],
  [
    [10107, 13435, 13436, 10058, 189],
    'unavailable',
    (at) =>
      `${at} is not the primary of its replica set, or there is none just now. Name all members and ?replicaSet=… in ${SETTING}.url, or try again after the election.`,
  ],
  [
    [91, 11600, 11602, 6, 7, 89, 9001, 317],
    'unavailable',
    (at, error) =>
      `${at} is shutting down or lost its peers (${error.codeName ?? said(error)}). Try again in a moment.`,
  ],
  [
    [76, 123],
    'unsupported',
    () => `This needs a replica set, and the server is a single one. Start it with --replSet, or do without.`,
  ],
  [
    [24, 112, 117, 244, 246, 251],
    'conflict',
    (_, error) => `Something else changed it meanwhile: ${said(error)}. Try again.`,
  ],
  [[59], 'unsupported', (at, error) => `${at} does not know this command: ${said(error)}. Its version may be too old.`],
  [
    [115, 31082, 6047401],
    'unsupported',
    (at, error) => `${at} cannot do this: ${said(error)}. It needs another version, or MongoDB Atlas.`,
  ],
  [
    [292, 16819, 16945, 96, 146],
    'invalid_input',
    (_, error) => `${said(error)}. Add an index for the sort, or narrow the filter.`,
  ],
  [[10334, 17419, 17420, 10003], 'too_large', (_, error) => `${said(error)}. A document can have 16 MB.`],
  [[166], 'invalid_input', (_, error) => `${said(error)}. Documents of this collection cannot be changed in that way.`],
];

/** Undefined for what every service has in common. */
export function explain(error: unknown, at: string): AppError | undefined {
  if (!(error instanceof Error)) return undefined;
  const made = (code: ErrorCode, message: string) => new AppError(code, message, { cause: error });
  const given = error as DriverError;
  // Inserts wrap whatever ended them, a lost connection as well.
  if (given.errorResponse instanceof Error) return explain(given.errorResponse, at);
  switch (given.name) {
    case 'MongoServerSelectionError':
      return unreachable(given, at);
    case 'MongoOperationTimeoutError':
    case 'MongoNetworkTimeoutError':
      return made(
        'timeout',
        `${at} took too long, and the call was stopped. Narrow it, add an index, or raise ${SETTING}.timeout.`,
      );
    case 'MongoParseError':
    case 'MongoMissingCredentialsError':
    case 'MongoAWSError':
    case 'MongoInvalidArgumentError':
    case 'MongoAPIError':
      // Once connected, the driver checks arguments of callers.
      return isAboutUrl(given)
        ? made('unavailable', `The connection string is not right: ${said(given)}. Correct ${SETTING}.url.`)
        : made('invalid_input', `MongoDB's driver refuses this: ${said(given)}.`);
    case 'MongoMissingDependencyError':
      return made(
        'unavailable',
        `${SETTING}.url needs a package that is not installed: ${said(given)}. Install it, or change the URL.`,
      );
    case 'BSONError':
    case 'BSONVersionError':
    case 'BSONRuntimeError':
    case 'BSONOffsetError':
      return made('invalid_input', `A value cannot be stored: ${said(given)}.`);
    case 'MongoTopologyClosedError':
    case 'MongoNotConnectedError':
    case 'MongoExpiredSessionError':
    case 'MongoServerClosedError':
      return made('unavailable', `The connection to ${at} was closed. Try again.`);
    default:
  }
  if (/^Mongo(?:Network|PoolCleared|PoolClosed)/.test(given.name))
    return failureAt(at, SETTING, given) ?? made('unavailable', `${at} closed the connection. Try again in a moment.`);
  if (!/^Mongo(?:Server|BulkWrite|WriteConcern)Error$/.test(given.name) || typeof given.code !== 'number')
    return undefined;
  if (given.code === 13) return unauthorised(given, at);
  // Said by servers that stand alone, of writes that a driver wants to repeat.
  if (given.code === 20 && /Transaction numbers/.test(given.message))
    return made('unavailable', `${at} is not a replica set. Add retryWrites=false to ${SETTING}.url.`);
  const [, code, message] = readings.find(([codes]) => codes.includes(given.code as number)) ?? [];
  if (code && message) return made(code, message(at, given));
  return made(
    'invalid_input',
    `MongoDB refused this: ${said(given)} (${given.codeName ?? given.code}).${partly(given)}`,
  );
}

const isAboutUrl = ({ name, message }: Error): boolean =>
  /Parse|Credentials|AWS/.test(name) || /URI|connection string|\bhosts?\b|option|SRV|tls/i.test(message);

/** The driver found no server for the call. Why not is in what it knows of each. */
function unreachable(error: DriverError, at: string): AppError {
  const { type, servers } = error.reason ?? {};
  const known =
    servers instanceof Map ? [...(servers as Map<string, { error?: unknown; type?: string }>).values()] : [];
  const causes = known.flatMap(({ error: cause }) => (cause ? [cause] : []));
  for (const cause of causes) {
    const found = (cause as Error).name === 'MongoServerSelectionError' ? undefined : explain(cause, at);
    if (found && found.code === 'unavailable') return new AppError('unavailable', found.message, { cause: error });
  }
  const message = (text: string) => new AppError('unavailable', `${at} ${text}`, { cause: error });
  if (type === 'ReplicaSetNoPrimary' && known.some(({ type: of }) => of === 'RSSecondary' || of === 'RSOther'))
    return message('has no primary just now. Try again after the election.');
  if (type === 'ReplicaSetNoPrimary' || /replica set|setName/i.test(messageOf(causes[0])))
    return message(
      `is not a member of the replica set that ${SETTING}.url names. Correct replicaSet in it, or leave it out.`,
    );
  return message(`does not answer. Check that it runs, and ${SETTING}.url.`);
}

function unauthorised(error: DriverError, at: string): AppError {
  if (/requires authentication|not authenticated/i.test(error.message))
    return new AppError(
      'unavailable',
      `${at} wants a user and a password. Write them into ${SETTING}.url: mongodb://user:password@host/database.`,
      { cause: error },
    );
  return new AppError('forbidden', `The user of ${SETTING}.url may not do this: ${said(error)}.`, { cause: error });
}

function duplicate(error: DriverError): string {
  const value = error.keyValue ?? firstWriteError(error)?.keyValue;
  const index = /index: (\S+)/.exec(error.message)?.[1];
  if (value === undefined && index === undefined) return `A document with the same key exists: ${said(error)}.`;
  const which = value === undefined ? '' : ` ${shortened(JSON.stringify(value), 200)}`;
  return `A document with the same key${which} exists${index === undefined ? '' : `, and the index ${index} is unique`}.`;
}

/** What a rule of a $jsonSchema or an expression said. */
function brokenRule(error: DriverError): string {
  const details = (error.errInfo ?? firstWriteError(error)?.errInfo) as { details?: unknown } | undefined;
  return details?.details === undefined ? said(error) : shortened(JSON.stringify(details.details), 800);
}

function firstWriteError({ writeErrors }: DriverError): { keyValue?: unknown; errInfo?: unknown } | undefined {
  const first: unknown = Array.isArray(writeErrors) ? writeErrors[0] : writeErrors;
  if (typeof first !== 'object' || first === null) return undefined;
  const { err } = first as { err?: object };
  return err ?? first;
}

function partly({ result }: DriverError): string {
  const inserted = result?.insertedCount;
  return inserted === undefined ? '' : ` ${inserted} documents of this call were inserted.`;
}
