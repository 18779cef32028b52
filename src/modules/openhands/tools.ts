import type { AnyTool } from '../../kernel/tool.ts';
import type { OpenHands } from './connection.ts';
import { deleteConversationTool } from './tools/delete-conversation.ts';
import { getConversationTool } from './tools/get-conversation.ts';
import { getDiffTool } from './tools/get-diff.ts';
import { getEventTool } from './tools/get-event.ts';
import { getFileTool } from './tools/get-file.ts';
import { getStatusTool } from './tools/get-status.ts';
import { listChangesTool } from './tools/list-changes.ts';
import { listConversationsTool } from './tools/list-conversations.ts';
import { listEventsTool } from './tools/list-events.ts';
import { listFilesTool } from './tools/list-files.ts';
import { sendMessageTool } from './tools/send-message.ts';
import { startConversationTool } from './tools/start-conversation.ts';
import { stopConversationTool } from './tools/stop-conversation.ts';
import { waitTool } from './tools/wait.ts';

export const tools: readonly AnyTool<OpenHands>[] = [
  listConversationsTool,
  getConversationTool,
  startConversationTool,
  sendMessageTool,
  waitTool,
  listEventsTool,
  getEventTool,
  listFilesTool,
  getFileTool,
  listChangesTool,
  getDiffTool,
  stopConversationTool,
  deleteConversationTool,
  getStatusTool,
];
