/** What search by words compares: the same for stored texts and for questions, whichever database compares them. */
import { FILLERS, FRAMES } from './fillers.ts';
import { normalized } from './normalized.ts';
import { cyrillicStem, stem, wordParts } from './stem.ts';

/** Databases get terms separated by spaces. A longer term is cut, in texts and questions alike. */
const LONGEST = 64;

/** Words of letters, digits and marks, joined as in `sluice.yaml`, `10.0.0.7`, `ORA-00942` and `max_age`; or an emoji. */
const JOINED = /[\p{L}\p{N}\p{M}]+(?:[._-][\p{L}\p{N}\p{M}]+)*|\p{Extended_Pictographic}/gu;
const SIMPLE = /^(?:[A-Z]?[a-z]+|\d+)$/;

/** Written without spaces between words. `scx` includes signs that scripts share, such as the Japanese `ー`. */
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}\\p{scx=Bopomofo}\\p{scx=Tibetan}';
const RUN = new RegExp(`[${UNSPACED}]+|\\p{scx=Hangul}+|[^${UNSPACED}\\p{scx=Hangul}]+`, 'gu');
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');
const IS_KOREAN = /^\p{scx=Hangul}/u;

/** The terms of a text, in its order, repeated as often as there. Each consists of letters and digits only. */
export function termsOf(text: string): string[] {
  const terms: string[] = [];
  for (const [joined] of folded(text).matchAll(JOINED)) {
    if (SIMPLE.test(joined)) {
      terms.push(term(joined));
      continue;
    }
    const words = joined.split(/[._-]/);
    for (const word of words) for (const [run] of word.matchAll(RUN)) addTerms(run, terms);
    if (words.length > 1) terms.push(term(whole(words)));
  }
  return terms;
}

function addTerms(run: string, terms: string[]): void {
  if (IS_UNSPACED.test(run)) {
    addPairs(run, terms);
  } else if (IS_KOREAN.test(run)) {
    // Particles are attached to the word: pairs find it with any of them.
    if (run.length > 2) addPairs(run, terms);
    terms.push(term(run));
  } else {
    const parts = /\p{M}/u.test(run) ? [] : wordParts(run);
    // A single letter or digit of `n8n` or `s3` means nothing.
    if (parts.length > 1) for (const part of parts) if (part.length > 1) terms.push(term(part));
    terms.push(term(run));
  }
}

/** `中文字` gives `中文` and `文字`. */
function addPairs(run: string, terms: string[]): void {
  const letters = Array.from(run.replaceAll(/\p{M}/gu, ''));
  if (letters.length === 1) terms.push(term(letters[0] as string));
  for (let at = 1; at < letters.length; at++) terms.push(term(`${letters[at - 1]}${letters[at]}`));
}

/** `max_age` as `maxage`. Between digits something must remain: 1.23 is not 12.3. */
const whole = (words: readonly string[]): string =>
  words.slice(0, LONGEST).reduce((start, word) => {
    const apart = /\d$/.test(start) && /^\d/.test(word);
    return `${start}${apart ? 'd' : ''}${word.slice(0, LONGEST)}`;
  });

function term(word: string): string {
  // At most two characters for a letter.
  const small = word.slice(0, 2 * LONGEST).toLowerCase();
  if (/^[a-z]*$/.test(small)) return stem(small.slice(0, LONGEST));
  if (/^[\u0430-\u045f]*$/.test(small)) return cyrillicStem(small.slice(0, LONGEST));
  // PostgreSQL splits `7e3f2a` after 7e3, which it reads as an exponent.
  const whole = /^\d+e\d/.test(small) ? `x${small}` : small;
  return plain(whole).slice(0, LONGEST);
}

/** Letters with a plain spelling that Unicode does not decompose. */
const PLAIN = new Map(
  'ß ss æ ae œ oe ø o ł l đ d ð d þ th ı i ς σ'
    .split(' ')
    .flatMap((part, at, all) => (at % 2 ? [] : [[part, all[at + 1] as string]])),
);

const plain = (small: string): string =>
  small.replaceAll(/[^a-z\d]/gu, (letter) => PLAIN.get(letter) ?? (EVERYWHERE.test(letter) ? letter : spelt(letter)));

/**
 * Letters that FTS5 and PostgreSQL read as part of a word, whatever version of Unicode they know: Latin, Greek, Cyrillic,
 * Hebrew, Arabic, Thai, Kana, Han, Hangul. They split words at marks, so at the vowels of Hindi, and at letters they do not know.
 */
const EVERYWHERE =
  /^(?=\p{L})[\u00df-\u024f\u03ac-\u03ce\u0430-\u04ff\u05d0-\u05ea\u0620-\u064a\u0671-\u06d3\u0e01-\u0e33\u0e40-\u0e46\u1e00-\u1eff\u3041-\u30fe\u4e00-\u9fa5\uac00-\ud7a3]$/u;

/** Two ideographs in place of a character. Nobody sees them: terms are only compared. */
function spelt(letter: string): string {
  const code = letter.codePointAt(0) as number;
  return String.fromCodePoint(0x60_00 + (code >> 12), 0x4e_00 + (code & 0xf_ff));
}

/** Accents, and vowel signs that Hebrew and Arabic may leave out; not those of Hindi or the voicing of Japanese. */
const OPTIONAL_MARK = /(?=\p{M})[\p{sc=Inherited}\p{sc=Hebrew}\p{sc=Arabic}](?<![\u3099\u309a])/gu;

/** Compatible forms and accents folded; invisible characters, apostrophes in words and separators of thousands left out. */
function folded(text: string): string {
  const even = /\P{ASCII}/u.test(text)
    ? normalized(text, 'NFKD')
        .replaceAll(OPTIONAL_MARK, '')
        .normalize('NFC')
        .replaceAll(/\p{Cf}/gu, '')
        .replaceAll('’', "'")
        .replaceAll(/[^\P{Nd}0-9]/gu, digit)
    : text;
  return even
    .replaceAll(/(?<=\p{L})'(?:(?:s|m|d|re|ve|ll)\b|(?=t\b))/giu, '')
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '');
}

/** Decimal digits of a script are in a row, which starts at …0 or at …6. */
function digit(letter: string): string {
  const code = letter.codePointAt(0) as number;
  const row = code & ~15;
  const from = /\p{Nd}/u.test(String.fromCodePoint(row)) ? row : row + 6;
  return String(code - from);
}

const fillers = FILLERS.map((words) => new Set(termsOf(words)));

/** More of a question ranks nothing better, and a megabyte would stop the process for a second. */
const LONGEST_QUESTION = 10_000;

/** The terms of a question, each once, without words that only ask. If it has no others, those stay. */
export function queryTerms(whole: string): string[] {
  const question = normalized(whole, 'NFC').slice(0, LONGEST_QUESTION);
  const terms = [...new Set(termsOf(question.replaceAll(FRAMES, ' ')))];
  const empty = fillersFor(terms);
  const telling = terms.filter((term) => !empty.has(term));
  if (telling.length > 0) return telling;
  return terms.length > 0 ? terms : [...new Set(termsOf(question))];
}

/** `die` and `van` are fillers in one language and not in another: take the list that has most words of the question. */
function fillersFor(terms: readonly string[]): ReadonlySet<string> {
  const counts = fillers.map((list) => terms.filter((term) => list.has(term)).length);
  return fillers[counts.indexOf(Math.max(...counts))] as ReadonlySet<string>;
}
