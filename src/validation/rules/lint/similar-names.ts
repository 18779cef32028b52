import { shown } from '../../../kernel/nearest-names.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import { named } from '../../messages/named.ts';

const folded = (name: string): string =>
  name
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase();

/** n8n tells them apart, but people who write $('…') do not. */
export const similarNames: Rule = {
  id: 'similar-names',
  group: 'lint',
  title: 'Names differ in more than capitals and spaces.',
  severity: 'info',
  check(subject, report) {
    const seen = new Map<string, string>();
    const alike: { readonly node: NodeView; readonly other: string }[] = [];
    for (const node of subject.nodes) {
      if (node.sticky) continue;
      const other = seen.get(folded(node.name));
      if (other === undefined) seen.set(folded(node.name), node.name);
      else if (other !== node.name) alike.push({ node, other });
    }
    const [first, ...others] = alike;
    if (!first) return;
    const { node, other } = first;
    report({
      node: node.name,
      path: `${node.pointer}/name`,
      message: `"${shown(node.name)}" and "${shown(other)}" are easy to confuse in expressions. Rename one of them.${
        others.length > 0 ? ` The same goes for ${named(others.map((one) => one.node))}.` : ''
      }`,
    });
  },
};
