import type { Catalogue, NodeSummary } from '../catalogue.ts';
import type { Hit } from './lexical.ts';

const opened = new WeakMap<Catalogue, ReadonlyMap<string, readonly NodeSummary[]>>();

/** Adds n8n's tool variants of each node: before the node if the question asks for a tool, else after it. */
export function withVariants(catalogue: Catalogue, hits: readonly Hit[], first: boolean): Hit[] {
  let variants = opened.get(catalogue);
  if (!variants) {
    const made = catalogue.nodes().filter(({ toolOf }) => toolOf !== undefined);
    opened.set(catalogue, (variants = Map.groupBy(made, ({ toolOf }) => toolOf as string)));
  }
  return hits.flatMap((hit) => {
    const made = (variants.get(hit.node.name) ?? []).map((node) => ({ node, score: hit.score }));
    return first ? [...made, hit] : [hit, ...made];
  });
}
