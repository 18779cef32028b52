/** Names that differ only in case or in `_` and `-` are one name to some clients. */
export const fold = (name: string): string => name.toLowerCase().replaceAll('_', '-');

const LONGEST_SHOWN = 100;

/** A name out of a request, as an error shows it. */
export const shown = (name: string, longest = LONGEST_SHOWN): string =>
  name.length > longest ? `${name.slice(0, longest)}…` : name;

/** The names nearest to one that does not exist. */
export function nearestNames(wanted: string, names: Iterable<string>, count = 3): string[] {
  // Nobody mistypes a name into a page of text, and comparing one costs the product of the lengths.
  if (wanted.length > LONGEST_SHOWN) return [];
  const target = fold(wanted);
  return [...new Set(names)]
    .map((name) => ({ name, distance: distanceOf(target, fold(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(2, wanted.length / 3) || fold(name).includes(target))
    .sort((a, b) => a.distance - b.distance || (a.name < b.name ? -1 : 1))
    .slice(0, count)
    .map(({ name }) => name);
}

/** How many letters must be added, dropped or changed. */
export function distanceOf(a: string, b: string): number {
  let previous = Array.from({ length: b.length + 1 }, (_, index) => index);
  for (let i = 1; i <= a.length; i++) {
    const current = [i];
    for (let j = 1; j <= b.length; j++) {
      const substitution = (previous[j - 1] as number) + (a[i - 1] === b[j - 1] ? 0 : 1);
      current[j] = Math.min((previous[j] as number) + 1, (current[j - 1] as number) + 1, substitution);
    }
    previous = current;
  }
  return previous[b.length] as number;
}
