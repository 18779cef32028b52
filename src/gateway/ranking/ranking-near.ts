const SHORTEST_PREFIX = 3;
const SHORTEST_MISSPELT = 4;
/** From here on a word may have two slips. */
const LONG = 8;

/** The words of a sorted vocabulary that begin so. */
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

/** Finds the closest words within one slip, or two in a long word. */
export function typoFinder(vocabulary: readonly string[]): (term: string) => string[] {
  const letters = Int32Array.from(vocabulary, lettersOf);
  return (term) => {
    if (term.length < SHORTEST_MISSPELT) return [];
    let allowed = term.length < LONG ? 1 : 2;
    let closest: string[] = [];
    const own = lettersOf(term);
    vocabulary.forEach((candidate, at) => {
      if (candidate.length < SHORTEST_MISSPELT - 1 || Math.abs(candidate.length - term.length) > allowed) return;
      // A slip changes at most two of the letters that occur: this spares nearly all of the comparisons.
      if (bits(own ^ (letters[at] as number)) > 2 * allowed) return;
      const distance = slips(term, candidate, allowed);
      if (distance > allowed) return;
      if (distance < allowed) closest = [];
      allowed = distance;
      closest.push(candidate);
    });
    return closest;
  };
}

/** Which letters occur, as a set of 32 bits. */
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

/** Insertions, deletions, changes and swaps of neighbours that part two words; more than `most` once that is sure. */
function slips(a: string, b: string, most: number): number {
  let beforeLast: number[] = [];
  let last = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= b.length; j++) {
      const same = a[i - 1] === b[j - 1];
      let cost = Math.min(
        (last[j] as number) + 1,
        (row[j - 1] as number) + 1,
        (last[j - 1] as number) + (same ? 0 : 1),
      );
      if (i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]) {
        cost = Math.min(cost, (beforeLast[j - 2] as number) + 1);
      }
      row.push(cost);
      least = Math.min(least, cost);
    }
    // A swap reaches back two rows, so the row before must be hopeless too.
    if (least > most && Math.min(...last) > most) return least;
    beforeLast = last;
    last = row;
  }
  return last[b.length] as number;
}
