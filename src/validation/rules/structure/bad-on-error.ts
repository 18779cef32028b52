import { fold, nearestNames } from '../../../kernel/nearest-names.ts';
import { shownValue } from '../../messages/kind-of.ts';
import { onErrorValues } from '../../structure/node-keys.ts';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

/** n8n takes any text and then stops at an error. */
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
        message: `"onError" cannot be ${shownValue(value)}: n8n then stops the run. Use stopWorkflow, continueRegularOutput (go on with the item) or continueErrorOutput (an output of its own for errors).`,
        ...(meant !== undefined && {
          fix: {
            description: `Use ${meant}.`,
            ...(meant === 'stopWorkflow'
              ? { safe: true }
              : { safe: false, changes: 'At an error n8n stops the run now; then it goes on.' }),
            patch: [{ op: 'replace' as const, path, value: meant }],
          },
        }),
      });
    }
  },
};
