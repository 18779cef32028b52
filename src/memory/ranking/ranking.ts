/** Puts what search by words and search by meaning found into one order, and says why each memory is there. */
import { queryTerms, termsOf } from '../../kernel/terms.ts';
import { hasAnswer } from './answer-kind.ts';
import { ageing } from './decay.ts';
import type { Age, Hit } from '../engine.ts';
import { relatedTo } from './thesaurus.ts';

export interface Searched {
  readonly question: string;
  /** Of the engine, for `askedTerms(question)`. About 200 suffice. */
  readonly byWords: readonly Hit[];
  /** Of the engine; empty without a model. About 200 suffice. */
  readonly byMeaning: readonly Hit[];
  /** How many memories to return; all without it. */
  readonly limit?: number;
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
const WORD = 0.035;
/** A related word counts this much of the word itself. */
const RELATED = 0.6;
/** A long memory has more passages, so the best of them is better by chance: taken off each time their number doubles. */
const DOUBLED_LENGTH = 0.03;
const MOST_DOUBLED = 4;
/** Added to a passage that has what the question asks for: a time for when, a name for who. */
const ANSWER = 0.03;
const AKIN_LETTERS = 5;
/** Further words of a question rank nothing better. */
const MOST_TERMS = 50;
/** Rarity is judged among the hits. Fewer would make every word look common. */
const FEWEST_COMPARED = 256;

interface Passage {
  readonly hit: Hit;
  readonly terms: ReadonlySet<string>;
  readonly meaning?: number;
}

/** The terms of a question that are looked for. */
export const askedTerms = (question: string): string[] => queryTerms(question).slice(0, MOST_TERMS);

/** The best memory first, each once, with its best passage. */
export function ranked({ question, byWords, byMeaning, decay, limit }: Searched): Ranked[] {
  const passages = passagesOfHits(byWords, byMeaning);
  const vocabulary = vocabularyOf(passages);
  const asked = askedTerms(question).map((term) => ({
    term,
    related: relatedRarities(term, vocabulary),
    rarity: vocabulary.rarityOf(term),
  }));
  const unknown = meaningOfOthers(byMeaning);
  const best = new Map<string, Best>();
  for (const passage of passages) {
    const { id, text, passage: at } = passage.hit;
    const answer = hasAnswer(question, text) === true ? ANSWER : 0;
    const score = (passage.meaning ?? unknown) + WORD * overlap(asked, passage.terms) + answer;
    const known = best.get(id);
    const length = Math.max(known?.length ?? 1, at + 1);
    best.set(id, known && known.score >= score ? { ...known, length } : { passage, score, length });
  }
  const words = surface(question);
  return [...best]
    .map(([id, { passage, score, length }]) => {
      const aged = decay ? ageing(decay.ages.get(id), decay) : 0;
      const longer = DOUBLED_LENGTH * Math.min(Math.log2(length), MOST_DOUBLED);
      return { id, passage, aged, score: rounded(score - longer - aged, 4) };
    })
    .toSorted((one, other) => other.score - one.score)
    .slice(0, limit)
    .map(({ id, passage, aged, score }) => {
      const { passage: at, text } = passage.hit;
      return { id, passage: at, text, score, why: whyOf(passage, asked, words, aged) };
    });
}

interface Best {
  readonly passage: Passage;
  readonly score: number;
  /** How many passages the memory has at least. */
  readonly length: number;
}

/** What to assume of a passage that only search by words found: it may have no vector yet. */
function meaningOfOthers(byMeaning: readonly Hit[]): number {
  const sum = byMeaning.reduce((total, { score }) => total + score, 0);
  return byMeaning.length > 0 ? (0.9 * sum) / byMeaning.length : 0;
}

/** Of one family: `deploy` and `deployment`, `allergy` and `allergic`, and inflected words of languages without a stemmer. */
function akin(one: string, other: string): boolean {
  if (one === other || one.length < AKIN_LETTERS || other.length < AKIN_LETTERS) return false;
  if (!/^\p{L}+$/u.test(one)) return false;
  const shared = one.startsWith(other.slice(0, Math.max(AKIN_LETTERS, Math.min(one.length, other.length) - 2)));
  return shared && Math.abs(one.length - other.length) <= 5;
}

interface AskedTerm {
  readonly term: string;
  readonly rarity: number;
  /** Terms of the passages with much the same meaning, and how rare each is. */
  readonly related: ReadonlyMap<string, number>;
}
type Asked = readonly AskedTerm[];

function relatedRarities(term: string, { has, beginning, rarityOf }: Vocabulary): Map<string, number> {
  const known = [...relatedTo(term)].filter(has);
  const family = beginning(term).filter((other) => akin(term, other));
  return new Map([...known, ...family].map((other) => [other, rarityOf(other)]));
}

/** The terms of the passages, and how rare each is among them. */
interface Vocabulary {
  has(term: string): boolean;
  /** Those that begin like this one. */
  beginning(term: string): readonly string[];
  rarityOf(term: string): number;
}

function vocabularyOf(passages: readonly Passage[]): Vocabulary {
  const having = new Map<string, number>();
  for (const { terms } of passages) for (const term of terms) having.set(term, (having.get(term) ?? 0) + 1);
  const start = (term: string) => term.slice(0, AKIN_LETTERS);
  const byStart = Map.groupBy(having.keys(), start);
  return {
    has: (term) => having.has(term),
    beginning: (term) => byStart.get(start(term)) ?? [],
    rarityOf: (term) => Math.log(1 + Math.max(FEWEST_COMPARED, passages.length) / (0.5 + (having.get(term) ?? 0))),
  };
}

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

function overlap(asked: Asked, terms: ReadonlySet<string>): number {
  let sum = 0;
  for (const { term, related, rarity } of asked) {
    if (terms.has(term)) sum += rarity;
    else if (related.size > 0) {
      let rarest = 0;
      for (const other of terms) rarest = Math.max(rarest, related.get(other) ?? 0);
      sum += RELATED * Math.min(rarity, rarest);
    }
  }
  return sum;
}

function whyOf(passage: Passage, asked: Asked, words: ReadonlyMap<string, string>, aged: number): Why {
  const matched = asked.filter(({ term }) => passage.terms.has(term));
  const others = asked.filter(({ term }) => !passage.terms.has(term));
  const related = others.flatMap((one) => [...passage.terms].filter((term) => one.related.has(term)));
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
