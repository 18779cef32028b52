/** Finds memories that a new one repeats or contradicts, by its words. Conservative: a wrong warning costs more than none. */
import { termsOf } from '../../kernel/terms.ts';
import { oppositeIn } from './opposites.ts';
import { type Statement, statementOf, type Value } from './statement.ts';

export interface Existing {
  readonly id: string;
  readonly text: string;
  /** With the new text, if a model has seen both. */
  readonly cosine?: number;
}

export interface Comparison {
  /** Says the same in nearly the same words. */
  readonly duplicateOf?: string;
  /** Says something else about the same subject. `reason` is for people: `5433 here, 5432 there`. */
  readonly contradicts: readonly { readonly id: string; readonly reason: string }[];
}

/** Texts that the model takes for unrelated are not compared. */
const LEAST_COSINE = 0.4;
/** Of longer texts, only equality is checked. */
const LONGEST = 20_000;
const MOST_SENTENCES = 40;

/** `nearest` are the nearest existing memories, the nearest first. */
export function compared(text: string, nearest: readonly Existing[]): Comparison {
  const near = nearest.filter(({ cosine }) => cosine === undefined || cosine >= LEAST_COSINE);
  const duplicate = near.find((existing) => isDuplicate(text, existing.text));
  const contradicts = near.flatMap(({ id, text: existing }) => {
    const reason = contradiction(text, existing);
    return reason ? [{ id, reason }] : [];
  });
  return { ...(duplicate && { duplicateOf: duplicate.id }), contradicts };
}

function isDuplicate(text: string, existing: string): boolean {
  const [one, other] = [termsOf(text).join(' '), termsOf(existing).join(' ')];
  if (one === other) return one !== '' || text.trim() === existing.trim();
  if (text.length > LONGEST || existing.length > LONGEST) return false;
  return saysTheSame(statementOf(text), statementOf(existing));
}

function saysTheSame(one: Statement, other: Statement): boolean {
  // Names may be at the beginning, where every word has a capital, so they are part of `about` in one text only.
  const names = new Set([...one.names, ...other.names].map(termOf));
  const all = ({ about, names: own }: Statement) => new Set([...about, ...own.map(termOf)]);
  return (
    one.denies === other.denies &&
    all(one).size > 1 &&
    same(all(one), all(other)) &&
    one.values.map(({ value }) => value).join(' ') === other.values.map(({ value }) => value).join(' ') &&
    order(one, names) === order(other, names)
  );
}

/** Who does what to whom: `Ana owes Ben` is not `Ben owes Ana`. */
const order = ({ words }: Statement, names: ReadonlySet<string>): string =>
  words
    .filter(({ term }) => names.has(term) || /\d/.test(term))
    .map(({ term }) => term)
    .join(' ');

function contradiction(text: string, existing: string): string | undefined {
  if (text.length > LONGEST || existing.length > LONGEST) return undefined;
  const others = sentencesOf(existing).map(statementOf);
  for (const statement of sentencesOf(text).map(statementOf)) {
    if (others.some((other) => saysTheSame(statement, other))) continue;
    for (const other of others) {
      const reason = difference(statement, other);
      if (reason) return reason;
    }
  }
  return undefined;
}

const sentencesOf = (text: string): string[] =>
  text
    .split(/(?<=[.!?])\s+|\n+/)
    .filter((sentence) => sentence.trim() !== '')
    .slice(0, MOST_SENTENCES);

/** What differs, if both are about the same and exactly one thing differs. */
function difference(one: Statement, other: Statement): string | undefined {
  const opposite = oppositeIn(one.about, other.about);
  const mine = without(one.about, other.about, opposite?.[0]);
  const theirs = without(other.about, one.about, opposite?.[1]);
  const names: Swapped = [lacking(one.names, other), lacking(other.names, one)];
  const values = swappedValues(one.values, other.values);
  const owner = swappedOwner(one, other);
  const kinds = [opposite, values, owner, names[0].length + names[1].length > 0, one.denies !== other.denies];
  const shared =
    one.about.size - mine.length + one.names.length - names[0].length + (one.values.length - (values ? 1 : 0));
  if (kinds.filter(Boolean).length !== 1) return undefined;
  if (owner) return mine.length === 1 && theirs.length === 1 ? `${owner[0]} here, ${owner[1]} there` : undefined;
  // Words on both sides that the other does not have make it another subject: staging here, production there.
  if (shared < 1 || (mine.length > 0 && theirs.length > 0) || mine.length + theirs.length > 1) return undefined;
  if (opposite) return `"${writtenOf(one, opposite[0])}" here, "${writtenOf(other, opposite[1])}" there`;
  if (values === 'more') return undefined;
  if (values) {
    const event = one.past || other.past;
    return event ? undefined : `${values[0].written} here, ${values[1].written} there`;
  }
  if (one.denies !== other.denies) {
    if (mine.length + theirs.length > 0) return undefined;
    return one.denies ? 'denied here, said there' : 'said here, denied there';
  }
  if (names[0].length !== 1 || names[1].length !== 1 || mine.length + theirs.length > 0) return undefined;
  return one.past || other.past || shared < 2 ? undefined : `${names[0][0]} here, ${names[1][0]} there`;
}

type Swapped = readonly [readonly string[], readonly string[]];

/** One value each that the other lacks, of one kind. 'more' if they differ otherwise. */
function swappedValues(one: readonly Value[], other: readonly Value[]): readonly [Value, Value] | 'more' | undefined {
  const mine = one.filter(({ value }) => !other.some((theirs) => theirs.value === value));
  const theirs = other.filter(({ value }) => !one.some((own) => own.value === value));
  if (mine.length === 0 && theirs.length === 0) return undefined;
  const [a, b] = [mine[0], theirs[0]];
  return a && b && mine.length === theirs.length && kindOf(a) === kindOf(b) ? [a, b] : 'more';
}

/** A version may have more parts than the one before. */
const kindOf = ({ kind }: Value): string => (/^0(?:\.0)+$/.test(kind) && kind.length < 7 ? '0.0' : kind);

/** `Ines is the owner of …` and `Marek is the owner of …`: there is one. */
function swappedOwner(one: Statement, other: Statement): readonly [string, string] | undefined {
  const [[mine, ...rest], [theirs, ...others]] = [one.words, other.words];
  const alike = rest.map(({ term }) => term).join(' ') === others.map(({ term }) => term).join(' ');
  if (!mine || !theirs || mine.term === theirs.term || !alike || !isTheOne(one) || !isTheOne(other)) return undefined;
  return [mine.written, theirs.written];
}

const isTheOne = ({ words }: Statement): boolean =>
  /^\p{Lu}/u.test(words[0]?.written ?? '') && words[1]?.term === 'is' && words[2]?.term === 'the';

const termOf = (name: string): string => termsOf(name).at(-1) ?? name;

const lacking = (names: readonly string[], { words }: Statement): string[] =>
  names.filter((name) => !words.some(({ term }) => term === termOf(name)));

const without = (terms: ReadonlySet<string>, others: ReadonlySet<string>, but?: string): string[] =>
  [...terms].filter((term) => !others.has(term) && term !== but);

const same = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && one.isSubsetOf(other);

const writtenOf = ({ words }: Statement, wanted: string): string =>
  words.find(({ term }) => term === wanted)?.written.toLowerCase() ?? wanted;
