import { z } from 'zod';
import type { RabbitMq } from '../connection.ts';
import { maybe, messageStats } from './lenient.ts';

const overview = z.object({
  rabbitmq_version: maybe(z.string()),
  product_version: maybe(z.string()),
  product_name: maybe(z.string()),
  erlang_version: maybe(z.string()),
  cluster_name: maybe(z.string()),
  node: maybe(z.string()),
  message_stats: messageStats,
  queue_totals: maybe(
    z.object({ messages: maybe(z.int()), messages_ready: maybe(z.int()), messages_unacknowledged: maybe(z.int()) }),
  ),
  object_totals: maybe(
    z.object({
      queues: maybe(z.int()),
      exchanges: maybe(z.int()),
      connections: maybe(z.int()),
      channels: maybe(z.int()),
      consumers: maybe(z.int()),
    }),
  ),
  listeners: maybe(z.array(z.object({ node: maybe(z.string()), protocol: z.string(), port: z.int() }))),
});

export type Overview = z.output<typeof overview>;

export const readOverview = async (rabbit: RabbitMq, signal: AbortSignal): Promise<Overview> =>
  await rabbit.get(overview, ['overview'], { signal });

const node = z.object({
  name: z.string(),
  running: maybe(z.boolean()),
  uptime: maybe(z.int()),
  mem_used: maybe(z.number()),
  mem_limit: maybe(z.number()),
  mem_alarm: maybe(z.boolean()),
  disk_free: maybe(z.number()),
  disk_free_limit: maybe(z.number()),
  disk_free_alarm: maybe(z.boolean()),
  fd_used: maybe(z.int()),
  fd_total: maybe(z.int()),
  sockets_used: maybe(z.int()),
  sockets_total: maybe(z.int()),
  proc_used: maybe(z.int()),
  proc_total: maybe(z.int()),
  partitions: z.array(z.string()).catch([]),
  being_drained: maybe(z.boolean()),
});

export type Node = z.output<typeof node>;

const NODE_COLUMNS = Object.keys(node.shape).join(',');

export const listNodes = async (rabbit: RabbitMq, signal: AbortSignal): Promise<Node[]> =>
  await rabbit.get(z.array(node), ['nodes'], { query: { columns: NODE_COLUMNS }, signal });
