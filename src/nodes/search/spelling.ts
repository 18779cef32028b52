import { distanceOf } from '../../kernel/nearest-names.ts';

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
    const far = begins ? allowed : distanceOf(word, candidate, least);
    // Of two as near as each other the first by the alphabet, so that every machine says the same.
    if (far < least || (far === least && best !== undefined && candidate < best)) {
      least = far;
      best = candidate;
    }
  }
  return least <= allowed ? best : undefined;
}

const sameLetters = (one: string, other: string) => one.split('').sort().join('') === other.split('').sort().join('');
