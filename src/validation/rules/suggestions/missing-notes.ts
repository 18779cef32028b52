import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

const MANY = 25;

export const missingNotes: Rule = {
  id: 'missing-notes',
  group: 'suggestions',
  title: 'A large workflow has notes for its next reader.',
  severity: 'info',
  check(subject, report) {
    const working = subject.nodes.filter(({ sticky }) => !sticky);
    if (working.length < MANY || working.length < subject.nodes.length) return;
    if (working.some(({ raw }) => Boolean(own(raw, 'notes')))) return;
    report({
      path: '/nodes',
      message: `${working.length} nodes, but no notes. Add sticky notes that say what each part is for.`,
    });
  },
};
