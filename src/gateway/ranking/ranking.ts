import type { Effect } from '../../kernel/effect.ts';
import { typoFinder, withPrefix } from './ranking-near.ts';
import { isFiller, tokenize } from './ranking-terms.ts';
import { idiomsIn, synonymsOf } from './ranking-vocabulary.ts';
import { readWish } from './ranking-wish.ts';

/** A document to find. Search compares the words of every text, and each phrase also as a whole. */
export interface RankedDocument {
  readonly id: string;
  /** Its other names. */
  readonly aliases?: readonly string[];
  /** Texts with the weight of their words: a name says more than a description. */
  readonly fields: readonly { text: string; weight: number }[];
  /** What people say when they want it, a few words each. */
  readonly phrases?: readonly string[];
  /** Its source, if people name the source to say which one they mean. */
  readonly source?: string;
  readonly effect?: Effect;
}

export interface Ranked {
  readonly id: string;
  readonly score: number;
}

export interface RankingIndex {
  /** The texts that can be compared by meaning: the first phrases of each document. */
  readonly compared: readonly string[];
  /** Best first; ties ordered by id. `alike`: how near the meaning of each compared phrase is. */
  search(query: string, limit: number, alike?: ArrayLike<number>): Ranked[];
}

/** BM25: how fast a repeated word stops counting, and how much a long text lowers the score of its words. */
const K1 = 1.2;
const B = 0.5;
/** How fast a word stops counting if several phrases of a document have it. */
const REPEATED = 1;
/** A synonym, a word with the same beginning, or a misspelt word counts less than the word itself. */
const SYNONYM_WORTH = 0.75;
const PREFIX_WORTH = 0.6;
const TYPO_WORTH = 0.4;
const FILLER_WORTH = 0.5;
/** The weight of the words in fields and in all phrases, beside the best matching phrase. */
const FIELDS = 0.6;
const PHRASES = 1.2;
/** The weight of how much of the phrase is in the query, beside how much of the query is in the phrase. */
const WHOLE_PHRASE = 0.6;
/** The factor for tools that change something if the wish is only a question, and the other way round. */
const CHANGES: Readonly<Record<Effect, number>> = { read: 1, execute: 0.8, create: 0.75, update: 0.75, delete: 0.75 };
const ONLY_READS = 0.95;
const SOURCE_NAMED = 1.1;
/** Our tools have many phrases, those of servers have few words: a match of theirs counts more. */
const OF_SERVER = 1.1;
/** The weight of the phrase nearest in meaning, beside the one that matches best by words. */
const MEANING = 0.7;
/** A query with the name of a tool means that tool: no other score comes near. */
const NAMED = 10;
/** The exposed name of a tool wins over another tool that has this name at its own server. */
const OWN_NAME = 12;
/** The weight of the rarest word, however many tools there are. */
const RAREST = 3.5;
/** The rest of a long text costs time and adds nothing new. */
const MOST_TERMS = 60;
/** Embedding a phrase takes 6 ms of CPU time, and more phrases hardly find more. */
const COMPARED = 12;

interface Named {
  readonly at: number;
  readonly worth: number;
}

interface Posting {
  readonly places: number[];
  readonly weights: number[];
}

