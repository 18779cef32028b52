import { AppError } from '../../kernel/errors.ts';
import { globMatcher } from '../../kernel/glob.ts';

/** The databases and collections in reach. */
export interface Access {
  hasDatabase(database: string): boolean;
  hasCollection(database: string, collection: string): boolean;
  /** Whether every collection of a database is in reach, also one that comes tomorrow. */
  hasWhole(database: string): boolean;
  needDatabase(database: string): void;
  needCollection(database: string, collection: string): void;
  needWhole(database: string): void;
  /** Whether there is a list. Without one, everything but the server's own databases is in reach. */
  readonly isLimited: boolean;
}

/** The server keeps users, settings and its replication log there. */
const SYSTEM = new Set(['admin', 'config', 'local']);

const isSystem = (collection: string): boolean => collection.startsWith('system.');

/** `setting` is the list's place in the file. Its globs are `database` or `database.collection`. */
export function accessTo(globs: readonly string[] | undefined, setting: string): Access {
  const rules = (globs ?? ['*']).map((glob) => {
    // The name of a database has no dot; that of a collection may have several.
    const dot = glob.indexOf('.');
    const [database, collection] = dot === -1 ? [glob, '*'] : [glob.slice(0, dot), glob.slice(dot + 1)];
    return {
      isWhole: collection === '*',
      database: globMatcher([database]),
      collection: globMatcher([collection]),
    };
  });
  const hasDatabase = (name: string) => !SYSTEM.has(name) && rules.some((rule) => rule.database(name));
  const hasWhole = (name: string) => !SYSTEM.has(name) && rules.some((rule) => rule.isWhole && rule.database(name));
  const hasCollection = (database: string, name: string) =>
    !SYSTEM.has(database) && !isSystem(name) && rules.some((rule) => rule.database(database) && rule.collection(name));
  const list = globs?.join(', ');
  const outside = (what: string) =>
    new AppError('forbidden', `${what} is out of reach: ${setting} in sluice.yaml allows ${list}.`);
  function needDatabase(name: string): void {
    if (!validDatabase(name))
      throw new AppError('invalid_input', `${JSON.stringify(name.slice(0, 100))} cannot be the name of a database.`);
    if (SYSTEM.has(name))
      throw new AppError(
        'forbidden',
        `The database ${name} belongs to the server and is out of reach. mongodb_list_databases shows the others.`,
      );
    if (!hasDatabase(name)) throw outside(`The database ${name}`);
  }
  return {
    isLimited: globs !== undefined,
    hasDatabase,
    hasCollection,
    hasWhole,
    needDatabase,
    needCollection(database, name) {
      needDatabase(database);
      if (!validCollection(name))
        throw new AppError(
          'invalid_input',
          `${JSON.stringify(name.slice(0, 100))} cannot be the name of a collection.`,
        );
      if (isSystem(name))
        throw new AppError('forbidden', `The collection ${name} belongs to the server and is out of reach.`);
      if (!hasCollection(database, name)) throw outside(`The collection ${database}.${name}`);
    },
    needWhole(name) {
      needDatabase(name);
      if (!hasWhole(name)) throw outside(`The database ${name} as a whole`);
    },
  };
}

// https://www.mongodb.com/docs/manual/reference/limits/#naming-restrictions
const validDatabase = (name: string): boolean => /^[^/\\. "$*<>:|?]{1,63}$/.test(name) && !name.includes('\0');
const validCollection = (name: string): boolean =>
  name !== '' && name.length <= 255 && !/[$]|^\.|\.$|\.\./.test(name) && !name.includes('\0');
