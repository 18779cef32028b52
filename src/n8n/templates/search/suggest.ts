import type { Suggested, TemplateSummary } from '../template.ts';
import type { WantedNode } from './wanted-nodes.ts';

/** Templates that have some of the nodes: most of them first, then with the fewest others, then the most viewed. */
export function coverage(templates: Iterable<TemplateSummary>, nodes: readonly WantedNode[]): Suggested[] {
  const found: Suggested[] = [];
  for (const template of templates) {
    const covered = nodes.filter((node) => template.nodes.some(node.matches)).map(({ given }) => given);
    if (covered.length === 0) continue;
    const extra = template.nodes.filter((type) => !nodes.some((node) => node.matches(type)));
    found.push({ template, covered, extra });
  }
  return found.sort(
    (one, other) =>
      other.covered.length - one.covered.length ||
      one.extra.length - other.extra.length ||
      (other.template.views ?? 0) - (one.template.views ?? 0) ||
      (one.template.id < other.template.id ? -1 : 1),
  );
}
