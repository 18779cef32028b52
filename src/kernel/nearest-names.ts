/** Some clients treat names as equal that differ only in case or in `_` and `-`. */
export const fold = (name: string): string => name.toLowerCase().replaceAll('_', '-');

const LONGEST_SHOWN = 100;
/** Changing two letters of a shorter name gives an unrelated name. */
const SHORT = 4;
const SHORTEST_BEGINNING = 3;

/** A name from a request, shortened for an error. */
export const shown = (name: string, longest = LONGEST_SHOWN): string =>
  name.length > longest ? `${name.slice(0, longest)}…` : name;

/** The names nearest to an unknown one: it is misspelled (`prot`), or part of them (`mcp` for `mcpServers`). */
export function nearestNames(wanted: string, names: Iterable<string>, count = 3): string[] {
  // A long text is not a typo, and the comparison costs the product of both lengths.
  if (wanted.length > LONGEST_SHOWN) return [];
  const target = fold(wanted);
  const allowed = Math.max(target.length < SHORT ? 1 : 2, target.length / 3);
  return [...new Set(names)]
    .map((name) => ({ name, known: fold(name), distance: distanceOf(target, fold(name)) }))
    .filter(({ known, distance }) => distance <= allowed || known.includes(target))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

/** The name that was probably meant, even if only by its beginning: `host` for `hostname`. */
export function nearestName(wanted: string, names: readonly string[]): string | undefined {
  const begins = (name: string) => name.length >= SHORTEST_BEGINNING && fold(wanted).startsWith(fold(name));
  return nearestNames(wanted, names, 1)[0] ?? names.find(begins);
}

/** Edit distance with swaps of neighbors. Returns more than `most` as soon as that is certain. */
export function distanceOf(a: string, b: string, most = Infinity): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      let cost = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1])
        cost = Math.min(cost, (beforeLast[j - 2] as number) + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    // A swap reaches back two rows, so the previous row must be too far off as well.
    if (least > most && Math.min(...last) > most) return least;
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}

/** `Did you mean a, b or c?`, or `otherwise` if no name is near. */
export function didYouMean(near: readonly string[], otherwise = ''): string {
  return near.length === 0 ? otherwise : `Did you mean ${oneOf(near)}?`;
}

/** `a, b or c` */
export function oneOf(words: readonly string[]): string {
  return words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} or ${words.at(-1)}`;
}

/** Quotes names for a sentence in which they could be mistaken for its own words. Skips undefined ones. */
export const inQuotes = (names: readonly (string | undefined)[]): string[] =>
  names.flatMap((name) => (name === undefined ? [] : `"${name}"`));

/** Joins sentences, skipping empty ones. */
export const sentences = (...all: readonly string[]): string => all.filter((one) => one !== '').join(' ');
