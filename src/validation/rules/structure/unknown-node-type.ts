import { didYouMean, inQuotes, shown } from '../../../kernel/nearest-names.ts';
import type { LikelyFix } from '../../finding.ts';
import { isHandedOn } from '../../structure/handed-on.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject/subject.ts';
import { type TypeMeant, typesMeant } from '../../structure/node-type-meant.ts';

/** n8n saves an unknown type, but then refuses to run or publish the workflow, even if the node is disabled. */
export const unknownNodeType: Rule = {
  id: 'unknown-node-type',
  group: 'structure',
  title: 'Every node has a type that this n8n knows.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  stopsAll: true,
  check(subject, report) {
    const meantBy = typesMeant(subject.catalogue);
    for (const node of subject.nodes) {
      if (node.summary || node.type === '') continue;
      const path = `${node.pointer}/type`;
      const base = { path, node: node.name };
      const meant = meantBy(node.type);
      const fix = fixOf(path, meant);
      const broken = subject.catalogue.origin.broken.find(({ name }) => name === node.type);
      if (broken) {
        const message = `n8n's description of ${node.type} cannot be used (${broken.reason}), so the node was not checked.`;
        report({ ...base, severity: 'warning', message });
      } else if (isForeign(node, subject)) {
        const where =
          subject.catalogue.origin.from === 'instance'
            ? 'is not installed on this n8n'
            : "is not one of n8n's own node types";
        report({
          ...base,
          // The installed packages are unknown. A workflow that was handed on has run with its packages, so they exist.
          ...(subject.catalogue.origin.from === 'packages' && {
            severity: subject.purpose !== 'publish' && isHandedOn(subject) ? ('info' as const) : ('warning' as const),
          }),
          message: `The type "${shown(node.type)}" ${where}. Install the community package ${shown(packageOf(node.type))}, or use ${meant.certain ?? 'another node'}.`,
        });
      } else {
        report({
          ...base,
          message: `n8n has no node type "${shown(node.type)}". ${advice(meant)}`,
          ...(fix && { fix }),
        });
      }
    }
  },
};

function advice({ certain, near }: TypeMeant): string {
  if (certain !== undefined) return `Use "${certain}".`;
  return didYouMean(inQuotes(near), 'search_nodes finds the right one.');
}

function fixOf(path: string, { certain, near }: TypeMeant): LikelyFix | undefined {
  const [only] = near;
  const value = certain ?? (near.length === 1 ? only : undefined);
  if (value === undefined) return undefined;
  return {
    description: `Use "${value}".`,
    safe: false,
    changes: 'The node runs. Now n8n refuses to run or publish the workflow.',
    patch: [{ op: 'replace', path, value }],
  };
}

const packageOf = (type: string): string => type.slice(0, Math.max(type.lastIndexOf('.'), 0));

/** A full type name from a package that the catalogue does not know. n8n requires package names of this form. */
function isForeign({ type }: NodeView, { catalogue }: Subject): boolean {
  const name = packageOf(type);
  if (!/^(@[^/]+\/)?n8n-nodes-./.test(name) && !name.startsWith('CUSTOM')) return false;
  return (
    !/^(n8n-nodes-(base|langchain)|@n8n\/.*)$/.test(name) && !catalogue.nodes().some((node) => node.package === name)
  );
}
