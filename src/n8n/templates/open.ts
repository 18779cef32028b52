import { late } from '../../kernel/late.ts';
import type { Embedder } from '../../embedder/embedder.ts';
import type { N8nHost } from '../settings.ts';
import type { TemplateLibrary } from './template.ts';

/** The template libraries. Their code is loaded by the first call. */
export function openTemplates(
  { cache, settings, log }: Pick<N8nHost, 'cache' | 'settings' | 'log'>,
  embedder: () => Promise<Embedder>,
): TemplateLibrary {
  const loaded = late(async () =>
    (await import('./library.ts')).templateLibrary({
      cache,
      settings: () => settings().templates,
      embedder,
      report: (message) => log?.write('warn', message),
    }),
  );
  return {
    get: async (...asked) => (await loaded()).get(...asked),
    search: async (...asked) => (await loaded()).search(...asked),
    suggest: async (...asked) => (await loaded()).suggest(...asked),
    sync: async (...asked) => (await loaded()).sync(...asked),
    async [Symbol.asyncDispose]() {
      await (await loaded.begun())?.[Symbol.asyncDispose]();
    },
  };
}
