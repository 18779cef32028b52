import { randomBytes } from 'node:crypto';
import { termsOf } from '../../src/kernel/terms.ts';
import type { MemoryEngine, NewMemory, Vector } from '../../src/memory/engine.ts';
import { passagesOf } from '../../src/memory/passages.ts';

const BATCH = 250;

/** Adds memories directly to the engine, with their vectors. `noted` is called after each lot. */
export async function fill(
  engine: MemoryEngine,
  texts: Iterable<string>,
  vectorOf: (at: number) => Vector,
  namespace: string,
  noted: { readonly every: number; done(count: number, passages: number): Promise<void> },
): Promise<{ memories: number; passages: number }> {
  let [memories, passages] = [0, 0];
  let batch: NewMemory[] = [];
  const flush = async () => {
    await engine.add(batch);
    memories += batch.length;
    batch = [];
    if (memories % noted.every === 0) await noted.done(memories, passages);
  };
  for (const text of texts) {
    const at = Date.now();
    const id = `m${at.toString(36)}${randomBytes(6).toString('hex')}`;
    batch.push({
      memory: {
        id,
        root: id,
        namespace,
        text,
        tags: [`tag-${memories % 50}`],
        metadata: {},
        recordedAt: at,
        validFrom: at,
        pinned: false,
        by: { principal: 'local', call: '0'.repeat(32) },
        recalls: 0,
      },
      passages: Array.from(passagesOf(text), (one) => ({
        text: one,
        words: termsOf(one).join(' '),
        vector: vectorOf(passages++),
      })),
    });
    if (batch.length === BATCH) await flush();
  }
  if (batch.length > 0) await flush();
  return { memories, passages };
}
