import type { Rule } from '../../rule.ts';
import { reachOf } from '../../connections/reach.ts';

/** A person starts these in n8n's editor. n8n refuses to publish a workflow without another trigger. */
const byHand: ReadonlySet<string> = new Set([
  'n8n-nodes-base.manualTrigger',
  '@n8n/n8n-nodes-langchain.manualChatTrigger',
  'n8n-nodes-base.evaluationTrigger',
  'n8n-nodes-base.start',
]);

export const publishTrigger: Rule = {
  id: 'publish-trigger',
  group: 'connections',
  title: 'A published workflow has a trigger that fires by itself.',
  severity: { publish: 'error' },
  check(subject, report) {
    const triggers = reachOf(subject).triggers.filter(({ disabled }) => !disabled);
    const [first] = triggers;
    if (!first || triggers.some(({ type }) => !byHand.has(type))) return;
    // n8n treats every node with a webhook as a trigger.
    const isTaken = subject.nodes.some(
      ({ disabled, description }) => !disabled && (description?.webhooks?.length ?? 0) > 0,
    );
    report({
      path: first.pointer,
      node: first.name,
      message: `Only a person can start this workflow: "${first.name}" works only in n8n's editor, so publishing does nothing. Add a webhook, a schedule, a form, a chat, a trigger of a service, or n8n-nodes-base.executeWorkflowTrigger for other workflows.`,
      ...(isTaken && { severity: 'warning' as const }),
    });
  },
};
