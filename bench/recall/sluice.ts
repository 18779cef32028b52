import { localOwner } from '../../src/kernel/principal.ts';
import type { CallContext } from '../../src/kernel/source.ts';
import { traceFrom } from '../../src/kernel/trace.ts';
import { type Runtime, startRuntime } from '../../src/runtime.ts';
import type { Ranker } from './ranker.ts';

const MOST = 50;

const context: CallContext = {
  principal: localOwner,
  signal: new AbortController().signal,
  trace: traceFrom(),
  client: { era: 'modern', version: '', capabilities: {} },
  notify() {},
  ask: () => Promise.reject(new Error('The benchmark answers no questions.')),
};

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
