/** Puts what search by words and search by meaning found into one order, and says why each memory is there. */
import { queryTerms, termsOf } from '../kernel/terms.ts';
import { ageing } from './decay.ts';
import type { Age, Hit } from './engine.ts';
import { relatedTo } from './thesaurus.ts';

export interface Searched {
  readonly question: string;
  /** Of the engine, for `queryTerms(question)`. About 200 suffice. */
  readonly byWords: readonly Hit[];
  /** Of the engine; empty without a model. About 200 suffice. */
  readonly byMeaning: readonly Hit[];
  /** With it, old memories that nobody recalls rank lower. By id; one that is missing does not age. */
  readonly decay?: { readonly halfLifeDays: number; readonly now: number; readonly ages: ReadonlyMap<string, Age> };
}

export interface Ranked {
  /** The version of the memory. */
  readonly id: string;
  /** Its best passage, from 0, and the text of that. */
  readonly passage: number;
  readonly text: string;
  /** Higher is better; comparable within one answer only. */
  readonly score: number;
  readonly why: Why;
}

export interface Why {
  /** The cosine, from -1 to 1. */
  readonly meaning?: number;
  /** Words of the question that the passage has, in any form. */
  readonly words?: string[];
  /** Words of the passage that mean much the same as one of the question. */
  readonly related?: string[];
  /** How much its age took off, if it did. */
  readonly age?: number;
}

/** What a matched word adds to the cosine, for each unit of its rarity. */
const WORD = 0.03;
/** A related word counts this much of the word itself. */
const RELATED = 0.4;
/** A long memory has more passages, so the best of them is better by chance: taken off each time their number doubles. */
const DOUBLED_LENGTH = 0.03;
/** Rarity is judged among the hits. Fewer would make every word look common. */
const FEWEST_COMPARED = 256;

interface Passage {
  readonly hit: Hit;
  readonly terms: ReadonlySet<string>;
  meaning?: number;
}

/** The best memory first, each once, with its best passage. */
export function ranked({ question, byWords, byMeaning, decay }: Searched): Ranked[] {
  const passages = passagesOfHits(byWords, byMeaning);
  const asked = queryTerms(question).map((term) => ({
    term,
    related: relatedTo(term),
    rarity: rarityOf(term, passages),
  }));
  // A passage that only search by words found is no nearer than the last that search by meaning found.
  const farthest = Math.min(0.3, ...byMeaning.map(({ score }) => score));
  const best = new Map<string, { passage: Passage; score: number }>();
  const lengths = new Map<string, number>();
  for (const passage of passages) {
    const { id } = passage.hit;
    const score = (passage.meaning ?? (byMeaning.length > 0 ? farthest : 0)) + WORD * overlap(asked, passage.terms);
    if (score > (best.get(id)?.score ?? Number.NEGATIVE_INFINITY)) best.set(id, { passage, score });
    lengths.set(id, Math.max(lengths.get(id) ?? 1, passage.hit.passage + 1));
  }
  const words = surface(question);
  return [...best]
    .map(([id, { passage, score }]): Ranked => {
      const aged = decay ? ageing(decay.ages.get(id), decay) : 0;
      return {
        id,
        passage: passage.hit.passage,
        text: passage.hit.text,
        score: rounded(score - DOUBLED_LENGTH * Math.log2(lengths.get(id) ?? 1) - aged, 4),
        why: whyOf(passage, asked, words, aged),
      };
    })
    .toSorted((one, other) => other.score - one.score);
}

type Asked = readonly { readonly term: string; readonly related: ReadonlySet<string>; readonly rarity: number }[];

function passagesOfHits(byWords: readonly Hit[], byMeaning: readonly Hit[]): readonly Passage[] {
  const passages = new Map<string, Passage>();
  const keyOf = ({ id, passage }: Hit) => `${passage} ${id}`;
  for (const hit of byMeaning) {
    passages.set(keyOf(hit), { hit, terms: new Set(termsOf(hit.text)), meaning: hit.score });
  }
  for (const hit of byWords) {
    if (!passages.has(keyOf(hit))) passages.set(keyOf(hit), { hit, terms: new Set(termsOf(hit.text)) });
  }
  return [...passages.values()];
}

function rarityOf(term: string, passages: readonly Passage[]): number {
  let having = 0.5;
  for (const { terms } of passages) if (terms.has(term)) having += 1;
  return Math.log(1 + Math.max(FEWEST_COMPARED, passages.length) / having);
}

function overlap(asked: Asked, terms: ReadonlySet<string>): number {
  let sum = 0;
  for (const { term, related, rarity } of asked) {
    if (terms.has(term)) sum += rarity;
    else if (!related.isDisjointFrom(terms)) sum += RELATED * rarity;
  }
  return sum;
}

function whyOf(passage: Passage, asked: Asked, words: ReadonlyMap<string, string>, aged: number): Why {
  const matched = asked.filter(({ term }) => passage.terms.has(term));
  const others = asked.filter(({ term }) => !passage.terms.has(term));
  const related = others.flatMap((one) => [...one.related.intersection(passage.terms)]);
  const inText = related.length > 0 ? surface(passage.hit.text) : words;
  return {
    ...(passage.meaning !== undefined && { meaning: rounded(passage.meaning, 2) }),
    ...(matched.length > 0 && {
      words: spelled(
        matched.map(({ term }) => term),
        words,
      ),
    }),
    ...(related.length > 0 && { related: spelled(related, inText) }),
    ...(aged >= 0.005 && { age: rounded(-aged, 2) }),
  };
}

/** Terms as they are written in the text: `configur` as `configured`. */
const spelled = (terms: readonly string[], words: ReadonlyMap<string, string>): string[] => [
  ...new Set(terms.map((term) => words.get(term) ?? term)),
];

function surface(text: string): Map<string, string> {
  const words = new Map<string, string>();
  for (const [word] of text.matchAll(/[\p{L}\p{N}\p{M}]+(?:[._'’-][\p{L}\p{N}\p{M}]+)*/gu)) {
    for (const term of termsOf(word)) if (!words.has(term)) words.set(term, word.toLowerCase());
  }
  return words;
}

const rounded = (value: number, places: number): number => Math.round(value * 10 ** places) / 10 ** places;
