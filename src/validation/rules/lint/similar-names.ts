import { shown } from '../../../kernel/nearest-names.ts';
import type { Rule } from '../../rule.ts';

const folded = (name: string): string =>
  name
    .replace(/[\s_-]+/g, ' ')
    .trim()
    .toLowerCase();

/** n8n tells them apart; whoever writes $('…') will not. */
export const similarNames: Rule = {
  id: 'similar-names',
  group: 'lint',
  title: 'Names differ in more than capitals and spaces.',
  severity: 'warning',
  check(subject, report) {
    const seen = new Map<string, string>();
    for (const { name, pointer, sticky } of subject.nodes) {
      if (sticky) continue;
      const other = seen.get(folded(name));
      if (other === undefined) seen.set(folded(name), name);
      else if (other !== name) {
        report({
          node: name,
          path: `${pointer}/name`,
          message: `"${shown(name)}" and "${shown(other)}" are easily taken for one another in expressions. Rename one of them.`,
        });
      }
    }
  },
};
