import { shown } from '../../../kernel/nearest-names.ts';
import type { Rule } from '../../rule.ts';
import { asksAnother, loopsOf } from '../../connections/loops.ts';

/** Most nodes do their work once for each item by themselves. */
export const needlessLoop: Rule = {
  id: 'needless-loop',
  group: 'suggestions',
  title: 'There is no loop around what n8n repeats by itself.',
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
        message: `"${shown(step.name)}" works on every item by itself: connect it directly and remove the loop.`,
      });
    }
  },
};
