/** Runs something on the database; what it throws becomes an AppError that names the file. */
export type Run = <T>(work: () => T | Promise<T>) => Promise<T>;
