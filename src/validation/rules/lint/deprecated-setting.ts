import type { Fix } from '../../finding.ts';
import { own } from '../../record.ts';
import type { Rule } from '../../rule.ts';

/** n8n has had onError for years, and reads this only where that is not set. */
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
          ? '"continueOnFail" is deprecated, and n8n ignores it beside "onError". Remove it.'
          : '"continueOnFail" is deprecated. Set "onError": "continueRegularOutput", which does the same.',
        fix: fixOf(pointer, path, isIgnored || Object.hasOwn(raw, 'onError')),
      });
    }
  },
};

function fixOf(pointer: string, path: string, only: boolean): Fix {
  const remove = { op: 'remove' as const, path };
  if (only) return { description: 'Remove "continueOnFail".', safe: true, patch: [remove] };
  return {
    description: 'Say the same with "onError".',
    safe: true,
    patch: [remove, { op: 'add', path: `${pointer}/onError`, value: 'continueRegularOutput' }],
  };
}
