import { inEvent } from './harmless.ts';

const MOST_NAMED = 10;
const LONGEST_NAME = 80;

/** A foreign name quoted for a sentence: one short line. */
export const quoted = (name: string): string => `"${inEvent(name, LONGEST_NAME)}"`;

/** As many names as fit into a sentence: `a, b, 3 more`. */
export function someOf(names: readonly string[], most = MOST_NAMED): string {
  const more = names.length - most;
  return [...names.slice(0, most), ...(more > 0 ? [`${more} more`] : [])].join(', ');
}

/** `1 workflow`, `3 workflows`. */
export const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? '' : 's'}`;
