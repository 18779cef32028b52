import { didYouMean, distanceOf, fold, inQuotes, nearestNames } from '../../kernel/nearest-names.ts';

/** The name that was clearly meant: one or two typos away, and no other as near. */
export function meant(given: string, names: Iterable<string>): string | undefined {
  const [first, second] = nearestNames(given, names, 2);
  if (first === undefined) return undefined;
  const slips = distanceOf(fold(given), fold(first));
  if (slips > (given.length <= 4 ? 1 : 2)) return undefined;
  return second !== undefined && distanceOf(fold(given), fold(second)) === slips ? undefined : first;
}

/** `Did you mean "a" or "b"?`, or nothing. */
export function choiceMeant(given: string, names: Iterable<string>): string {
  const target = fold(given);
  const near = nearestNames(given, names).filter(
    (name) => fold(name).startsWith(target) || distanceOf(target, fold(name)) <= Math.max(2, given.length / 3),
  );
  return didYouMean(inQuotes(near));
}

/** Whether one name contains all words of the other: `method` and `httpMethod`, `requestMethod` and `method`. */
export function sharesWords(one: string, other: string): boolean {
  const [fewer, more] = [wordsOf(one), wordsOf(other)].sort((left, right) => left.length - right.length);
  return fewer !== undefined && fewer.length > 0 && fewer.every((word) => more?.includes(word));
}

function wordsOf(name: string): string[] {
  return name
    .slice(0, 100)
    .split(/(?=[A-Z])|[_\s-]+/)
    .map((word) => word.toLowerCase())
    .filter((word) => word !== '');
}
