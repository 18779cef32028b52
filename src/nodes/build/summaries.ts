import type { NodeSummary } from '../catalogue.ts';
import type { NodeDescription } from '../description.ts';
import { classify } from '../taxonomy/taxonomy.ts';
import { asksAndWaits } from './review-variants.ts';

const ownPackages = new Set(['n8n-nodes-base', '@n8n/n8n-nodes-langchain']);

/** All descriptions of one node, oldest version first. */
export interface NodeVersions {
  readonly summary: NodeSummary;
  readonly latest: NodeDescription;
  readonly descriptions: readonly NodeDescription[];
}

/** Builds the index: one entry per node name. */
export function summarise(nodes: readonly NodeDescription[]): NodeVersions[] {
  const byName = Map.groupBy(nodes, ({ name }) => name);
  return [...byName.values()].map((descriptions) => {
    const sorted = descriptions.toSorted((one, other) => (one.version.at(-1) ?? 0) - (other.version.at(-1) ?? 0));
    const versions = [...new Set(sorted.flatMap(({ version }) => version))].sort((one, other) => one - other);
    const newest = sorted.at(-1) as NodeDescription;
    const offered = newest.defaultVersion;
    const latest = offered !== undefined && versions.includes(offered) ? offered : (versions.at(-1) ?? 1);
    const description = sorted.findLast(({ version }) => version.includes(latest)) ?? newest;
    const toolOf = standsFor(newest.name, byName);
    const home = newest.name.slice(0, newest.name.lastIndexOf('.'));
    const summary: NodeSummary = {
      name: newest.name,
      title: description.displayName,
      description: description.description ?? '',
      ...classify(description),
      package: home,
      community: !ownPackages.has(home),
      versions,
      latest,
      trigger: description.group.includes('trigger'),
      usableAsTool: Boolean(description.usableAsTool),
      ...(toolOf !== undefined && { toolOf }),
      hidden: description.hidden === true,
      deprecated: isDeprecated(description),
    };
    return { summary, latest: description, descriptions: sorted };
  });
}

/** The node that n8n generated this tool from. */
function standsFor(name: string, byName: ReadonlyMap<string, readonly NodeDescription[]>): string | undefined {
  const review = byName.get(name.replace(/HitlTool$/, ''));
  if (name.endsWith('HitlTool') && review?.some(({ properties }) => properties.some(asksAndWaits)))
    return review[0]?.name;
  const base = name.endsWith('Tool') ? byName.get(name.slice(0, -'Tool'.length)) : undefined;
  return base?.some(({ usableAsTool }) => Boolean(usableAsTool)) ? base[0]?.name : undefined;
}

/** n8n has no flag for it: the word is in the title, the description or a notice that is always shown. */
function isDeprecated({ displayName, description = '', properties }: NodeDescription): boolean {
  const notices = properties.filter(({ type, displayOptions }) => type === 'notice' && !displayOptions);
  const words = [displayName, description, ...notices.map((notice) => notice.displayName)];
  return words.some((text) => /\bdeprecated\b/i.test(text));
}
