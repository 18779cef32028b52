import { part } from '../host/part.ts';
import type { Embedder } from './embedder.ts';

/** One model in one thread: node search and find_tools compare meanings with it. */
export const embedderPart = part<Embedder>({
  async open() {
    const { createEmbedder } = await import('./embedder.ts');
    const embedder = createEmbedder();
    return { api: embedder, [Symbol.asyncDispose]: () => embedder[Symbol.asyncDispose]() };
  },
});
