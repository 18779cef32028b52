import type { Rule } from '../../rule.ts';
import { reachOf } from '../../connections/reach.ts';
import { CHAT_TRIGGER, chatResponseMode } from '../../webhooks/respond-node.ts';

const CHAT = '@n8n/n8n-nodes-langchain.chat';

export const chatWithoutChatTrigger: Rule = {
  id: 'chat-without-chat-trigger',
  group: 'webhooks',
  title: 'A workflow with a Chat node has a chat trigger that lets response nodes answer.',
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
        const message = `"${node.name}" writes to a chat, but the workflow has no chat trigger, so the node fails. Start with ${CHAT_TRIGGER} and set its option "responseMode" to "responseNodes".`;
        report({ path: node.pointer, node: node.name, message });
        continue;
      }
      const modes = triggers.map(chatResponseMode);
      if (modes.some((mode) => mode === undefined || mode === 'responseNodes')) continue;
      report({
        path: node.pointer,
        node: node.name,
        message: `"${node.name}" writes to the chat, but the option "responseMode" of "${trigger.name}" is "${modes[0]}", so the node fails. Set that option to "responseNodes".`,
      });
    }
  },
};
