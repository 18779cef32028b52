import { shortened } from '../shown.ts';

const MOST = 4;
const LONGEST = 250;

/** The warnings of an answer, if it has any. */
export function shownWarnings(warnings: readonly string[]): { warnings?: string[] } {
  if (warnings.length === 0) return {};
  const some = warnings.slice(0, MOST).map((text) => shortened(text, LONGEST));
  return { warnings: warnings.length > MOST ? [...some, `${warnings.length - MOST} more warnings`] : some };
}
