import { notes } from '../../test/recall/notes.ts';

/** The same numbers in each run: mulberry32. */
export function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

const sentences = notes.flatMap(({ text }) => text.split(/(?<=[.!?])\s+/));
const vocabulary = [...new Set(sentences.flatMap((sentence) => sentence.match(/\p{L}{4,}/gu) ?? []))];

/** How long memories are: a fact in most cases, a page in few. Words, and the share of memories up to there. */
const LENGTHS = [
  { share: 0.8, from: 8, to: 40 },
  { share: 0.95, from: 50, to: 120 },
  { share: 0.995, from: 150, to: 400 },
  { share: 1, from: 800, to: 1200 },
] as const;

/**
 * Texts as people write them: sentences of the notes for the recall suite, in which every fourth word is another one (a rare
 * word rarely, as in any language), numbers are others, and every third sentence names a host that few others name.
 */
export function* memoryTexts(count: number, seed = 1): Generator<string> {
  const next = random(seed);
  const pick = <T>(of: readonly T[], at: number): T => of[Math.floor(at * of.length)] as T;
  const word = (old: string) => (next() < 0.25 ? pick(vocabulary, next() ** 3) : old);
  const sentence = () => {
    const plain = pick(sentences, next())
      .replace(/\p{L}{4,}/gu, word)
      .replace(/\d+/g, (digits) => String(Math.floor(next() * 10 ** digits.length)));
    return next() < 0.33 ? `On host-${Math.floor(next() * 20_000)}: ${plain}` : plain;
  };
  for (let made = 0; made < count; made++) {
    const kind = next();
    const { from, to } = LENGTHS.find(({ share }) => kind < share) ?? LENGTHS[0];
    const most = from + next() * (to - from);
    const parts: string[] = [];
    for (let words = 0; words < most; ) {
      const one = sentence();
      parts.push(one);
      words += one.split(' ').length;
    }
    yield parts.join(' ');
  }
}
