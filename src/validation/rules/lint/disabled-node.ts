import type { Rule } from '../../rule.ts';
import { named } from '../../messages/named.ts';

export const disabledNode: Rule = {
  id: 'disabled-node',
  group: 'lint',
  title: 'No node is left disabled.',
  severity: 'info',
  check(subject, report) {
    const [first, ...others] = subject.nodes.filter(({ disabled, sticky }) => disabled && !sticky);
    if (!first) return;
    report({
      node: first.name,
      path: `${first.pointer}/disabled`,
      message: `This node is disabled: its input passes through unchanged. Remove it if you no longer need it.${
        others.length > 0 ? ` The same goes for ${named(others)}.` : ''
      }`,
    });
  },
};
