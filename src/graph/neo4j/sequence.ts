import { randomBytes } from 'node:crypto';

let last = 0;
let count = 0;

/** A text that sorts after those before it: Neo4j does not remember the order in which things were created. */
export function nextSequence(): string {
  const now = Date.now();
  count = now > last ? 0 : count + 1;
  last = Math.max(last, now);
  return `${last.toString(36).padStart(9, '0')}${count.toString(36).padStart(5, '0')}${randomBytes(3).toString('hex')}`;
}
