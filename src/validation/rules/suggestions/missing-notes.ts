import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

const MANY = 25;

export const missingNotes: Rule = {
  id: 'missing-notes',
  group: 'suggestions',
  title: 'A large workflow has notes for those who come after.',
  severity: 'info',
  check(subject, report) {
    const working = subject.nodes.filter(({ sticky }) => !sticky);
    if (working.length < MANY || working.length < subject.nodes.length) return;
    if (working.some(({ raw }) => Boolean(own(raw, 'notes')))) return;
    report({
      path: '/nodes',
      message: `${working.length} nodes and not one note. Put sticky notes beside the parts that say what they are for.`,
    });
  },
};
