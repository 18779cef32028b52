import type { Catalogue, NodeSummary } from '../catalogue.ts';
import { type Keywords, keywords } from './keywords/keywords.ts';
import { openPostings, type Postings } from './postings.ts';
import { spokenOf, type Term } from './phrases.ts';
import { preferenceOf } from './preference.ts';
import type { Question } from './question.ts';
import { nearestWord } from './spelling.ts';
import { synonymsOf } from './synonyms.ts';
import { partsOf, stemOf, wordsOf } from './words.ts';

/** Weight of our own phrases, compared with the weights of the fields. */
const PHRASE = 7;
/** Factors for words that match as a synonym or after a spelling correction. */
const SYNONYM = 0.6;
const RESPELT = 0.8;
/** If both our phrase and n8n's text match, the weaker one adds this share. */
const BOTH = 0.2;
/** Bonus if the question contains the whole title; more if the title contains a distinctive name. */
const WHOLE_TITLE = 1.25;
const WHOLE_NAME = 1.45;
/** A word that at most this many nodes have counts as a name. */
const FEW = 6;

/** If a trigger is wanted, an app's trigger gets this share of the app's score. */
const OF_ITS_APP = 0.9;
/** Minimum length of a name joined from two words. Shorter ones would match by chance. */
const NAME = 6;

export interface Hit {
  readonly node: NodeSummary;
  readonly score: number;
}

export interface Found {
  /** Best first. */
  readonly hits: readonly Hit[];
  /** From 0 to 1: how much of the question the best hit covers. */
  readonly confidence: number;
}

export interface Lexical {
  find(question: Question): Found;
}

const opened = new WeakMap<Catalogue, Lexical>();

/** The word search of a catalogue. Created on first use, and garbage-collected with the catalogue. */
export function lexicalOf(catalogue: Catalogue): Lexical {
  let lexical = opened.get(catalogue);
  if (!lexical) opened.set(catalogue, (lexical = createLexical(catalogue)));
  return lexical;
}

function createLexical(catalogue: Catalogue): Lexical {
  const titleOf = (name: string) => wordsOf((catalogue.node(name)?.title ?? '').replace(/\(.*\)| Trigger$/, ''));
  const postings = openPostings(catalogue.database, {
    title: (name) => titleOf(name).length,
    name: (name) => wordsOf(partsOf(name.slice(name.lastIndexOf('.') + 1))).length - 1,
  });
  const known = keywords();
  const numbers = new Map(postings.names.map((name, index) => [name, index]));
  const summaries = postings.names.map((name) => catalogue.node(name));
  const titles = postings.names.map((name) => new Set(titleOf(name)));
  const byTitle = new Map<string, NodeSummary>();
  for (const node of catalogue.nodes()) {
    // "Cron" is the title of a replaced node, but also a common word.
    if (node.hidden || node.deprecated) continue;
    const title = node.title.toLowerCase();
    // Some tool variants have the same title as their node.
    if (node.toolOf === undefined || !byTitle.has(title)) byTitle.set(title, node);
  }
  const isName = (word: string) => postings.of(word).size <= FEW && (known.nodesBy.get(word) ?? 0) <= FEW;
  const bonuses = titles.map((title) => ([...title].some(isName) ? WHOLE_NAME : WHOLE_TITLE));
  const triggers = postings.names.flatMap((name, number) => {
    const app = name.endsWith('Trigger') ? numbers.get(name.slice(0, -'Trigger'.length)) : undefined;
    return app === undefined ? [] : [{ number, app }];
  });
  const worths = new Map<string, number>();
  const worthOf = (stem: string) => {
    let worth = worths.get(stem);
    if (worth === undefined) worth = rarity(stem, postings, known);
    // Do not cache unknown words: a question may contain anything.
    if (postings.of(stem).size > 0 || known.nodesBy.has(stem)) worths.set(stem, worth);
    return worth;
  };

  return {
    find(question) {
      const terms = joined(question, postings).map((word) => termOf(word, postings, known, worthOf));
      const ideal = terms.reduce((sum, { worth }) => sum + worth * PHRASE, 0);
      const scores = new Map<number, number>();
      const spoken = spokenOf(terms, known, numbers, worthOf);
      for (const [index, { worth, stems }] of terms.entries()) {
        const best = new Map<number, number>();
        for (const [stem, factor] of stems) {
          const value = Math.min(worth, worthOf(stem)) * factor;
          for (const [node, weight] of postings.of(stem)) {
            if (value * weight > (best.get(node) ?? 0)) best.set(node, value * weight);
          }
        }
        for (const [node, said] of spoken[index] ?? []) {
          const written = best.get(node) ?? 0;
          const value = said * worth * PHRASE;
          best.set(node, Math.max(written, value) + BOTH * Math.min(written, value));
        }
        for (const [node, value] of best) scores.set(node, (scores.get(node) ?? 0) + value);
      }
      if (question.trigger === 'surely') {
        for (const { number, app } of triggers) {
          const least = OF_ITS_APP * (scores.get(app) ?? 0);
          if (least > (scores.get(number) ?? 0)) scores.set(number, least);
        }
      }
      const hits: Hit[] = [];
      for (const [number, score] of scores) {
        const node = summaries[number];
        if (!node) continue;
        const title = titles[number];
        const whole = title && title.size > 0 && title.isSubsetOf(question.all) ? (bonuses[number] ?? 1) : 1;
        hits.push({ node, score: score * whole * preferenceOf(node, question, catalogue) });
      }
      // Equal scores are ordered by name, so that the result is deterministic.
      hits.sort((one, other) => other.score - one.score || (one.node.name < other.node.name ? -1 : 1));
      // An exact name or title always wins.
      const exact = catalogue.node(question.text) ?? byTitle.get(question.text.toLowerCase());
      if (exact) {
        const score = Math.max(ideal, hits[0]?.score ?? 0);
        return { hits: [{ node: exact, score }, ...hits.filter(({ node }) => node !== exact)], confidence: 1 };
      }
      return { hits, confidence: ideal === 0 ? 0 : Math.min(1, (hits[0]?.score ?? 0) / ideal) };
    },
  };
}

/** The words of the question, with split names ("hub spot") joined. */
function joined({ words, pairs }: Question, postings: Postings): readonly string[] {
  let out = words;
  for (const [one, other] of pairs) {
    const name = stemOf(one + other);
    if (name.length < NAME || words.includes(name) || postings.of(name).size === 0) continue;
    out = [...out.filter((word) => word !== stemOf(one) && word !== stemOf(other)), name];
  }
  return out;
}

function rarity(stem: string, postings: Postings, { nodesBy, texts }: Keywords): number {
  const nodes = Math.max(postings.of(stem).size, nodesBy.get(stem) ?? 0);
  // Our phrases may cover more nodes than a small catalogue has.
  return Math.log(1 + (Math.max(postings.size, texts.size) - nodes + 0.5) / (nodes + 0.5));
}

function termOf(word: string, postings: Postings, known: Keywords, worthOf: (stem: string) => number): Term {
  const isKnown = (stem: string) => known.byWord.has(stem) || postings.of(stem).size > 0;
  const stems = new Map<string, number>();
  for (const other of synonymsOf(word)) if (isKnown(other)) stems.set(other, SYNONYM);
  if (isKnown(word)) stems.set(word, 1);
  else if (stems.size === 0) {
    const meant = nearestWord(word, postings.vocabulary()) ?? nearestWord(word, known.byWord.keys());
    if (meant !== undefined) stems.set(meant, RESPELT);
  }
  const [first] = stems.keys();
  return { worth: worthOf(stems.has(word) || first === undefined ? word : first), stems };
}
