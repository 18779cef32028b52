import { keptWhileUsed } from '../../kernel/kept-while-used.ts';
import type { RankingIndex } from '../ranking/ranking.ts';
import type { ToolMeanings } from './tool-meanings.ts';
import type { Registered } from '../registry.ts';

/** With this lead, the best match by words stays the best whatever the model says: do not ask it. */
const CLEAR_LEAD = 0.3;

/** The tools that match a wish, best first. */
export type ToolSearch = (wish: string, limit: number) => Promise<Registered[]>;

/** Searches these tools by words, and by meaning if words do not decide. Builds the index when it is used. */
export function toolSearch(tools: readonly Registered[], meanings?: ToolMeanings): ToolSearch {
  const kept = keptWhileUsed(() => indexOf(tools));
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return async (wish, limit) => {
    const index = await kept.get();
    let found = index.search(wish, Math.max(limit, 2));
    const [best, second] = found;
    if (meanings && best && best.score - (second?.score ?? 0) < CLEAR_LEAD) {
      const alike = await meanings.alike(index.compared, wish);
      if (alike) found = index.search(wish, limit, alike);
    }
    return found.slice(0, limit).flatMap(({ id }) => byName.get(id) ?? []);
  };
}

/** Loads the search code on first use: most clients list tools and never search. */
async function indexOf(tools: readonly Registered[]): Promise<RankingIndex> {
  const [{ buildIndex }, { toolDocument }] = await Promise.all([
    import('../ranking/ranking.ts'),
    import('./tool-documents.ts'),
  ]);
  return buildIndex(tools.map(toolDocument));
}
