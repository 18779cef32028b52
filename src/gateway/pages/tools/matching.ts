import type { Brief } from './tool-types.ts';

export interface Filters {
  readonly source?: string | undefined;
  readonly effect?: string | undefined;
  readonly exposure?: string | undefined;
}

/** Names have one word or several joined; a wish has several words. */
export const isWish = (text: string): boolean => text.trim().split(/\s+/).length > 1;

/** Searchable texts, made once for each list of thousands. */
export function indexed(tools: readonly Brief[]) {
  return tools.map((tool) => ({
    tool,
    name: tool.name.toLowerCase(),
    text: `${tool.name} ${tool.title ?? ''} ${tool.description}`.toLowerCase(),
  }));
}

export type Indexed = ReturnType<typeof indexed>;

/** Tools with all these words, those with them in the name first. `best` are the names that fit a wish, the best first. */
export function found(all: Indexed, text: string, filters: Filters, best: readonly string[] = []): Brief[] {
  const words = text
    .toLowerCase()
    .split(/\s+/)
    .filter((word) => word !== '');
  const fitting = all.filter(({ tool }) => fits(tool, filters));
  if (words.length === 0) return fitting.map(({ tool }) => tool);
  const ranks = new Map(best.map((name, at) => [name, at]));
  const scored = fitting.flatMap((one) => {
    const rank = ranks.get(one.tool.name);
    if (rank !== undefined) return [{ ...one, score: rank }];
    if (!words.every((word) => one.text.includes(word))) return [];
    return [{ ...one, score: best.length + nearness(one.name, words) }];
  });
  return scored.toSorted((a, b) => a.score - b.score).map(({ tool }) => tool);
}

function nearness(name: string, words: readonly string[]): number {
  const [first = ''] = words;
  if (name === first) return 0;
  if (name.startsWith(first) || name.includes(`__${first}`)) return 1;
  return words.every((word) => name.includes(word)) ? 2 : 3;
}

const fits = (tool: Brief, { source, effect, exposure }: Filters): boolean =>
  (source === undefined || tool.source === source) &&
  (effect === undefined || tool.effect === effect) &&
  (exposure === undefined || tool.exposure === exposure);
