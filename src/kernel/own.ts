/**
 * The value under a name that comes from outside. A tool, a node or a server may be called `constructor`: what an object
 * merely inherits is not there.
 */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
