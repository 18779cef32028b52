import type { Rule } from '../../rule.ts';

export const disabledNode: Rule = {
  id: 'disabled-node',
  group: 'lint',
  title: 'No node is left disabled.',
  severity: 'info',
  check(subject, report) {
    for (const { name, pointer, disabled, sticky } of subject.nodes) {
      if (!disabled || sticky) continue;
      report({
        node: name,
        path: `${pointer}/disabled`,
        message:
          'This node is disabled: what comes in passes through it unchanged. Remove it if it is no longer needed.',
      });
    }
  },
};
