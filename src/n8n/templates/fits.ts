import type { Catalogue } from '../../nodes/catalogue.ts';
import { successorOf } from '../../validation/structure/node-type-meant.ts';
import type { TemplateSummary } from './template.ts';

export interface Fit {
  readonly fits: boolean;
  /** Types that this n8n lacks, and `type vN` for versions that it lacks. */
  readonly missing: readonly string[];
}

/** Whether an n8n has every node of a template; undefined if its catalogue does not tell. */
export function fitOf({ nodes, versions }: TemplateSummary, catalogue: Catalogue): Fit | undefined {
  if (catalogue.curatedOnly) return undefined;
  // An import replaces a type that is gone by its successor.
  const lacking = nodes.filter((type) => !catalogue.node(type) && !catalogue.node(successorOf(type) ?? ''));
  const older = (versions ?? []).flatMap(([type, version]) => {
    const known = catalogue.node(type);
    return known && !known.versions.includes(version) ? [`${type} v${version}`] : [];
  });
  const missing = [...lacking, ...older];
  return { fits: missing.length === 0, missing };
}
