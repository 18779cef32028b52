import type { Rule } from '../../rule.ts';
import { regexesOf } from '../../parameters/regex-fields.ts';
import { quoted } from '../../messages/wording.ts';

export const invalidRegex: Rule = {
  id: 'invalid-regex',
  group: 'parameters',
  title: 'A regular expression can be compiled.',
  severity: 'error',
  check(subject, report) {
    for (const { node, pointer, text, source, flags } of regexesOf(subject)) {
      const why = refusalOf(source, flags);
      if (why === undefined) continue;
      report({
        node,
        path: pointer,
        message: `${quoted(text)} is not a valid regular expression: ${why}. Put \\ before characters that you mean literally.`,
      });
    }
  },
};

/** The engine's message, without the expression that it repeats. */
function refusalOf(source: string, flags: string): string | undefined {
  try {
    void new RegExp(source, flags);
    return undefined;
  } catch (error) {
    const message = error instanceof Error ? error.message : '';
    return message.slice(message.lastIndexOf(': ') + 2).toLowerCase() || 'it cannot be compiled';
  }
}
