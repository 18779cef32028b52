import { createHash } from 'node:crypto';
import type { Pace } from '../../kernel/pace.ts';
import type { NewImport } from './item.ts';

/**
 * Gives each memory without an identity an origin made of its source and text, so that a second import finds it. A text that
 * is in the source twice is imported twice.
 */
export async function withOrigins(memories: readonly NewImport[], source: string, pace: Pace): Promise<NewImport[]> {
  const seen = new Map<string, number>();
  const known: NewImport[] = [];
  for (const memory of memories) {
    if (memory.id !== undefined || memory.origin !== undefined) {
      known.push(memory);
      continue;
    }
    await pace();
    const count = (seen.get(memory.text) ?? 0) + 1;
    seen.set(memory.text, count);
    const hash = createHash('sha256').update(`${source}\0${count}\0${memory.text}`).digest('hex');
    known.push({ ...memory, origin: `import:${hash.slice(0, 32)}` });
  }
  return known;
}
