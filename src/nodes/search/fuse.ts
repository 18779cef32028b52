import type { Catalogue } from '../catalogue.ts';
import type { Found, Hit } from './lexical.ts';
import type { Near } from './meaning/meaning.ts';
import { preferenceOf } from './preference.ts';
import type { Question } from './question.ts';

/** The constant of reciprocal rank fusion. Smaller than usual, because here the first few ranks matter most. */
const SLOW = 2;

/** Merges both rankings. The less confident the word search, the more the meaning counts. */
export function fused(catalogue: Catalogue, question: Question, found: Found, near: readonly Near[]): Found {
  const meant = near
    .flatMap(({ name, likeness }) => {
      const node = catalogue.node(name);
      return node ? [{ node, score: likeness * preferenceOf(node, question, catalogue) }] : [];
    })
    .sort((one, other) => other.score - one.score || (one.node.name < other.node.name ? -1 : 1));
  const ranks = new Map<string, Hit>();
  const count = (hits: readonly Hit[], weight: number) => {
    for (const [rank, { node }] of hits.entries()) {
      const score = (ranks.get(node.name)?.score ?? 0) + weight / (SLOW + rank + 1);
      ranks.set(node.name, { node, score });
    }
  };
  count(found.hits, 1);
  count(meant, 1 - found.confidence);
  const hits = [...ranks.values()].sort(
    (one, other) => other.score - one.score || (one.node.name < other.node.name ? -1 : 1),
  );
  return { hits, confidence: Math.max(found.confidence, meant[0]?.score ?? 0) };
}
