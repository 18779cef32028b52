import type { AnyTool } from '../../kernel/tool.ts';
import type { Dify } from './connection.ts';
import { addDocumentTool } from './tools/add-document.ts';
import { chatTool } from './tools/chat.ts';
import { completeTool } from './tools/complete.ts';
import { createDatasetTool } from './tools/create-dataset.ts';
import { deleteConversationTool } from './tools/delete-conversation.ts';
import { deleteDatasetTool } from './tools/delete-dataset.ts';
import { deleteDocumentTool } from './tools/delete-document.ts';
import { getAppTool } from './tools/get-app.ts';
import { getDatasetTool } from './tools/get-dataset.ts';
import { getDocumentTool } from './tools/get-document.ts';
import { getMessageTool } from './tools/get-message.ts';
import { getRunTool } from './tools/get-run.ts';
import { listAppsTool } from './tools/list-apps.ts';
import { listConversationsTool } from './tools/list-conversations.ts';
import { listDatasetsTool } from './tools/list-datasets.ts';
import { listDocumentsTool } from './tools/list-documents.ts';
import { listMessagesTool } from './tools/list-messages.ts';
import { listRunsTool } from './tools/list-runs.ts';
import { renameConversationTool } from './tools/rename-conversation.ts';
import { runWorkflowTool } from './tools/run-workflow.ts';
import { searchDatasetTool } from './tools/search-dataset.ts';
import { sendFeedbackTool } from './tools/send-feedback.ts';
import { stopTaskTool } from './tools/stop-task.ts';
import { updateDocumentTool } from './tools/update-document.ts';

export const tools: readonly AnyTool<Dify>[] = [
  listAppsTool,
  getAppTool,
  chatTool,
  completeTool,
  runWorkflowTool,
  getRunTool,
  listRunsTool,
  stopTaskTool,
  listConversationsTool,
  listMessagesTool,
  getMessageTool,
  renameConversationTool,
  deleteConversationTool,
  sendFeedbackTool,
  listDatasetsTool,
  getDatasetTool,
  searchDatasetTool,
  listDocumentsTool,
  getDocumentTool,
  addDocumentTool,
  updateDocumentTool,
  deleteDocumentTool,
  createDatasetTool,
  deleteDatasetTool,
];
