import type { Way } from '../way.ts';
import { chat, chatItems } from './chat.ts';

/** The chat inside n8n's editor, in workflows of older versions. */
export const manualChat: Way = {
  kind: chat.kind,
  types: ['@n8n/n8n-nodes-langchain.manualChatTrigger'],
  items: chatItems,
};
