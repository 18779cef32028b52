import type { LikelyFix } from '../../finding.ts';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

/** n8n still follows it, also beside "onError", and then gives other items after an error than "onError" does. */
export const deprecatedSetting: Rule = {
  id: 'deprecated-setting',
  group: 'lint',
  title: 'What happens on errors is said with onError, not with continueOnFail.',
  severity: 'info',
  check(subject, report) {
    for (const { raw, name, pointer, sticky } of subject.nodes) {
      if (sticky || own(raw, 'continueOnFail') !== true) continue;
      const path = `${pointer}/continueOnFail`;
      const isIgnored = typeof own(raw, 'onError') === 'string';
      report({
        node: name,
        path,
        message: isIgnored
          ? '"continueOnFail" is deprecated, and n8n goes on after an error because of it, whatever "onError" says. Remove it.'
          : '"continueOnFail" is deprecated. Set "onError": "continueRegularOutput": n8n goes on as well, and the item says what went wrong.',
        fix: fixOf(pointer, path, isIgnored || Object.hasOwn(raw, 'onError')),
      });
    }
  },
};

function fixOf(pointer: string, path: string, only: boolean): LikelyFix {
  const remove = { op: 'remove' as const, path };
  if (only) {
    return {
      description: 'Remove "continueOnFail".',
      safe: false,
      changes: 'After an error n8n does what "onError" says; now it goes on.',
      patch: [remove],
    };
  }
  return {
    description: 'Use "onError" instead.',
    safe: false,
    changes: 'Where an expression fails, the item says what went wrong; now it comes out empty.',
    patch: [remove, { op: 'add', path: `${pointer}/onError`, value: 'continueRegularOutput' }],
  };
}
