import { createHash } from 'node:crypto';
import type { NewImport } from './item.ts';

/**
 * Gives each memory without an identity an origin made of its source and text, so that a second import finds it. A text that
 * is in the source twice is imported twice.
 */
export function withOrigins(memories: readonly NewImport[], source: string): NewImport[] {
  const seen = new Map<string, number>();
  return memories.map((memory) => {
    if (memory.id !== undefined || memory.origin !== undefined) return memory;
    const count = (seen.get(memory.text) ?? 0) + 1;
    seen.set(memory.text, count);
    const hash = createHash('sha256').update(`${source}\0${count}\0${memory.text}`).digest('hex');
    return { ...memory, origin: `import:${hash.slice(0, 32)}` };
  });
}
