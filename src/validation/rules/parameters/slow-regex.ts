import type { Rule } from '../../rule.ts';
import { repeatsItself } from '../../parameters/regex-repetition.ts';
import { regexesOf } from '../../parameters/regex-fields.ts';
import { quoted } from '../../messages/wording.ts';

export const slowRegex: Rule = {
  id: 'slow-regex',
  group: 'parameters',
  title: 'No regular expression takes exponential time on some input.',
  severity: 'warning',
  check(subject, report) {
    for (const { node, pointer, text, source } of regexesOf(subject)) {
      const part = repeatsItself(source);
      if (part === undefined) continue;
      report({
        node,
        path: pointer,
        message: `In ${quoted(text)} the part ${quoted(part)} repeats something that already repeats: on some input it takes longer than n8n allows. Repeat it once, for example a+ instead of (a+)+.`,
      });
    }
  },
};
