import { nearestNames } from '../../kernel/nearest-names.ts';

/** A gateway has thousands of tools, and looking through them takes milliseconds: the first few mistakes get a suggestion. */
const MOST_LOOKUPS = 10;

/** The names nearest to an unknown one. */
export function createNear(names: () => readonly string[]): (wanted: string) => readonly string[] {
  const known = new Map<string, readonly string[]>();
  return (wanted) => {
    const before = known.get(wanted);
    if (before) return before;
    if (known.size >= MOST_LOOKUPS) return [];
    const near = nearestNames(wanted, names());
    known.set(wanted, near);
    return near;
  };
}
