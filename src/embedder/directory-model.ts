import { late } from '../kernel/late.ts';
import { AppError } from '../kernel/errors.ts';
import { FETCH, readDirectory } from './directory-files.ts';
import type { Embedder } from './embedder.ts';
import { embedInThread } from './local-model.ts';
import { findRuntime } from './runtime.ts';
import type { TextModel } from './text-model.ts';

/** A model from a directory, in the same thread as the packaged one. */
export function directoryModel(directory: string, cache: string, load: () => Promise<Embedder>): TextModel {
  // A failure is not final: the user may add what was missing.
  const opened = late(async () => {
    const { model, ...files } = await readDirectory(directory);
    const runtime = await findRuntime(cache);
    if (runtime === undefined) {
      throw new AppError(
        'unavailable',
        `The runtime for the model in ${directory} is not installed. Run \`${FETCH} --runtime-only\`.`,
      );
    }
    return { model, inThread: { ...files, runtime } };
  });

  return {
    identify: async () => (await opened()).model,
    embed: async (texts, options) => embedInThread(load, texts, { ...options, model: (await opened()).inThread }),
  };
}
