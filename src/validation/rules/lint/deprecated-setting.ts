import type { LikelyFix } from '../../finding.ts';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';

/** n8n still obeys it, even next to "onError", and then returns other items after an error than "onError" does. */
export const deprecatedSetting: Rule = {
  id: 'deprecated-setting',
  group: 'lint',
  title: 'Error handling uses onError, not continueOnFail.',
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
          ? '"continueOnFail" is deprecated and overrides "onError": n8n always continues after an error. Remove it.'
          : '"continueOnFail" is deprecated. Set "onError": "continueRegularOutput" instead: n8n also continues, and the item says what went wrong.',
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
      changes: 'After an error n8n obeys "onError" instead of always continuing.',
      patch: [remove],
    };
  }
  return {
    description: 'Use "onError" instead.',
    safe: false,
    changes: 'If an expression fails, the item says what went wrong instead of being empty.',
    patch: [remove, { op: 'add', path: `${pointer}/onError`, value: 'continueRegularOutput' }],
  };
}
