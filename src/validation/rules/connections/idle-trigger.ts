import type { Rule } from '../../rule.ts';
import { mentioned } from '../../connections/mentioned.ts';
import { reachOf } from '../../connections/reach.ts';

/** It starts runs that do nothing. A workflow of only a trigger is fine: someone may just want to see it run. */
export const idleTrigger: Rule = {
  id: 'idle-trigger',
  group: 'connections',
  title: 'Every trigger leads to a node.',
  severity: { save: 'info', run: 'warning', publish: 'warning' },
  check(subject, report) {
    if (!subject.edges.some(({ kind }) => kind === 'main')) return;
    // With another connected trigger a manual run works. A published workflow would wait for this one in vain.
    const isSpare =
      subject.purpose === 'run' &&
      reachOf(subject).triggers.some((node) => !node.disabled && subject.from(node).length > 0);
    for (const node of subject.nodes) {
      if (!node.trigger || node.disabled || subject.from(node).length > 0 || subject.to(node).length > 0) continue;
      if (mentioned(subject).has(node)) continue;
      report({
        path: node.pointer,
        node: node.name,
        message: `Nothing is connected to "${node.name}", so its runs end at once. Connect the first step to it, or remove it.`,
        ...(isSpare && { severity: 'info' as const }),
      });
    }
  },
};
