/**
 * Looks up a name that comes from outside. A tool, node or server may be called `constructor`, so inherited properties
 * do not count.
 */
export function own<T>(record: Readonly<Record<string, T>>, key: string): T | undefined {
  return Object.hasOwn(record, key) ? record[key] : undefined;
}
