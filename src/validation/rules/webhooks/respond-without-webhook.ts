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
    // What nobody knows may be a webhook too.
    const starts = subject.nodes.filter(({ type, summary, sticky }) => answered.has(type) || (!summary && !sticky));
    const served = after(starts, subject);
    for (const node of nodes) {
      // What never runs answers nobody; that it never runs is said already.
      if (!reached.has(node) || served.has(node)) continue;
      const goesOn = own(node.raw, 'onError');
      const isTolerated = versionOf(node) < 1.1 || (typeof goesOn === 'string' && goesOn !== 'stopWorkflow');
      report({
        path: node.pointer,
        node: node.name,
        message: `"${node.name}" answers a webhook, and none comes before it${isTolerated ? '' : ', so that it fails'}. Begin with n8n-nodes-base.webhook and its "responseMode" set to "responseNode", or remove "${node.name}".`,
        ...(isTolerated && { severity: 'warning' as const }),
      });
    }
  },
};
