/** What a sentence says, in a form that can be compared: its subject matter, its values, its names, whether it denies. */
import { queryTerms, termsOf } from '../../kernel/terms.ts';

export interface Statement {
  /** Telling terms without values, names and words that only say since when: what it is about. */
  readonly about: ReadonlySet<string>;
  /** Numbers, times, versions, days, months, in their order. */
  readonly values: readonly Value[];
  /** Capitalised words inside the sentence. */
  readonly names: readonly Word[];
  readonly denies: boolean;
  /** Tells what happened once. Another date or place is then another event. */
  readonly past: boolean;
  readonly words: readonly Word[];
  /** Of all words. */
  readonly terms: ReadonlySet<string>;
  /** What it is about, and its names: they may be at the beginning, where every word has a capital. */
  readonly subjects: ReadonlySet<string>;
}

export interface Word {
  readonly written: string;
  readonly term: string;
}

export interface Value {
  readonly written: string;
  readonly value: string;
  /** Only values of one kind exclude each other: 02:30 and 03:15, but not 02:30 and 40 minutes. */
  readonly kind: string;
}

const WORD = /#?[\p{L}\p{N}\p{M}]+(?:[.:'’_/-][\p{L}\p{N}\p{M}]+)*%?|\p{Extended_Pictographic}/gu;
const MONTH =
  'jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?';
/** `14 May` and `May 14` as one word. */
const DATE = new RegExp(
  `\\b(\\d{1,2})(?:st|nd|rd|th)?\\.? (${MONTH})\\b|\\b(${MONTH}) (\\d{1,2})(?:st|nd|rd|th)?\\b`,
  'gi',
);

/** Of the words of one line, a thing has one. */
const CLASSES = new Map(
  `monday tuesday wednesday thursday friday saturday sunday
january february march april may june july august september october november december
hourly daily nightly weekly fortnightly monthly quarterly yearly annually
zero once twice thrice
one two three four five six seven eight nine ten eleven twelve
spring summer autumn winter`
    .split('\n')
    .flatMap((line, at) =>
      line.split(' ').flatMap((word) => termsOf(word).map((term) => [term, `class ${at}`] as const)),
    ),
);

const DENIALS = new Set('not no never none nobody nothing without cannot neither nor'.split(' '));
/** Words that say since when or how surely, but not what. */
const BESIDES = new Set(
  'now currently anymore longer more still already since today new newly again also just only away really very actually'.split(
    ' ',
  ),
);
/** A number after one of these says which one is meant. */
const NUMBERED = new Set(
  'invoice ticket issue order room flat chapter step build case number customer pr page task bug part phase sprint line'.split(
    ' ',
  ),
);
const PAST =
  /^(?:was|were|did|had|met|went|saw|got|bought|sent|came|left|found|wrote|spoke|took|told|said|made|ran|began|broke|fell|lost|won|paid|held|gave)$/;

/** After these, `registered` tells how it is, not what happened. */
const NOT_PAST = new Set('is are be been being isnt arent not no a an the and or of for with by'.split(' '));

export function statementOf(sentence: string): Statement {
  const text = sentence
    .replaceAll(/\b[a-z]+:\/\//gi, '')
    .replaceAll(DATE, (_, day, month, other, second) => `${day ?? second}-${month ?? other}`);
  const telling = new Set(queryTerms(text));
  const about = new Set<string>();
  const values: Value[] = [];
  const names: Word[] = [];
  const words: Word[] = [];
  let denies = false;
  let past = false;
  const found = text.match(WORD) ?? [];
  for (const [index, written] of found.entries()) {
    const small = written.toLowerCase();
    const term = termsOf(written).at(-1) ?? small;
    const before = words.at(-1)?.term ?? '';
    const word = { written, term };
    words.push(word);
    const value = valueOf(written, term);
    // At its beginning a value says which thing is meant, and so does a number with `#`.
    if (value && index > 1 && !NUMBERED.has(before) && !written.startsWith('#')) values.push(value);
    else if (value) about.add(value.value);
    else if (DENIALS.has(small) || /n['’]t$/.test(small)) denies = !denies;
    else if (BESIDES.has(small)) continue;
    else if (PAST.test(small)) past = true;
    else if (index > 0 && /^\p{Lu}/u.test(written)) names.push(word);
    else if (telling.has(term)) about.add(term);
    if (index > 0 && /[a-z]{3}ed$/.test(small) && !NOT_PAST.has(before)) past = true;
  }
  const terms = new Set(words.map(({ term }) => term));
  const subjects = new Set([...about, ...names.map(({ term }) => term)]);
  return { about, values, names, denies, past, words, terms, subjects };
}

function valueOf(written: string, term: string): Value | undefined {
  const ofClass = CLASSES.get(term);
  if (ofClass) return { written, value: term, kind: ofClass };
  if (!/^#?v?\d/i.test(written)) return undefined;
  const value = written.toLowerCase().replace(/^v(?=\d)/, '');
  return { written, value, kind: value.replaceAll(/\d+/g, '0') };
}
