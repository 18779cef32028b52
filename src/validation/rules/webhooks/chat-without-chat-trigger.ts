import type { Rule } from '../../rule.ts';
import { reachOf } from '../../connections/reach.ts';
import { CHAT_TRIGGER, chatResponseMode } from '../../webhooks/respond-node.ts';

const CHAT = '@n8n/n8n-nodes-langchain.chat';

export const chatWithoutChatTrigger: Rule = {
  id: 'chat-without-chat-trigger',
  group: 'webhooks',
  title: 'A Chat node belongs to a chat trigger that lets response nodes answer.',
  severity: { save: 'warning', run: 'error', publish: 'error' },
  check(subject, report) {
    const chats = subject.nodes.filter(({ type, disabled }) => type === CHAT && !disabled);
    if (chats.length === 0) return;
    const triggers = subject.nodes.filter(({ type, disabled }) => type === CHAT_TRIGGER && !disabled);
    const { reached } = reachOf(subject);
    for (const node of chats) {
      if (!reached.has(node)) continue;
      const [trigger] = triggers;
      if (!trigger) {
        const message = `"${node.name}" writes into a chat, and there is no chat trigger, so that it fails. Begin with ${CHAT_TRIGGER}, with "responseMode" of its options set to "responseNodes".`;
        report({ path: node.pointer, node: node.name, message });
        continue;
      }
      const modes = triggers.map(chatResponseMode);
      if (modes.some((mode) => mode === undefined || mode === 'responseNodes')) continue;
      report({
        path: node.pointer,
        node: node.name,
        message: `"${node.name}" writes into the chat, and "responseMode" of "${trigger.name}" is "${modes[0]}", so that it fails. Set it, among the options of "${trigger.name}", to "responseNodes".`,
      });
    }
  },
};
