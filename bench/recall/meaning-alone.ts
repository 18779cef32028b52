import { join } from 'node:path';
import { createEmbedder } from '../../src/embedder/embedder.ts';
import type { Ranker } from './ranker.ts';

const PASSAGE_WORDS = 50;
const KEY = 'notes';

/** Cosine of the packaged model. A long note is as similar as its best passage. */
export function meaningAlone(folder: string): Ranker {
  const embedder = createEmbedder();
  let ids: readonly string[] = [];
  return {
    name: 'meaning alone (packaged model)',
    async prepare(notes) {
      const passages = notes.flatMap(({ id, text }) => passagesOf(text).map((passage) => ({ id, passage })));
      ids = passages.map(({ id }) => id);
      const texts = passages.map(({ passage }) => passage);
      const state = await embedder.hold(
        embedder.prepare({ key: KEY, texts, file: join(folder, 'notes.vectors'), make: true }),
      );
      if (state !== 'ready') throw new Error(`The packaged model does not work here: its vectors are ${state}.`);
    },
    async rank(question) {
      const alike = await embedder.compare(KEY, question);
      if (!alike) throw new Error('The thread of the packaged model ended.');
      const order = [...alike.keys()].toSorted((a, b) => (alike[b] ?? 0) - (alike[a] ?? 0));
      // A set keeps the first, which is the best passage.
      return [...new Set(order.map((at) => ids[at] ?? ''))];
    },
    [Symbol.asyncDispose]: () => embedder[Symbol.asyncDispose](),
  };
}

export function passagesOf(text: string): string[] {
  const words = text.split(/\s+/).filter((word) => word !== '');
  const passages: string[] = [];
  for (let from = 0; from < words.length; from += PASSAGE_WORDS)
    passages.push(words.slice(from, from + PASSAGE_WORDS).join(' '));
  return passages;
}
