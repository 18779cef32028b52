import type { Catalogue, NodeSummary } from '../../../nodes/catalogue.ts';
import type { Rule } from '../../rule.ts';

export const unknownTypeVersion: Rule = {
  id: 'unknown-type-version',
  group: 'structure',
  title: 'Every node has a typeVersion that exists for its type.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  stopsAll: true,
  check({ nodes, catalogue }, report) {
    for (const { version, summary, pointer, name } of nodes) {
      if (!summary || version === undefined || summary.versions.includes(version)) continue;
      const path = `${pointer}/typeVersion`;
      const meant = nearestVersion(summary, version);
      const newest = summary.versions.at(-1) ?? summary.latest;
      report({
        path,
        node: name,
        ...(isUnversioned(catalogue, summary) && { severity: 'warning' as const }),
        message: `${summary.name} has no version ${version}: ${version > newest ? `this n8n goes up to ${newest}` : 'it never existed'}. It has ${summary.versions.join(', ')}; use ${meant}.`,
        fix: {
          description: `Use version ${meant}.`,
          safe: false,
          changes: `n8n runs the node as version ${meant}, which may read the parameters differently from ${version}.`,
          patch: [{ op: 'replace', path, value: meant }],
        },
      });
    }
  },
};

/** The newest version below the wanted one: the parameters were written for something at least as new. */
function nearestVersion({ versions, latest }: NodeSummary, wanted: number): number {
  if (wanted > latest) return latest;
  return versions.findLast((version) => version < wanted) ?? latest;
}

/** Some nodes are the same in every version. n8n runs them with any version number, even one that never existed. */
function isUnversioned(catalogue: Catalogue, { name, versions }: NodeSummary): boolean {
  const [description, ...others] = new Set(versions.map((version) => catalogue.description(name, version)));
  if (!description || others.length > 0 || description.defaultVersion !== undefined) return false;
  return !JSON.stringify(description).includes('"@version"');
}
