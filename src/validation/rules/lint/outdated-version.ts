import type { Rule } from '../../rule.ts';

/** n8n runs every version that it has: this is for whoever is about to work on the node anyway. */
export const outdatedVersion: Rule = {
  id: 'outdated-version',
  group: 'lint',
  title: 'A node is of the present generation.',
  severity: 'info',
  check(subject, report) {
    for (const { name, pointer, version, summary, sticky, disabled } of subject.nodes) {
      if (!summary || sticky || disabled || version === undefined || !summary.versions.includes(version)) continue;
      // Small steps change details; a new generation has other parameters.
      if (Math.floor(version) >= Math.floor(summary.latest)) continue;
      report({
        node: name,
        path: `${pointer}/typeVersion`,
        message: `This is version ${version} of ${summary.title}; n8n now has ${summary.latest}. It still runs. get_node_versions shows what changed.`,
      });
    }
  },
};
