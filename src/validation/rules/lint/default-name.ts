import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import { named } from '../../messages/named.ts';

/** This many unnamed nodes, and no named one, are not an oversight. */
const MANY = 4;

/** Nodes that differ only in a number, or a workflow without a single chosen name, are hard to read. */
export const defaultName: Rule = {
  id: 'default-name',
  group: 'lint',
  title: 'Node names say what each node does.',
  severity: 'info',
  check(subject, report) {
    // Triggers and sub-nodes are clear without a name.
    const steps = subject.nodes.filter(
      (node) => !node.sticky && !node.trigger && subject.from(node).every(({ kind }) => kind === 'main'),
    );
    const usual = steps.filter((node) => isDefault(node, node.name));
    const numbered = subject.nodes.filter(isNumbered);
    const unnamed = numbered.length > 0 ? numbered : usual.length >= MANY && usual.length === steps.length ? usual : [];
    const [first] = unnamed;
    if (!first) return;
    report({
      node: first.name,
      path: `${first.pointer}/name`,
      message:
        unnamed.length === 1
          ? `${named(unnamed)} is a default name and does not say what the node does. Name it after its task, for example "Send invoice".`
          : `${named(unnamed)} are default names and do not say what the nodes do. Name them after their tasks, for example "Send invoice".`,
    });
  },
};

function isNumbered(node: NodeView): boolean {
  return !node.sticky && /\d$/.test(node.name) && isDefault(node, node.name.replace(/\s*\d+$/, ''));
}

function isDefault({ summary, description, name }: NodeView, bare: string): boolean {
  if (!summary || name.length > 100) return false;
  return bare === (description?.defaults?.name ?? summary.title) || bare === summary.title;
}
