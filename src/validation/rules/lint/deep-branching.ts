import type { Rule } from '../../rule.ts';
import type { NodeView, Subject } from '../../subject/subject.ts';
import { named } from '../../messages/named.ts';

const DEEP = 5;
const branches = /\.(if|switch)$/;

/** Every nested decision doubles the number of paths. */
export const deepBranching: Rule = {
  id: 'deep-branching',
  group: 'lint',
  title: 'Decisions are not nested deeply.',
  severity: 'info',
  check(subject, report) {
    const [first, ...others] = [...depthsOf(subject)].filter(([, depth]) => depth === DEEP + 1).map(([node]) => node);
    if (!first) return;
    report({
      node: first.name,
      path: first.pointer,
      message: `This is the ${DEEP + 1}th decision in a row. One Switch with more rules, or a separate workflow for a branch, is easier to follow.${
        others.length > 0 ? ` The same goes for ${named(others)}.` : ''
      }`,
    });
  },
};

/** For each decision: how many decisions lead to it, itself included, on the shortest path. */
function depthsOf(subject: Subject): ReadonlyMap<NodeView, number> {
  const depths = new Map<NodeView, number>();
  const reached = new Map<NodeView, number>();
  const starts = subject.nodes.filter((node) => subject.to(node).every(({ kind }) => kind !== 'main'));
  let level: NodeView[] = starts;
  // One round per decision passed: first everything that is reached without another decision.
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
