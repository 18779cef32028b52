/** A map as it stands in the file, before anything is known of it. */
export type Tree = Record<string, unknown>;

export function isTree(value: unknown): value is Tree {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
