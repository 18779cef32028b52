import type { LikelyFix } from '../../finding.ts';
import type { Rule } from '../../rule.ts';
import type { NodeView } from '../../subject/subject.ts';
import {
  before,
  CHAT_TRIGGER,
  chatResponseMode,
  FORM_TRIGGER,
  isAnsweringWait,
  refusesUnanswered,
  RESPOND,
  responseMode,
  WAIT,
  WEBHOOK,
} from '../../webhooks/respond-node.ts';

/** n8n publishes the workflow, and every call then fails. */
export const respondNodeMissing: Rule = {
  id: 'respond-node-missing',
  group: 'webhooks',
  title: 'A webhook that answers through a Respond to Webhook node leads to one.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const asking = subject.nodes.filter((node) => !node.disabled && isAnsweredByNode(node));
    if (asking.length === 0) return;
    const answers = subject.nodes.filter(({ type }) => type === RESPOND);
    const enabled = answers.filter(({ disabled }) => !disabled);
    const [answered, offered] = [before(enabled, subject), before(answers, subject)];
    for (const node of asking) {
      if (answered.has(node)) continue;
      const off = offered.get(node);
      const isChat = node.type === CHAT_TRIGGER;
      const isRefused = refusesUnanswered(node);
      const path = `${node.pointer}/parameters/${isChat ? 'options/' : ''}responseMode`;
      const fix: LikelyFix = {
        description: 'Answer with the output of the last node.',
        safe: false,
        changes: 'The last node answers the call. Now nothing does.',
        patch: [{ op: 'replace', path, value: 'lastNode' }],
      };
      report({
        path,
        node: node.name,
        message: off
          ? `"${node.name}" waits for a Respond to Webhook node to answer, but "${off.name}" is disabled. Enable it, or choose another "responseMode".`
          : `"${node.name}" answers through a Respond to Webhook node ("responseMode"), but none comes after it: ${isChat ? 'the chat gets no answer' : isRefused ? 'every call fails' : 'every call gets an empty answer'}. Add one, or choose another "responseMode".${elsewhere(node, enabled)}`,
        // n8n counts a disabled node as an answer, and does not check chats.
        ...((off || isChat || node.type === WAIT || !isRefused) && { severity: 'warning' as const }),
        fix,
      });
    }
  },
};

function isAnsweredByNode(node: NodeView): boolean {
  if (node.type === CHAT_TRIGGER) return chatResponseMode(node) === 'responseNode';
  if (node.type === WAIT) return isAnsweringWait(node);
  return (node.type === WEBHOOK || node.type === FORM_TRIGGER) && responseMode(node) === 'responseNode';
}

function elsewhere(node: NodeView, [other]: readonly NodeView[]): string {
  return other ? ` "${other.name}" cannot be reached from "${node.name}".` : '';
}
