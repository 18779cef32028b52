/** Runs work on the database. Errors become AppErrors that name the file. */
export type Run = <T>(work: () => T | Promise<T>) => Promise<T>;
