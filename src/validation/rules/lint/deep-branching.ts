import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject.ts';

const DEEP = 5;
const branches = /\.(if|switch)$/;

/** Decisions that hang on decisions: each doubles the ways through. */
export const deepBranching: Rule = {
  id: 'deep-branching',
  group: 'lint',
  title: 'Decisions are not nested deeply.',
  severity: { save: 'info', run: 'warning', publish: 'warning' },
  check(subject, report) {
    const depths = depthsOf(subject);
    for (const [node, depth] of depths) {
      if (depth !== DEEP + 1) continue;
      report({
        node: node.name,
        path: node.pointer,
        message: `This is the ${depth}th decision in a row. One Switch with more rules, or a workflow of its own for a branch, is easier to follow.`,
      });
    }
  },
};

/** How many decisions lie before each, itself included; along the shortest way, and circles end. */
function depthsOf(subject: Subject): ReadonlyMap<NodeView, number> {
  const depths = new Map<NodeView, number>();
  const reached = new Map<NodeView, number>();
  const starts = subject.nodes.filter((node) => subject.to(node).every(({ kind }) => kind !== 'main'));
  let level: NodeView[] = starts;
  // One round for each number of decisions passed: everything that is reached without one more comes first.
  for (let depth = 0; level.length > 0 && depth <= DEEP + 1; depth++) {
    const next: NodeView[] = [];
    const open = [...level];
    for (let node = open.pop(); node; node = open.pop()) {
      if (reached.has(node)) continue;
      const decides = branches.test(node.type);
      reached.set(node, depth);
      if (decides) depths.set(node, depth + 1);
      for (const { kind, target } of subject.from(node)) {
        if (kind === 'main' && !reached.has(target)) (decides ? next : open).push(target);
      }
    }
    level = next;
  }
  return depths;
}
