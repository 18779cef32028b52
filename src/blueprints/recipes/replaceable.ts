import type { Replacement } from './expression.ts';

const SHORTEST_WITHIN = 2;
const MOST_PLACES = 200;

/** Where these values occur in a text, in order and apart. Of two that begin at the same place, the longer one counts. */
export function placesOf(
  text: string,
  all: readonly { readonly value: string; readonly source: string }[],
): Replacement[] {
  const found: Replacement[] = [];
  for (const { value, source } of all) {
    if (value.length < SHORTEST_WITHIN) continue;
    // A template with many more expressions could not be filled in.
    let left = MOST_PLACES;
    for (let at = text.indexOf(value); at !== -1 && left > 0; at = text.indexOf(value, at + value.length)) {
      const end = at + value.length;
      if (isWord(text, at - 1) || isWord(text, end)) continue;
      found.push({ start: at, end, source });
      left--;
    }
  }
  found.sort((a, b) => a.start - b.start || b.end - a.end);
  const apart: Replacement[] = [];
  for (const one of found) if (one.start >= (apart.at(-1)?.end ?? 0)) apart.push(one);
  return apart;
}

/** `acme` is in `acme_orders` and `acme-1`, but not in `acmeville`. */
const isWord = (text: string, at: number): boolean => /[\p{L}\p{N}]/u.test(text.charAt(at));
