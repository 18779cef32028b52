import type { Keywords } from './keywords/keywords.ts';

/** Exponent that penalises partial matches of a phrase. */
const PARTLY = 1.4;
/** Each further node of a phrase scores this much less, down to a minimum. */
const LATER = 0.03;
const LATEST = 0.75;

/** A word of the question. */
export interface Term {
  /** Its rarity. */
  readonly worth: number;
  /** Stems that match it, each with a factor. */
  readonly stems: ReadonlyMap<string, number>;
}

/** For each term and node: how much of our best phrase with that term the question covers, from 0 to 1. */
export function spokenOf(
  terms: readonly Term[],
  { phrases, byWord }: Keywords,
  numbers: ReadonlyMap<string, number>,
  worthOf: (stem: string) => number,
): Map<number, number>[] {
  const factors = new Map<string, number>();
  for (const { stems } of terms) {
    for (const [stem, factor] of stems) factors.set(stem, Math.max(factor, factors.get(stem) ?? 0));
  }
  const coverage = new Map<number, number>();
  return terms.map(({ stems }) => {
    const nodes = new Map<number, number>();
    for (const [stem, factor] of stems) {
      for (const index of byWord.get(stem) ?? []) {
        const phrase = phrases[index];
        if (!phrase) continue;
        let covered = coverage.get(index);
        if (covered === undefined) {
          let sum = 0;
          let all = 0;
          for (const word of phrase.words) {
            const worth = worthOf(word);
            all += worth;
            sum += worth * (factors.get(word) ?? 0);
          }
          covered = all === 0 ? 0 : (sum / all) ** PARTLY;
          coverage.set(index, covered);
        }
        const value = covered * factor;
        for (const [place, name] of phrase.nodes.entries()) {
          const number = numbers.get(name);
          if (number === undefined) continue;
          const counted = value * Math.max(LATEST, 1 - LATER * place);
          if (counted > (nodes.get(number) ?? 0)) nodes.set(number, counted);
        }
      }
    }
    return nodes;
  });
}
