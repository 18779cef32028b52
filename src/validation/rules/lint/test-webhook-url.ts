import { shownTexts } from '../../expressions/texts.ts';
import type { Rule } from '../../rule.ts';

/** n8n answers there only while someone in the editor listens for one call. */
export const testWebhookUrl: Rule = {
  id: 'test-webhook-url',
  group: 'lint',
  title: 'No node calls the test URL of a webhook.',
  severity: { save: 'info', run: 'warning', publish: 'warning' },
  check(subject, report) {
    for (const node of subject.nodes) {
      if (node.disabled || node.sticky || !node.description) continue;
      for (const { value, pointer, field } of shownTexts(node)) {
        if (!/url|endpoint/i.test(field?.property.name ?? '') || !/^=?https?:\/\/[^\s?]*\/webhook-test\//.test(value))
          continue;
        report({
          node: node.name,
          path: pointer,
          message: 'n8n answers at /webhook-test/ only while someone listens in the editor. Call /webhook/ instead.',
        });
      }
    }
  },
};
