import { distanceOf } from '../../kernel/nearest-names.ts';

const SHORTEST_PREFIX = 3;
const SHORTEST_MISSPELT = 4;
/** Words of this length and more may have two typos. */
const LONG = 8;

/** The words of a sorted vocabulary with this prefix. */
export function withPrefix(vocabulary: readonly string[], prefix: string): string[] {
  if (prefix.length < SHORTEST_PREFIX) return [];
  return vocabulary.slice(placeOf(vocabulary, prefix), placeOf(vocabulary, `${prefix}\uffff`));
}

function placeOf(vocabulary: readonly string[], word: string): number {
  let low = 0;
  let high = vocabulary.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((vocabulary[middle] as string) < word) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Finds the closest words within one typo, or two in a long word. */
export function typoFinder(vocabulary: readonly string[]): (term: string) => string[] {
  const letters = Int32Array.from(vocabulary, lettersOf);
  return (term) => {
    if (term.length < SHORTEST_MISSPELT) return [];
    let allowed = term.length < LONG ? 1 : 2;
    let closest: string[] = [];
    const own = lettersOf(term);
    vocabulary.forEach((candidate, at) => {
      if (candidate.length < SHORTEST_MISSPELT - 1 || Math.abs(candidate.length - term.length) > allowed) return;
      // A typo changes at most two of the letters that occur: this check saves nearly all comparisons.
      if (bits(own ^ (letters[at] as number)) > 2 * allowed) return;
      const distance = distanceOf(term, candidate, allowed);
      if (distance > allowed) return;
      if (distance < allowed) closest = [];
      allowed = distance;
      closest.push(candidate);
    });
    return closest;
  };
}

/** The letters that occur, as a set of 32 bits. */
function lettersOf(word: string): number {
  let set = 0;
  for (let i = 0; i < word.length; i++) set |= 1 << (word.charCodeAt(i) & 31);
  return set;
}

function bits(set: number): number {
  let count = 0;
  for (let rest = set; rest !== 0; rest &= rest - 1) count++;
  return count;
}
