/** What passages are made of: at most this much, as counted below. The packaged model ignores what follows about 60 words. */
const MOST = 50;
/** A rest this long becomes one passage: two would be too short. */
const MOST_AT_END = 55;

/** Chinese, Japanese, Thai and others are written without spaces: a letter counts as half a word. */
const UNSPACED =
  '\\p{scx=Han}\\p{scx=Hiragana}\\p{scx=Katakana}\\p{scx=Thai}\\p{scx=Lao}\\p{scx=Khmer}\\p{scx=Myanmar}';
const UNSPACED_LETTER = 0.5;

/** Longer words, such as addresses and keys, count as several. */
const LONGEST_WORD = 16;
const LETTERS_A_WORD = 8;

/**
 * What is never split: a word with the space after it, or one letter of a script without spaces. Marks stay with their letter,
 * and closing punctuation with what it closes. All of it is bounded, so that passages are, whatever the text is.
 */
const ATOM = new RegExp(
  `(?!\\p{M})[${UNSPACED}]\\p{M}{0,16}[。！？、，；：」』）…]{0,16}\\s{0,64}|(?:[^\\s\\p{M}${UNSPACED}]\\p{M}{0,16}|\\p{M}){1,32}\\s{0,64}|\\s{1,64}`,
  'gu',
);
const IS_UNSPACED = new RegExp(`^[${UNSPACED}]`, 'u');

/** Where a passage may end, the best place first, and how much it must have by then to end there. */
const ENDS: readonly { readonly at: RegExp; readonly least: number }[] = [
  // A blank line.
  { at: /\n\s*\n\s*$/, least: 15 },
  { at: /\n\s*$/, least: 22 },
  // A sentence.
  { at: /(?:[.!?…]["'”’)\]]*\s+|[。！？][」』）…]*\s*|[।።؟]\s*)$/, least: 28 },
  { at: /[;:,)–—、，；：]\s*$/, least: 36 },
  { at: /\s$/, least: 1 },
];
const HEADING = /^#{1,6}\s/;
const LEAST_BEFORE_HEADING = 8;

/** Splits a text into passages for search. Joined, they are exactly the text. Reads no further than it has to. */
export function* passagesOf(text: string): Generator<string> {
  const unread = text.matchAll(ATOM);
  const atoms: string[] = [];
  const sizes: number[] = [];
  let rest = 0;
  for (;;) {
    // Whether this is the end shows only beyond it.
    while (rest <= MOST_AT_END) {
      const { value, done } = unread.next();
      if (done === true) break;
      atoms.push(value[0]);
      const size = sizeOf(value[0]);
      sizes.push(size);
      rest += size;
    }
    if (atoms.length === 0) return;
    const to = rest <= MOST_AT_END ? headingIn(atoms, sizes) : endOf(atoms, sizes);
    yield atoms.splice(0, to).join('');
    rest -= sizes.splice(0, to).reduce((sum, size) => sum + size, 0);
  }
}

function sizeOf(atom: string): number {
  if (IS_UNSPACED.test(atom)) return UNSPACED_LETTER;
  const { length } = atom.trimEnd();
  return length > LONGEST_WORD ? length / LETTERS_A_WORD : 1;
}

/** The next heading with enough text before it, or the end of the text. Called for the last few atoms only. */
function headingIn(atoms: readonly string[], sizes: readonly number[]): number {
  let size = 0;
  for (let to = 0; to < atoms.length; to++) {
    if (size >= LEAST_BEFORE_HEADING && isHeading(atoms, to)) return to;
    size += sizes[to] as number;
  }
  return atoms.length;
}

function endOf(atoms: readonly string[], sizes: readonly number[]): number {
  /** For each kind of end, the last one that fits. */
  const last: number[] = [];
  let size = 0;
  let to = 0;
  for (; to < atoms.length; to++) {
    if (size >= LEAST_BEFORE_HEADING && isHeading(atoms, to)) return to;
    size += sizes[to] as number;
    if (size > MOST && to > 0) break;
    const kind = ENDS.findIndex(({ at, least }) => size >= least && at.test(atoms[to] as string));
    if (kind >= 0) last[kind] = to + 1;
  }
  return last.find((end) => end !== undefined) ?? to;
}

const isHeading = (atoms: readonly string[], at: number): boolean =>
  /\n\s*$/.test(atoms[at - 1] ?? '') && HEADING.test(atoms[at] as string);
