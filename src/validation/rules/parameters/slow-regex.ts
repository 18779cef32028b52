import type { Rule } from '../../rule.ts';
import { repeatsItself } from '../../parameters/regex-repetition.ts';
import { regexesOf } from '../../parameters/regex-fields.ts';
import { quoted } from '../../messages/wording.ts';

export const slowRegex: Rule = {
  id: 'slow-regex',
  group: 'parameters',
  title: 'A regular expression does not need exponential time on some texts.',
  severity: 'warning',
  check(subject, report) {
    for (const { node, pointer, text, source } of regexesOf(subject)) {
      const part = repeatsItself(source);
      if (part === undefined) continue;
      report({
        node,
        path: pointer,
        message: `In ${quoted(text)} the part ${quoted(part)} repeats what already repeats: some texts take n8n longer than it allows. Repeat it once, for example a+ in place of (a+)+.`,
      });
    }
  },
};
