import type { RankingIndex } from '../ranking/ranking.ts';
import type { ToolMeanings } from './tool-meanings.ts';
import type { Registered } from '../registry.ts';

/** So far ahead the best by words stays the best, whatever the model says: it need not be asked. */
const CLEAR_LEAD = 0.3;

/** The tools for a wish, the best first. */
export type ToolSearch = (wish: string, limit: number) => Promise<Registered[]>;

/** Searches these tools by words, and by meaning where words leave it open. The index is built when first needed. */
export function toolSearch(tools: readonly Registered[], meanings?: ToolMeanings): ToolSearch {
  let index: RankingIndex | undefined;
  const byName = new Map(tools.map((tool) => [tool.name, tool]));
  return async (wish, limit) => {
    index ??= await indexOf(tools);
    let found = index.search(wish, Math.max(limit, 2));
    const [best, second] = found;
    if (meanings && best && best.score - (second?.score ?? 0) < CLEAR_LEAD) {
      const alike = await meanings.alike(index.compared, wish);
      if (alike) found = index.search(wish, limit, alike);
    }
    return found.slice(0, limit).flatMap(({ id }) => byName.get(id) ?? []);
  };
}

/** Most clients list tools, and never search them. */
async function indexOf(tools: readonly Registered[]): Promise<RankingIndex> {
  const [{ buildIndex }, { toolDocument }] = await Promise.all([
    import('../ranking/ranking.ts'),
    import('./tool-documents.ts'),
  ]);
  return buildIndex(tools.map(toolDocument));
}
