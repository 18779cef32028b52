import type { LikelyFix } from '../../finding.ts';
import { versionOf } from '../../subject/node-knowledge.ts';
import { isRecord, own } from '../../json/record.ts';
import type { Rule } from '../../rule.ts';
import { isOutline } from '../../structure/outline.ts';
import {
  after,
  before,
  FORM_TRIGGER,
  isAnsweringWait,
  refusesUnanswered,
  RESPOND,
  responseMode,
  WEBHOOK,
} from '../../webhooks/respond-node.ts';

/** n8n refuses calls of a webhook that leads to such a node but does not let it answer. */
export const respondNodeUnused: Rule = {
  id: 'respond-node-unused',
  group: 'webhooks',
  title: 'A Respond to Webhook node belongs to a webhook that lets it answer.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    if (isOutline(subject)) return;
    const answers = subject.nodes.filter(({ type }) => type === RESPOND);
    if (answers.length === 0) return;
    const ofForms = before(answers, subject);
    // After a Wait node that waits for a call, it answers that call.
    const ofWaits = after(subject.nodes.filter(isAnsweringWait), subject);
    const ofWebhooks = before(
      answers.filter((answer) => !ofWaits.has(answer)),
      subject,
    );
    for (const node of subject.nodes) {
      if (node.disabled || (node.type !== WEBHOOK && node.type !== FORM_TRIGGER)) continue;
      const mode = responseMode(node);
      if (mode === undefined) continue;
      const isNewForm = node.type === FORM_TRIGGER && versionOf(node) > 2.1;
      if (!isNewForm && (mode === 'responseNode' || mode === 'streaming')) continue;
      const answer = (node.type === WEBHOOK ? ofWebhooks : ofForms).get(node);
      if (!answer) continue;
      const isRefused = refusesUnanswered(node);
      const path = `${node.pointer}/parameters/responseMode`;
      const op = Object.hasOwn(node.parameters, 'responseMode') ? ('replace' as const) : ('add' as const);
      const fix: LikelyFix = {
        description: `Let "${answer.name}" answer.`,
        safe: false,
        changes: `"${answer.name}" answers the call. Now ${isRefused ? 'n8n refuses it' : `"${node.name}" does`}.`,
        patch: [{ op, path, value: 'responseNode' }],
      };
      report({
        path: answer.pointer,
        node: answer.name,
        message: isNewForm
          ? `"${answer.name}" cannot answer the form "${node.name}", and n8n refuses its submissions. Use an n8n-nodes-base.form node with the operation "completion" instead.`
          : `"${answer.name}" should answer "${node.name}", but the "responseMode" of that node is "${mode}", so ${isRefused ? 'n8n refuses every call' : 'its answer reaches nobody'}. Set "responseMode" to "responseNode", or remove "${answer.name}".`,
        ...(!isRefused && { severity: 'warning' as const }),
        ...(!isNewForm && isRecord(own(node.raw, 'parameters')) && { fix }),
      });
    }
  },
};
