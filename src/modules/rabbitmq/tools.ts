import type { AnyTool } from '../../kernel/tool.ts';
import type { RabbitMq } from './connection.ts';
import { checkHealthTool } from './tools/check-health.ts';
import { closeConnectionTool } from './tools/close-connection.ts';
import { declareBindingTool } from './tools/declare-binding.ts';
import { declareExchangeTool } from './tools/declare-exchange.ts';
import { declareQueueTool } from './tools/declare-queue.ts';
import { deleteBindingTool } from './tools/delete-binding.ts';
import { deleteExchangeTool } from './tools/delete-exchange.ts';
import { deleteQueueTool } from './tools/delete-queue.ts';
import { getExchangeTool } from './tools/get-exchange.ts';
import { getOverviewTool } from './tools/get-overview.ts';
import { getQueueTool } from './tools/get-queue.ts';
import { listBindingsTool } from './tools/list-bindings.ts';
import { listChannelsTool } from './tools/list-channels.ts';
import { listConnectionsTool } from './tools/list-connections.ts';
import { listConsumersTool } from './tools/list-consumers.ts';
import { listExchangesTool } from './tools/list-exchanges.ts';
import { listNodesTool } from './tools/list-nodes.ts';
import { listPoliciesTool } from './tools/list-policies.ts';
import { listQueuesTool } from './tools/list-queues.ts';
import { listUsersTool } from './tools/list-users.ts';
import { listVhostsTool } from './tools/list-vhosts.ts';
import { peekMessagesTool } from './tools/peek-messages.ts';
import { publishMessageTool } from './tools/publish-message.ts';
import { purgeQueueTool } from './tools/purge-queue.ts';

export const tools: readonly AnyTool<RabbitMq>[] = [
  getOverviewTool,
  checkHealthTool,
  listNodesTool,
  listQueuesTool,
  getQueueTool,
  peekMessagesTool,
  publishMessageTool,
  purgeQueueTool,
  declareQueueTool,
  deleteQueueTool,
  listExchangesTool,
  getExchangeTool,
  declareExchangeTool,
  deleteExchangeTool,
  listBindingsTool,
  declareBindingTool,
  deleteBindingTool,
  listConsumersTool,
  listConnectionsTool,
  listChannelsTool,
  closeConnectionTool,
  listVhostsTool,
  listUsersTool,
  listPoliciesTool,
];
