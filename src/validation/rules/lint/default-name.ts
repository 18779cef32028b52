import { shown } from '../../../kernel/nearest-names.ts';
import type { Rule } from '../../rule.ts';

/** Two of a kind that only a number tells apart: nobody can read that in an expression. */
export const defaultName: Rule = {
  id: 'default-name',
  group: 'lint',
  title: 'Nodes of one type have names that say what each does.',
  severity: 'info',
  check(subject, report) {
    for (const { name, pointer, summary, description, sticky } of subject.nodes) {
      if (!summary || sticky || name.length > 100 || !/\d$/.test(name)) continue;
      const bare = name.replace(/\s*\d+$/, '');
      const usual = description?.defaults?.name ?? summary.title;
      if (bare !== usual && bare !== summary.title) continue;
      report({
        node: name,
        path: `${pointer}/name`,
        message: `"${shown(name)}" does not say what the node does. Give it a name that does, such as a verb and what it is about.`,
      });
    }
  },
};
