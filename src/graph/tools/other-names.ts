import { z } from 'zod';

type Tree = Readonly<Record<string, unknown>>;
const isTree = (given: unknown): given is Tree => typeof given === 'object' && given !== null && !Array.isArray(given);

/** Reads an object whose keys may have other names: those of server-memory, above all. The first name wins. */
export const orCalled = <T extends z.ZodType>(others: Readonly<Record<string, string>>, type: T) =>
  z.preprocess((given) => {
    if (!isTree(given)) return given;
    const names = new Map(Object.entries(others));
    const renamed = Object.entries(given).filter(([key]) => names.has(key));
    if (renamed.length === 0) return given;
    const rest = Object.entries(given).filter(([key]) => !names.has(key));
    return Object.fromEntries([...renamed.map(([key, value]) => [names.get(key) as string, value] as const), ...rest]);
  }, type);

/** Reads a single item where a list is expected. */
export const orOne = <T extends z.ZodType>(type: z.ZodArray<T>) =>
  z.preprocess((given) => (typeof given === 'string' || isTree(given) ? [given] : given), type);

/** Another name for the type of an entity or of a relation. */
export const entityNames = { entityType: 'type', entity_type: 'type' };
export const relationNames = { relationType: 'type', relation_type: 'type' };
