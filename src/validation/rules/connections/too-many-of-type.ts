import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';

/** n8n's editor does not allow a second one, and which of them starts a run is random. */
export const tooManyOfType: Rule = {
  id: 'too-many-of-type',
  group: 'connections',
  title: 'There are no more nodes of a type than n8n allows, for example one manual trigger.',
  severity: { run: 'warning', publish: 'warning' },
  check({ nodes }, report) {
    const byType = new Map<string, NodeView[]>();
    for (const node of nodes) {
      // Loading every description is slow, and only triggers have limits.
      if (node.disabled || !node.trigger) continue;
      const same = byType.get(node.type);
      if (same) same.push(node);
      else byType.set(node.type, [node]);
    }
    for (const same of byType.values()) {
      const most = same[0]?.description?.maxNodes;
      if (most === undefined || same.length <= most) continue;
      for (const { pointer, name, type } of same.slice(most)) {
        report({
          path: pointer,
          node: name,
          message: `n8n allows ${most} ${type} in a workflow, and "${name}" is one too many. Remove or disable it, and connect "${same[0]?.name}" to the node after it.`,
        });
      }
    }
  },
};
