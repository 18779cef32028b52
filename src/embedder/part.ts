import { part } from '../host/part.ts';
import type { Embedder } from './embedder.ts';

/** Loaded when somebody first compares meanings. */
export interface Embedding {
  load(): Promise<Embedder>;
}

/** One model in one thread: node search and find_tools compare meanings with it. */
export const embedderPart = part<Embedding>({
  open() {
    let loading: Promise<Embedder> | undefined;
    const load = async () => (await import('./embedder.ts')).createEmbedder();
    return {
      api: { load: () => (loading ??= load()) },
      async [Symbol.asyncDispose]() {
        await (await loading)?.[Symbol.asyncDispose]();
      },
    };
  },
});
