import { shownTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** The first "=" makes it an expression, the second is text: `=5` comes out, where 5 was meant. */
export const expressionDoubleEquals: Rule = {
  id: 'expression-double-equals',
  group: 'expressions',
  title: 'An expression begins with one "=".',
  severity: 'warning',
  check(subject, report) {
    for (const node of subject.nodes) {
      if (node.disabled || node.sticky || !node.description) continue;
      for (const { value, pointer } of shownTexts(node)) {
        // A formula of a spreadsheet has a name or a number behind it.
        if (!/^==+\s*\{\{/.test(value)) continue;
        report({
          node: node.name,
          path: pointer,
          message:
            'This begins with more than one "=": the first makes it an expression, and the rest is put before what comes out. Leave only one.',
          fix: {
            description: 'Leave one "="',
            safe: false,
            changes: 'What comes out no longer begins with "=", as a formula of a spreadsheet does.',
            patch: [{ op: 'replace', path: pointer, value: value.replace(/^=+/, '=') }],
          },
        });
      }
    }
  },
};
