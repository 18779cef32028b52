/** Shorter words are too like each other. */
const SHORTEST = 4;
/** Below this a letter that is another one makes another word ("cover", "coher"). */
const SURE = 6;

/**
 * The known word that an unknown one was probably meant to be: a letter wrong, missing, too many or swapped; or its
 * beginning. The first letter is hardly ever the wrong one.
 */
export function nearestWord(word: string, known: Iterable<string>): string | undefined {
  if (word.length < SHORTEST || !/^[a-z]+$/.test(word)) return undefined;
  const allowed = word.length < 9 ? 1 : 2;
  let best: string | undefined;
  let least = allowed + 1;
  for (const candidate of known) {
    if (candidate[0] !== word[0]) continue;
    const begins = word.length >= SURE && candidate.startsWith(word);
    if (Math.abs(candidate.length - word.length) > allowed && !begins) continue;
    if (word.length < SURE && candidate.length === word.length && !sameLetters(word, candidate)) continue;
    const far = begins ? allowed : distance(word, candidate, least);
    // Of two as near as each other the first by the alphabet, so that every machine says the same.
    if (far < least || (far === least && best !== undefined && candidate < best)) {
      least = far;
      best = candidate;
    }
  }
  return least <= allowed ? best : undefined;
}

const sameLetters = (one: string, other: string) => one.split('').sort().join('') === other.split('').sort().join('');

/** How many letters differ, two swapped ones counting once; more than the limit is not told apart. */
function distance(one: string, other: string, limit: number): number {
  let before: number[] = [];
  let above = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (let i = 1; i <= one.length; i++) {
    const row = [i];
    let least = i;
    for (let j = 1; j <= other.length; j++) {
      const same = one[i - 1] === other[j - 1];
      let cost = Math.min((above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (above[j - 1] ?? 0) + (same ? 0 : 1));
      const swapped = i > 1 && j > 1 && one[i - 1] === other[j - 2] && one[i - 2] === other[j - 1];
      if (swapped) cost = Math.min(cost, (before[j - 2] ?? 0) + 1);
      row.push(cost);
      least = Math.min(least, cost);
    }
    if (least > limit) return least;
    before = above;
    above = row;
  }
  return above.at(-1) ?? 0;
}
