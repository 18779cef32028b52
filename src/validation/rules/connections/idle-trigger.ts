import type { Rule } from '../../rule.ts';
import { mentioned } from '../../connections/mentioned.ts';
import { reachOf } from '../../connections/reach.ts';

/** It begins a run of nothing, where others begin one of something. Alone it may be all that somebody wants to see run. */
export const idleTrigger: Rule = {
  id: 'idle-trigger',
  group: 'connections',
  title: 'Every trigger leads to a node.',
  severity: { save: 'info', run: 'warning', publish: 'warning' },
  check(subject, report) {
    if (!subject.edges.some(({ kind }) => kind === 'main')) return;
    // Beside one that leads on no run goes wrong. What is published waits for it in vain.
    const isSpare =
      subject.purpose === 'run' &&
      reachOf(subject).triggers.some((node) => !node.disabled && subject.from(node).length > 0);
    for (const node of subject.nodes) {
      if (!node.trigger || node.disabled || subject.from(node).length > 0 || subject.to(node).length > 0) continue;
      if (mentioned(subject).has(node)) continue;
      report({
        path: node.pointer,
        node: node.name,
        message: `Nothing is connected to "${node.name}": what it starts ends at once. Connect the node that comes first, or remove it.`,
        ...(isSpare && { severity: 'info' as const }),
      });
    }
  },
};
