import { distanceOf } from '../../kernel/nearest-names.ts';

/** Shorter words are too similar to each other. */
const SHORTEST = 4;
/** In shorter words a wrong letter usually makes another word ("cover", "coher"). */
const SURE = 6;

/**
 * The most likely known word for a misspelt one: a letter is wrong, missing, extra or swapped, or only the beginning is
 * given. The first letter must match, because people rarely get it wrong.
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
    const far = begins ? allowed : distanceOf(word, candidate, least);
    // Ties go to the alphabetically first word, so that the result is deterministic.
    if (far < least || (far === least && best !== undefined && candidate < best)) {
      least = far;
      best = candidate;
    }
  }
  return least <= allowed ? best : undefined;
}

const sameLetters = (one: string, other: string) => one.split('').sort().join('') === other.split('').sort().join('');
