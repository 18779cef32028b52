import { shown } from '../../../kernel/nearest-names.ts';
import type { Rule } from '../../rule.ts';
import { asksAnother, loopsOf } from '../../connections/loops.ts';

/** Most nodes already run once for each item. */
export const needlessLoop: Rule = {
  id: 'needless-loop',
  group: 'suggestions',
  title: 'There is no loop around a node that n8n already runs for each item.',
  severity: 'info',
  check(subject, report) {
    for (const { over, body } of loopsOf(subject)) {
      const [step, ...more] = body;
      if (
        !step ||
        more.length > 0 ||
        asksAnother(step) ||
        !/\.(set|if|filter|dateTime|crypto|html|markdown|xml)$/.test(step.type)
      )
        continue;
      report({
        node: over.name,
        path: over.pointer,
        message: `"${shown(step.name)}" already runs for every item: connect it directly and remove the loop.`,
      });
    }
  },
};