/** An index over weighted fields and phrases. Pure; `find_tools` ranks with it. */
export function buildIndex(documents: readonly RankedDocument[]): RankingIndex {
  const inFields = new Map<string, Posting>();
  const inPhrases = new Map<string, Posting>();
  /** Words of all phrases of a document together. */
  const spoken = new Map<string, Posting>();
  const counts = new Map<string, number>();
  const byName = new Map<string, Named[]>();
  const lengths = new Float64Array(documents.length);
  const owners: number[] = [];
  const compared: string[] = [];
  const comparedOwners: number[] = [];
  const phraseTerms: (readonly string[])[] = [];

  documents.forEach(({ id, aliases = [], fields, phrases = [] }, at) => {
    const words = new Set<string>();
    for (const { text, weight } of fields) {
      for (const term of tokenize(text)) {
        lengths[at] = (lengths[at] ?? 0) + weight;
        addTo(inFields, term, at, weight);
        words.add(term);
      }
    }
    for (const phrase of phrases) {
      const terms = phraseTermsOf(phrase);
      for (const term of terms) {
        addTo(inPhrases, term, owners.length, 1);
        addTo(spoken, term, at, 1);
        words.add(term);
      }
      owners.push(at);
      phraseTerms.push(terms);
    }
    for (const phrase of phrases.slice(0, COMPARED)) {
      compared.push(phrase);
      comparedOwners.push(at);
    }
    for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1);
    const own = folded(id);
    for (const name of new Set([own, ...aliases.map(folded)])) {
      const same = byName.get(name);
      const named = { at, worth: name === own ? OWN_NAME : NAMED };
      if (same) same.push(named);
      else byName.set(name, [named]);
    }
  });

  const average = lengths.reduce((sum, length) => sum + length, 0) / Math.max(documents.length, 1);
  const damping = lengths.map((length) => K1 * (1 - B + (B * length) / (average || 1)));
  const sources = documents.map(({ source }) => (source === undefined ? [] : tokenize(source)));
  const vocabulary = [...counts.keys()].sort();
  const withTypo = typoFinder(vocabulary);
  const rarities = new Map(
    [...counts].map(([term, count]) => {
      const rarity = Math.min(RAREST, Math.log(1 + (documents.length - count + 0.5) / (count + 0.5)));
      return [term, isFiller(term) ? rarity * FILLER_WORTH : rarity];
    }),
  );
  const rarityOf = (term: string): number => rarities.get(term) ?? 0;
  const wholes = Float64Array.from(phraseTerms, (terms) => terms.reduce((sum, term) => sum + rarityOf(term), 0));

  /** The words to search instead of a word of the query, with the weight of each. */
  function standIns(term: string): Map<string, number> {
    const found = new Map<string, number>();
    for (const other of synonymsOf(term)) if (counts.has(other)) found.set(other, SYNONYM_WORTH);
    if (counts.has(term)) found.set(term, 1);
    if (found.size > 0) return found;
    const longer = withPrefix(vocabulary, term);
    for (const other of longer) found.set(other, PREFIX_WORTH);
    if (longer.length === 0) for (const other of withTypo(term)) found.set(other, TYPO_WORTH);
    return found;
  }

  return {
    compared,
    search(query, limit, alike) {
      const { text, asks } = readWish(query);
      const terms = termsOf(text).slice(0, MOST_TERMS);
      const byWords = new Float64Array(documents.length);
      const byPhrase = new Float64Array(owners.length);
      let whole = 0;
      for (const term of terms) {
        const meant = standIns(term);
        if (meant.size === 0) continue;
        const worth = counts.has(term) ? rarityOf(term) : Math.max(...[...meant.keys()].map(rarityOf));
        whole += worth;
        const values = [...meant].map(([word, factor]) => ({ word, value: Math.min(worth, rarityOf(word)) * factor }));
        addBest(byWords, values, inFields, (value, weight, at) => {
          return (FIELDS * value * weight * (K1 + 1)) / (weight + (damping[at] as number));
        });
        addBest(byWords, values, spoken, (value, weight) => (PHRASES * value * weight) / (weight + REPEATED));
        addBest(byPhrase, values, inPhrases, (value) => value);
      }
      const best = new Float64Array(documents.length);
      const nearest = new Float64Array(documents.length);
      owners.forEach((owner, at) => {
        const ideal = (1 - WHOLE_PHRASE) * whole + WHOLE_PHRASE * (wholes[at] as number);
        const fit = ideal === 0 ? 0 : (byPhrase[at] as number) / ideal;
        if (fit > (best[owner] as number)) best[owner] = fit;
      });
      if (alike) {
        comparedOwners.forEach((owner, at) => {
          const near = alike[at] ?? 0;
          if (near > (nearest[owner] as number)) nearest[owner] = near;
        });
      }
      const named = namedIn(query, byName);
      const said = new Set(terms);
      return documents
        .map(({ id, effect }, at) => {
          const source = sources[at] as readonly string[];
          let score = (best[at] as number) + (whole === 0 ? 0 : (byWords[at] as number) / whole);
          score += MEANING * (nearest[at] as number);
          if (effect !== undefined) score *= asks ? CHANGES[effect] : effect === 'read' ? ONLY_READS : 1;
          if (source.length > 0) score *= OF_SERVER;
          if (source.length > 0 && source.every((term) => said.has(term))) score *= SOURCE_NAMED;
          return { id, score: score + (named.get(at) ?? 0) };
        })
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, Math.max(limit, 0));
    },
  };
}

/** Several words may replace one: each document gets the best of them, not their sum. */
function addBest(
  scores: Float64Array,
  values: readonly { word: string; value: number }[],
  postings: ReadonlyMap<string, Posting>,
  scoreOf: (value: number, weight: number, at: number) => number,
): void {
  const best = new Map<number, number>();
  for (const { word, value } of values) {
    const posting = postings.get(word);
    posting?.places.forEach((at, index) => {
      const score = scoreOf(value, posting.weights[index] as number, at);
      if (score > (best.get(at) ?? 0)) best.set(at, score);
    });
  }
  for (const [at, score] of best) scores[at] = (scores[at] as number) + score;
}

/** Scores for documents whose names are in the query; more if the name is the whole query. */
function namedIn(query: string, byName: ReadonlyMap<string, readonly Named[]>): Map<number, number> {
  const named = new Map<number, number>();
  // A name of one word counts like any other word.
  for (const word of query.split(/[\s,;()"'`]+/)) {
    if (/\w[_:-]+\w|[a-z][A-Z]/.test(word))
      for (const { at, worth } of byName.get(folded(word)) ?? []) named.set(at, worth);
  }
  for (const { at, worth } of byName.get(folded(query)) ?? []) named.set(at, 2 * worth);
  return named;
}

/** `n8n_get_workflow`, `n8n-get-workflow` and "N8N get workflow" are one name. */
const folded = (name: string): string =>
  name
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();

function termsOf(text: string): string[] {
  return [...new Set(tokenize(`${text} ${idiomsIn(text).join(' ')}`))];
}

/** Caches tokenized texts: when a list changes, most of its tools stay the same. */
const MOST_KNOWN = 20_000;
const knownTerms = new Map<string, readonly string[]>();

function phraseTermsOf(phrase: string): readonly string[] {
  let terms = knownTerms.get(phrase);
  if (terms) return terms;
  terms = termsOf(phrase);
  if (knownTerms.size >= MOST_KNOWN) knownTerms.clear();
  knownTerms.set(phrase, terms);
  return terms;
}

function addTo(postings: Map<string, Posting>, term: string, at: number, weight: number): void {
  const posting = postings.get(term);
  if (!posting) {
    postings.set(term, { places: [at], weights: [weight] });
    return;
  }
  const last = posting.places.length - 1;
  if (posting.places[last] === at) {
    posting.weights[last] = (posting.weights[last] as number) + weight;
  } else {
    posting.places.push(at);
    posting.weights.push(weight);
  }
}
