import type { Hit, Memory } from './engine.ts';
export interface Found {
  memory: Memory;
  passage: string;
  score: number;
  why: { meaning?: number; words?: string[] };
}
export function ranked({
  words,
  meaning,
  memories,
}: {
  query: string;
  terms: readonly string[];
  words: readonly Hit[];
  meaning: readonly Hit[];
  memories: ReadonlyMap<string, Memory>;
  now: number;
  halfLife: number;
}): Found[] {
  const scores = new Map<string, Found>();
  for (const list of [words, meaning])
    for (const [at, hit] of list.entries()) {
      const memory = memories.get(hit.id);
      if (!memory) continue;
      const known = scores.get(hit.id) ?? { memory, passage: hit.text, score: 0, why: {} };
      known.score += 1 / (60 + at);
      if (list === meaning) known.why.meaning ??= hit.score;
      scores.set(hit.id, known);
    }
  return [...scores.values()].sort((a, b) => b.score - a.score);
}
