import { fold, nearestNames } from '../../../kernel/nearest-names.ts';
import { shownValue } from '../../messages/kind-of.ts';
import { onErrorValues } from '../../structure/node-keys.ts';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

/** n8n accepts any string here, and stops the run at an error if it does not know the value. */
export const badOnError: Rule = {
  id: 'bad-on-error',
  group: 'structure',
  title: 'onError is stopWorkflow, continueRegularOutput or continueErrorOutput.',
  severity: 'error',
  fixesSafely: true,
  check({ nodes }, report) {
    for (const { raw, pointer, name } of nodes) {
      const value = own(raw, 'onError');
      if (typeof value !== 'string' || (onErrorValues as readonly string[]).includes(value)) continue;
      const path = `${pointer}/onError`;
      const same = onErrorValues.find((one) => fold(one) === fold(value));
      const meant = same ?? nearestNames(value, onErrorValues, 1)[0];
      report({
        path,
        node: name,
        message: `n8n does not know "onError" ${shownValue(value)} and stops the run at an error. Use stopWorkflow, continueRegularOutput (pass the item on) or continueErrorOutput (send it to a separate error output).`,
        ...(meant !== undefined && {
          fix: {
            description: `Use ${meant}.`,
            ...(meant === 'stopWorkflow'
              ? { safe: true }
              : { safe: false, changes: 'After an error n8n continues the run instead of stopping it.' }),
            patch: [{ op: 'replace' as const, path, value: meant }],
          },
        }),
      });
    }
  },
};
