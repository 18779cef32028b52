import type { Catalogue, NodeSummary } from '../../../nodes/catalogue.ts';
import type { Rule } from '../../rule.ts';

export const unknownTypeVersion: Rule = {
  id: 'unknown-type-version',
  group: 'structure',
  title: 'The typeVersion of every node is one that its type has.',
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
        message: `${summary.name} has no version ${version}: ${version > newest ? `this n8n goes up to ${newest}` : 'there never was one'}. It has ${summary.versions.join(', ')}; use ${meant}.`,
        fix: {
          description: `Use version ${meant}.`,
          safe: false,
          changes: `n8n runs the node as version ${meant}, which may read its parameters in another way than ${version} would.`,
          patch: [{ op: 'replace', path, value: meant }],
        },
      });
    }
  },
};

/** The parameters were written for something at least as new. */
function nearestVersion({ versions, latest }: NodeSummary, wanted: number): number {
  if (wanted > latest) return latest;
  return versions.findLast((version) => version < wanted) ?? latest;
}

/** Some nodes are the same in every version, and n8n then runs them in any, also in one that it never had. */
function isUnversioned(catalogue: Catalogue, { name, versions }: NodeSummary): boolean {
  const [description, ...others] = new Set(versions.map((version) => catalogue.description(name, version)));
  if (!description || others.length > 0 || description.defaultVersion !== undefined) return false;
  return !JSON.stringify(description).includes('"@version"');
}
