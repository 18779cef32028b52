import { type Runtime, startRuntime } from '../../src/runtime.ts';
import { ownContext as context } from '../../test/support/own-memory.ts';
import type { Ranker } from './ranker.ts';

const MOST = 50;

/** Sluice's own memory, as memory_store and memory_search have it. */
export function sluiceMemory(folder: string): Ranker {
  let runtime: Runtime | undefined;
  const memory = async () => {
    runtime ??= await startRuntime({ home: folder, cwd: folder, env: {} });
    return (await runtime.apis.memory.open()).memory;
  };
  return {
    name: "Sluice's memory",
    async prepare(notes) {
      const service = await memory();
      for (const { id, text } of notes) await service.store({ text, metadata: { id } }, context);
    },
    async rank(question) {
      const { found } = await (await memory()).search(question, {}, MOST, context);
      return found.map(({ memory: { metadata } }) => String(metadata.id));
    },
    async [Symbol.asyncDispose]() {
      await runtime?.[Symbol.asyncDispose]();
    },
  };
}
