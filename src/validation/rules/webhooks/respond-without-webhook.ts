import { versionOf } from '../../subject/node-knowledge.ts';
import { own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import { reachOf } from '../../connections/reach.ts';
import { after, CHAT_TRIGGER, FORM_TRIGGER, RESPOND, WAIT, WEBHOOK } from '../../webhooks/respond-node.ts';

const answered: ReadonlySet<string> = new Set([WEBHOOK, FORM_TRIGGER, CHAT_TRIGGER, WAIT]);

export const respondWithoutWebhook: Rule = {
  id: 'respond-without-webhook',
  group: 'webhooks',
  title: 'A Respond to Webhook node comes after a webhook.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const nodes = subject.nodes.filter(({ type, disabled }) => type === RESPOND && !disabled);
    if (nodes.length === 0) return;
    const { reached } = reachOf(subject);
    // A node of an unknown type may be a webhook.
    const starts = subject.nodes.filter(({ type, summary, sticky }) => answered.has(type) || (!summary && !sticky));
    const served = after(starts, subject);
    for (const node of nodes) {
      // A node that never runs is reported by another rule.
      if (!reached.has(node) || served.has(node)) continue;
      const goesOn = own(node.raw, 'onError');
      const isTolerated = versionOf(node) < 1.1 || (typeof goesOn === 'string' && goesOn !== 'stopWorkflow');
      report({
        path: node.pointer,
        node: node.name,
        message: `"${node.name}" answers a webhook, but none comes before it${isTolerated ? '' : ', so it fails'}. Start with n8n-nodes-base.webhook and set its "responseMode" to "responseNode", or remove "${node.name}".`,
        ...(isTolerated && { severity: 'warning' as const }),
      });
    }
  },
};
