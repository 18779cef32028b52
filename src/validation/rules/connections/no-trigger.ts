import type { Rule } from '../../rule.ts';
import { reachOf } from '../../connections/reach.ts';

export const noTrigger: Rule = {
  id: 'no-trigger',
  group: 'connections',
  title: 'There is a trigger that can start a run.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const { triggers } = reachOf(subject);
    // Another rule reports an empty workflow.
    if (!subject.nodes.some(({ sticky, disabled }) => !sticky && !disabled)) return;
    if (triggers.some(({ disabled }) => !disabled)) return;
    const [off] = triggers;
    report({
      path: off ? `${off.pointer}/disabled` : '/nodes',
      ...(off && { node: off.name }),
      message: off
        ? `Every trigger is disabled, so nothing can start a run. Enable "${off.name}", or add another trigger.`
        : 'There is no trigger, so nothing can start a run. Add one: n8n-nodes-base.manualTrigger to start it by hand, or a webhook, a schedule, a form, a chat or the trigger of a service.',
    });
  },
};
