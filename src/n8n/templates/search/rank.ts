import type { TemplateSummary } from '../template.ts';

/** The constant of reciprocal rank fusion. */
const SLOW = 10;

/** A list of ids, best first, and how much it counts. */
export interface Ranking {
  readonly ids: readonly string[];
  readonly weight: number;
}

/** Merges rankings by reciprocal rank. Of equals, the one that more people looked at comes first. */
export function fused(
  rankings: readonly Ranking[],
  templates: ReadonlyMap<string, TemplateSummary>,
): TemplateSummary[] {
  const scores = new Map<string, number>();
  for (const { ids, weight } of rankings) {
    for (const [rank, id] of ids.entries()) scores.set(id, (scores.get(id) ?? 0) + weight / (SLOW + rank + 1));
  }
  return [...scores]
    .flatMap(([id, score]) => {
      const template = templates.get(id);
      return template ? [{ template, score: score + popularity(template) }] : [];
    })
    .sort((one, other) => other.score - one.score || (one.template.id < other.template.id ? -1 : 1))
    .map(({ template }) => template);
}

/** At most what one rank in the middle of a list is worth. */
const popularity = ({ views = 0 }: TemplateSummary): number => 0.0005 * Math.log10(1 + Math.max(0, views));

/** Most viewed first, then the newest. */
export const byViews = (templates: Iterable<TemplateSummary>): TemplateSummary[] =>
  [...templates].sort(
    (one, other) =>
      (other.views ?? 0) - (one.views ?? 0) ||
      Date.parse(other.created ?? '') - Date.parse(one.created ?? '') ||
      (one.id < other.id ? -1 : 1),
  );
