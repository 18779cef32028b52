import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import { named } from '../../messages/named.ts';

/** So many that nobody has named, and nothing else, are no oversight. */
const MANY = 4;

/** Two of a kind that only a number tells apart, or a workflow in which nobody named anything: nobody can read that. */
export const defaultName: Rule = {
  id: 'default-name',
  group: 'lint',
  title: 'Nodes have names that say what each does.',
  severity: 'info',
  check(subject, report) {
    // What begins a workflow and what serves another node is known by its kind.
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
          ? `${named(unnamed)} is a default name and does not say what the node does. Give it a name that does, such as a verb and what it is about.`
          : `${named(unnamed)} are default names and do not say what the nodes do. Give them names that do, such as a verb and what it is about.`,
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
