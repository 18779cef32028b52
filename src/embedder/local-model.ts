import { AppError } from '../kernel/errors.ts';
import type { Embedder } from './embedder.ts';
import type { ModelInThread } from './messages.ts';
import { packaged } from './packaged.ts';
import type { EmbedOptions, TextModel } from './text-model.ts';

/** How many texts the thread gets at a time. Fewer take longer each; more make a question wait. */
const AT_ONCE = 8;
/** Somebody waits for so few: the question of a search, a note to store. */
const URGENT = AT_ONCE;

/** The model that comes with Sluice, in the thread that node search and find_tools use. */
export const packagedModel = (load: () => Promise<Embedder>): TextModel => ({
  identify: async () => packaged,
  embed: (texts, options) => embedInThread(load, texts, options),
});

/** Embeds texts bit by bit, so that others get their turn. Without a model it is the packaged one. */
export async function embedInThread(
  load: () => Promise<Embedder>,
  texts: readonly string[],
  { signal, progress, model }: EmbedOptions & { readonly model?: ModelInThread } = {},
): Promise<Float32Array[]> {
  const haste = texts.length <= URGENT ? 'urgent' : 'patient';
  const embedder = await load();
  // A model takes as long for every text of a batch as for the longest, so like lengths go together.
  const order = [...texts.keys()].sort((one, other) => lengthOf(texts, one) - lengthOf(texts, other));
  const vectors = new Map<number, Float32Array>();
  while (vectors.size < texts.length) {
    signal?.throwIfAborted();
    const some = order.slice(vectors.size, vectors.size + AT_ONCE);
    const made = await embedder.embed(
      some.map((at) => texts[at] as string),
      haste,
      model,
    );
    if (!made) throw new AppError('unavailable', 'The thread with the embedding model ended. Try again.');
    const size = made.length / some.length;
    for (const [index, at] of some.entries()) vectors.set(at, made.slice(index * size, (index + 1) * size));
    progress?.(vectors.size, texts.length);
  }
  return texts.map((_, at) => vectors.get(at) as Float32Array);
}

const lengthOf = (texts: readonly string[], at: number): number => texts[at]?.length ?? 0;
