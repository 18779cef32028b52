import { z } from 'zod';
import { readOverview } from '../api/broker.ts';
import { known, rateIn } from '../api/lenient.ts';
import { rabbitmqTool } from '../tool.ts';

const count = z.int().optional();

export const getOverviewTool = rabbitmqTool({
  name: 'rabbitmq_get_overview',
  title: 'Show the broker',
  description:
    'Shows version, cluster, listeners, and totals of the whole broker: messages, rates, queues, connections, consumers.',
  phrases:
    'rabbitmq overview; version of rabbitmq; how busy is the broker; messages per second; how many queues in all',
  effect: 'read',
  input: z.strictObject({}),
  output: z.object({
    version: z.string(),
    erlang: z.string().optional(),
    cluster: z.string().optional(),
    node: z.string().optional(),
    vhost: z.string().describe('Used by calls that name none'),
    messages: z.object({ ready: count, unacked: count }),
    rates: z.object({ publish: z.number(), deliver: z.number(), ack: z.number() }).describe('A second, lately'),
    totals: z.object({ queues: count, exchanges: count, connections: count, channels: count, consumers: count }),
    listeners: z.array(z.string()).optional().describe('Protocol and port'),
  }),
  async run(_, rabbit, { signal }) {
    const found = await readOverview(rabbit, signal);
    const { queue_totals: queues, message_stats: stats, listeners } = found;
    return {
      version: found.product_version ?? found.rabbitmq_version ?? 'unknown',
      ...known({ erlang: found.erlang_version, cluster: found.cluster_name, node: found.node }),
      vhost: rabbit.vhost,
      messages: known({ ready: queues?.messages_ready, unacked: queues?.messages_unacknowledged }),
      rates: {
        publish: rateIn(stats?.publish_details),
        deliver: rateIn(stats?.deliver_get_details),
        ack: rateIn(stats?.ack_details),
      },
      totals: known(found.object_totals ?? {}),
      ...(listeners && {
        listeners: [...new Set(listeners.map(({ protocol, port }) => `${protocol} ${port}`))].slice(0, 30),
      }),
    };
  },
});
