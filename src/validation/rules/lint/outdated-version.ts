import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import { named } from '../../messages/named.ts';

/** n8n runs every version, but fixes and documents only the newest. Old workflows are full of old versions: one finding. */
export const outdatedVersion: Rule = {
  id: 'outdated-version',
  group: 'lint',
  title: 'Every node has the newest major version.',
  severity: 'info',
  check(subject, report) {
    const [first, ...others] = subject.nodes.filter(isOutdated);
    if (!first) return;
    const { name, pointer, version, summary } = first;
    report({
      node: name,
      path: `${pointer}/typeVersion`,
      message: `This is version ${version} of ${summary?.title}, which is outdated: n8n now has ${summary?.latest}. It still runs. get_node_versions shows what changed.${
        others.length > 0 ? ` ${named(others)} ${others.length > 1 ? 'are' : 'is'} outdated, too.` : ''
      }`,
    });
  },
};

function isOutdated({ version, summary, sticky, disabled }: NodeView): boolean {
  if (!summary || sticky || disabled || version === undefined || !summary.versions.includes(version)) return false;
  // A minor version changes details; a major version has other parameters.
  return Math.floor(version) < Math.floor(summary.latest);
}
