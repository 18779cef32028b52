import { queryTerms } from '../kernel/terms.ts';
import { compared } from './comparison/comparison.ts';
import type { MemoryEngine, NewPassage, Wanted } from './engine.ts';
import { shortened } from './shortened.ts';

/** A long text is looked for by its first words, which are in its first characters. */
const MOST_TERMS = 50;
const MOST_CHARACTERS = 2000;
/** How many neighbours a new text is compared with. */
const NEIGHBOURS = 10;

/** What a new text has to do with memories that are there. */
export interface Near {
  readonly duplicateOf?: string;
  readonly contradicts: { id: string; text: string; why: string }[];
}

/** Finds what is stored already and says the same as a new text, or something else about the same. */
export function nearIn(
  engine: MemoryEngine,
  now: () => number,
): (text: string, first: NewPassage, namespace: string, leaveOut?: string) => Promise<Near> {
  return async (text, { vector }, namespace, leaveOut) => {
    const wanted: Wanted = { namespaces: [namespace], now: now(), validAt: now() };
    const [near, worded] = await Promise.all([
      vector ? engine.byMeaning(vector, wanted, NEIGHBOURS) : [],
      engine.byWords(queryTerms(text.slice(0, MOST_CHARACTERS)).slice(0, MOST_TERMS), wanted, NEIGHBOURS),
    ]);
    const cosines = new Map(near.map(({ id, score }) => [id, score]));
    const ids = [...new Set([...near, ...worded].map(({ id }) => id))].filter((id) => id !== leaveOut);
    const memories = await engine.get(ids);
    const { duplicateOf, contradicts } = await compared(
      text,
      memories.map(({ id, text: other }) => {
        const cosine = cosines.get(id);
        return { id, text: other, ...(cosine !== undefined && { cosine }) };
      }),
    );
    const texts = new Map(memories.map(({ id, text: other }) => [id, other]));
    return {
      ...(duplicateOf !== undefined && { duplicateOf }),
      contradicts: contradicts.map(({ id, reason }) => ({
        id,
        text: shortened(texts.get(id) ?? '').text,
        why: reason,
      })),
    };
  };
}
