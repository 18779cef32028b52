import { hash } from 'node:crypto';

/** The same text as long as exactly these tools are held back, with these definitions. */
export const heldState = (held: ReadonlyMap<string, string>): string =>
  hash('sha256', JSON.stringify([...held].sort(([a], [b]) => (a < b ? -1 : 1)))).slice(0, 16);
