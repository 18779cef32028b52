import { shownTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** The first "=" makes it an expression, the second is text: the result is `=5` instead of 5. */
export const expressionDoubleEquals: Rule = {
  id: 'expression-double-equals',
  group: 'expressions',
  title: 'An expression starts with exactly one "=".',
  severity: 'warning',
  check(subject, report) {
    for (const node of subject.nodes) {
      if (node.disabled || node.sticky || !node.description) continue;
      for (const { value, pointer } of shownTexts(node)) {
        // A spreadsheet formula has a name or a number after it.
        if (!/^==+\s*\{\{/.test(value)) continue;
        report({
          node: node.name,
          path: pointer,
          message:
            'This starts with more than one "=": the first makes it an expression, and the others become part of the result. Keep only one.',
          fix: {
            description: 'Keep one "=".',
            safe: false,
            changes: 'The result no longer starts with "=", as a spreadsheet formula does.',
            patch: [{ op: 'replace', path: pointer, value: value.replace(/^=+/, '=') }],
          },
        });
      }
    }
  },
};
