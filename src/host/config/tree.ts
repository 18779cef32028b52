/** A map from the file, not checked yet. */
export type Tree = Record<string, unknown>;

export function isTree(value: unknown): value is Tree {
  return value !== null && typeof value === 'object' && !Array.isArray(value);
}
