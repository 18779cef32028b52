import { typoFinder, withPrefix } from './ranking-near.ts';
import { queryTerms, tokenize } from './ranking-terms.ts';

/** What is searched, each text with what a word in it is worth: a name says more than a description. */
export interface RankedDocument {
  id: string;
  fields: readonly { text: string; weight: number }[];
}

export interface RankingIndex {
  /** The best first; equals in the order of their ids. */
  search(query: string, limit: number): { id: string; score: number }[];
}

/** How fast a repeated word stops to count, and how much a long text is held against its words (BM25). */
const K1 = 1.2;
const B = 0.5;
/** A word that only begins alike, or is misspelt, says less than the word itself. */
const PREFIX_WORTH = 0.6;
const TYPO_WORTH = 0.4;

interface Posting {
  documents: number[];
  frequencies: number[];
}

/** An index for BM25 over weighted fields. Pure; `find_tools` ranks with it. */
export function buildIndex(documents: readonly RankedDocument[]): RankingIndex {
  const postings = new Map<string, Posting>();
  const lengths = new Float64Array(documents.length);
  documents.forEach((document, at) => {
    for (const { text, weight } of document.fields) {
      for (const term of tokenize(text)) {
        lengths[at] = (lengths[at] ?? 0) + weight;
        addTo(postings, term, at, weight);
      }
    }
  });
  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(documents.length, 1);
  const damping = lengths.map((length) => K1 * (1 - B + (B * length) / (average || 1)));
  const vocabulary = [...postings.keys()].sort();
  const withTypo = typoFinder(vocabulary);

  function addScores(scores: Map<number, number>, term: string, worth: number): void {
    const { documents: found, frequencies } = postings.get(term) as Posting;
    const rarity = Math.log(1 + (documents.length - found.length + 0.5) / (found.length + 0.5));
    found.forEach((at, i) => {
      const frequency = frequencies[i] as number;
      const score = (worth * rarity * frequency * (K1 + 1)) / (frequency + (damping[at] as number));
      scores.set(at, (scores.get(at) ?? 0) + score);
    });
  }

  /** Several words may stand in for one that is unknown: each document gets the best of them, not their sum. */
  function addBest(scores: Map<number, number>, terms: readonly string[], worth: number): void {
    const best = new Map<number, number>();
    for (const term of terms) {
      const own = new Map<number, number>();
      addScores(own, term, worth);
      for (const [at, score] of own) best.set(at, Math.max(score, best.get(at) ?? 0));
    }
    for (const [at, score] of best) scores.set(at, (scores.get(at) ?? 0) + score);
  }

  return {
    search(query, limit) {
      const scores = new Map<number, number>();
      for (const term of queryTerms(query)) {
        if (postings.has(term)) {
          addScores(scores, term, 1);
          continue;
        }
        const longer = withPrefix(vocabulary, term);
        if (longer.length > 0) addBest(scores, longer, PREFIX_WORTH);
        else addBest(scores, withTypo(term), TYPO_WORTH);
      }
      return [...scores]
        .map(([at, score]) => ({ id: (documents[at] as RankedDocument).id, score }))
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, Math.max(limit, 0));
    },
  };
}

function addTo(postings: Map<string, Posting>, term: string, at: number, weight: number): void {
  const posting = postings.get(term);
  if (!posting) {
    postings.set(term, { documents: [at], frequencies: [weight] });
    return;
  }
  const last = posting.documents.length - 1;
  if (posting.documents[last] === at) {
    posting.frequencies[last] = (posting.frequencies[last] as number) + weight;
  } else {
    posting.documents.push(at);
    posting.frequencies.push(weight);
  }
}
