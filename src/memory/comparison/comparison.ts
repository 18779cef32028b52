/** Finds memories that a new one repeats or contradicts, by its words. Conservative: a wrong warning costs more than none. */
import { createPace, type Pace } from '../../kernel/pace.ts';
import { termsOf } from '../../kernel/terms.ts';
import { oppositeIn } from './opposites.ts';
import { type Statement, statementOf, type Value, type Word } from './statement.ts';

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
const LONGEST = 5000;
const MOST_SENTENCES = 40;

/** `nearest` are the nearest existing memories, the nearest first. Lets others run in between. */
export async function compared(text: string, nearest: readonly Existing[]): Promise<Comparison> {
  const pace = createPace();
  const mine = readText(text);
  const contradicts: { id: string; reason: string }[] = [];
  let duplicateOf: string | undefined;
  for (const { id, text: existing, cosine } of nearest) {
    if (cosine !== undefined && cosine < LEAST_COSINE) continue;
    await pace();
    const theirs = readText(existing);
    if (duplicateOf === undefined && isDuplicate(mine, theirs)) duplicateOf = id;
    const reason = await contradiction(mine, theirs, pace);
    if (reason !== undefined) contradicts.push({ id, reason });
  }
  return { ...(duplicateOf !== undefined && { duplicateOf }), contradicts };
}

interface Read {
  readonly text: string;
  /** Undefined if the text is too long for more than equality. */
  readonly said:
    | { readonly terms: string; readonly whole: Statement; readonly sentences: readonly Statement[] }
    | undefined;
}

/** Each text is read once, however many it is compared with. */
const readText = (text: string): Read => ({
  text: text.trim(),
  said:
    text.length > LONGEST
      ? undefined
      : { terms: termsOf(text).join(' '), whole: statementOf(text), sentences: sentencesOf(text).map(statementOf) },
});

function isDuplicate(one: Read, other: Read): boolean {
  if (one.text === other.text) return true;
  if (!one.said || !other.said) return false;
  return (
    (one.said.terms === other.said.terms && one.said.terms !== '') || saysTheSame(one.said.whole, other.said.whole)
  );
}

function saysTheSame(one: Statement, other: Statement): boolean {
  return (
    one.denies === other.denies &&
    one.subjects.size > 1 &&
    same(one.subjects, other.subjects) &&
    one.values.map(({ value }) => value).join(' ') === other.values.map(({ value }) => value).join(' ') &&
    isSameOrder(one, other)
  );
}

/** Who does what to whom: `Ana owes Ben` is not `Ben owes Ana`. */
function isSameOrder(one: Statement, other: Statement): boolean {
  const names = new Set([...one.names, ...other.names].map(({ term }) => term));
  const order = ({ words }: Statement) =>
    words.flatMap(({ term }) => (names.has(term) || /\d/.test(term) ? [term] : [])).join(' ');
  return order(one) === order(other);
}

async function contradiction({ said: mine }: Read, { said: theirs }: Read, pace: Pace): Promise<string | undefined> {
  if (!mine || !theirs) return undefined;
  for (const statement of mine.sentences) {
    await pace();
    if (theirs.sentences.some((other) => saysTheSame(statement, other))) continue;
    for (const other of theirs.sentences) {
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
  const names = [lacking(one.names, other), lacking(other.names, one)] as const;
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
  return one.past || other.past || shared < 2
    ? undefined
    : `${names[0][0]?.written} here, ${names[1][0]?.written} there`;
}

/** One value each that the other lacks, of one kind. 'more' if they differ otherwise. */
function swappedValues(one: readonly Value[], other: readonly Value[]): readonly [Value, Value] | 'more' | undefined {
  const [mine, theirs] = [valuesBeyond(one, other), valuesBeyond(other, one)];
  if (mine.length === 0 && theirs.length === 0) return undefined;
  const [a, b] = [mine[0], theirs[0]];
  return a && b && mine.length === theirs.length && kindOf(a) === kindOf(b) ? [a, b] : 'more';
}

function valuesBeyond(values: readonly Value[], others: readonly Value[]): Value[] {
  const known = new Set(others.map(({ value }) => value));
  return values.filter(({ value }) => !known.has(value));
}

/** A version may have more parts than the one before. */
const kindOf = ({ kind }: Value): string => (/^0(?:\.0)+$/.test(kind) && kind.length < 7 ? '0.0' : kind);

/** `Ines is the owner of …` and `Marek is the owner of …`: there is one. */
function swappedOwner(one: Statement, other: Statement): readonly [string, string] | undefined {
  if (!isTheOne(one) || !isTheOne(other)) return undefined;
  const [[mine, ...rest], [theirs, ...others]] = [one.words, other.words];
  const alike = rest.map(({ term }) => term).join(' ') === others.map(({ term }) => term).join(' ');
  return mine && theirs && mine.term !== theirs.term && alike ? [mine.written, theirs.written] : undefined;
}

const isTheOne = ({ words }: Statement): boolean =>
  /^\p{Lu}/u.test(words[0]?.written ?? '') && words[1]?.term === 'is' && words[2]?.term === 'the';

const lacking = (names: readonly Word[], { terms }: Statement): Word[] => names.filter(({ term }) => !terms.has(term));

const without = (terms: ReadonlySet<string>, others: ReadonlySet<string>, but?: string): string[] =>
  [...terms].filter((term) => !others.has(term) && term !== but);

const same = (one: ReadonlySet<string>, other: ReadonlySet<string>): boolean =>
  one.size === other.size && one.isSubsetOf(other);

const writtenOf = ({ words }: Statement, wanted: string): string =>
  words.find(({ term }) => term === wanted)?.written.toLowerCase() ?? wanted;
