import type { LikelyFix } from '../../finding.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject/subject.ts';
import { isRegularNodeAsTool } from '../../connections/misused-edges.ts';

/** A model can use a node only through its `…Tool` variant. */
export const regularNodeAsTool: Rule = {
  id: 'regular-node-as-tool',
  group: 'connections',
  title: 'A node that is connected as a tool has the tool variant of its type.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    for (const edge of subject.edges) {
      if (!isRegularNodeAsTool(edge)) continue;
      const { source, target } = edge;
      const variant = variantOf(source, subject);
      const isAlone = subject.from(source).every(({ kind }) => kind === 'ai_tool') && subject.to(source).length === 0;
      const fix: LikelyFix | undefined =
        variant !== undefined && isAlone
          ? {
              description: `Change the type to "${variant}".`,
              safe: false,
              changes: `"${target.name}" can call it. Now it cannot.`,
              patch: [{ op: 'replace', path: `${source.pointer}/type`, value: variant }],
            }
          : undefined;
      report({
        path: edge.pointer,
        node: source.name,
        message:
          variant === undefined
            ? `"${source.name}" (${source.type}) is not a tool and has no tool variant, so "${target.name}" cannot use it. Put it into another workflow, and call that with a tool such as @n8n/n8n-nodes-langchain.toolWorkflow.`
            : `"${source.name}" is a regular node, but "${target.name}" can use only tools. Change its type to "${variant}".`,
        ...(fix && { fix }),
      });
    }
  },
};

/** The tool variant, if it has the same version. */
function variantOf({ type, version }: NodeView, { catalogue }: Subject): string | undefined {
  const variant = catalogue.node(`${type}Tool`);
  if (variant?.toolOf !== type) return undefined;
  return version === undefined || variant.versions.includes(version) ? variant.name : undefined;
}
