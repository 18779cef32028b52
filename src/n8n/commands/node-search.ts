import type { Catalogue } from '../../nodes/catalogue.ts';
import { createMeaning } from '../../nodes/search/meaning/meaning.ts';
import { searchNodes } from '../../nodes/search/search.ts';

export interface FoundNode {
  readonly name: string;
  readonly title: string;
  readonly type: string;
  readonly score: number;
}

/** The nodes for a question, as `sluice nodes search --json` prints them. */
export async function findNodes(
  catalogue: Catalogue,
  query: string,
  { vectors, progress }: { vectors: string; progress(done: number, of: number): void },
): Promise<FoundNode[]> {
  await using meaning = createMeaning({ vectors });
  const { hits } = await searchNodes(catalogue, query, {
    meaning: {
      ...meaning,
      // A command asks once, so wait until the vectors are ready.
      near: async (...asked) => ((await meaning.prepare(catalogue, progress)) ? meaning.near(...asked) : undefined),
    },
  });
  return hits.map(({ node, score }) => ({ name: node.name, title: node.title, type: node.type, score }));
}
