import { late } from '../kernel/late.ts';
import { part } from '../host/part.ts';
import type { ModelChoice } from './choice.ts';
import type { Embedder } from './embedder.ts';
import type { TextModel } from './text-model.ts';

/** Loaded when somebody first compares meanings. */
export interface Embedding {
  load(): Promise<Embedder>;
  /** The model of a choice. Loads nothing until it is used; equal choices give the same object. */
  model(choice: ModelChoice): TextModel;
}

/** One thread with the models: node search, find_tools and memory compare meanings with it. */
export const embedderPart = part<Embedding>({
  commands: {
    'memory model fetch': {
      summary: 'Downloads all-MiniLM-L6-v2 and what runs it, for search by meaning with another model',
      load: async (place) => (await import('./commands/model-fetch.ts')).modelFetchCommand(place),
    },
  },
  open({ cache, idleMs }) {
    const load = late(async () => (await import('./embedder.ts')).createEmbedder({ idleMs }));
    const models = new Map<string, TextModel>();
    const keys = new Set<string>();

    function model(choice: ModelChoice): TextModel {
      const key = JSON.stringify(Object.entries(choice).sort(([one], [other]) => (one < other ? -1 : 1)));
      let known = models.get(key);
      if (!known) {
        if (choice.kind === 'url' && choice.apiKey !== undefined) keys.add(choice.apiKey);
        const open = late(async () => (await import('./models.ts')).openModel(choice, { cache, load }));
        models.set(
          key,
          (known = {
            identify: async (signal) => (await open()).identify(signal),
            embed: async (texts, options) => (await open()).embed(texts, options),
          }),
        );
      }
      return known;
    }

    return {
      api: { load, model },
      secrets: () => [...keys],
      async [Symbol.asyncDispose]() {
        await (await load.begun())?.[Symbol.asyncDispose]();
      },
    };
  },
});
