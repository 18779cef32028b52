import { z } from 'zod';
import { bindingsOf } from '../api/bindings.ts';
import { known, rateIn } from '../api/lenient.ts';
import { readQueue } from '../api/queues.ts';
import { deliveryLimitOf } from '../delivery-limit.ts';
import { named } from '../missing.ts';
import { shownArguments } from '../shown-arguments.ts';
import { queueInput, rabbitmqTool, vhostInput, vhostOf } from '../tool.ts';

const FEW = 5;

export const getQueueTool = rabbitmqTool({
  name: 'rabbitmq_get_queue',
  title: 'Show a queue',
  description:
    'Shows a queue: messages, bytes, rates, consumers, arguments, policy, where it lives, and how many bindings it has.',
  phrases:
    'details of a queue; how many messages are in this queue; who consumes this queue; is the queue growing; settings of a queue; queue rates',
  effect: 'read',
  input: z.strictObject({ queue: queueInput, vhost: vhostInput }),
  output: z.object({
    name: z.string(),
    vhost: z.string(),
    type: z.string(),
    state: z.string().optional(),
    durable: z.boolean().optional(),
    auto_delete: z.boolean().optional(),
    exclusive: z.boolean().optional(),
    messages: z.int().optional(),
    ready: z.int().optional(),
    unacked: z.int().optional().describe('Delivered and not acknowledged'),
    bytes: z.int().optional().describe('Of the payloads'),
    memory: z.int().optional().describe('Bytes'),
    rates: z
      .object({ publish: z.number(), deliver: z.number(), ack: z.number(), growth: z.number() })
      .describe('A second, lately'),
    consumers: z.int(),
    first_consumers: z.array(
      z.object({ tag: z.string(), connection: z.string().optional(), prefetch: z.int().optional() }),
    ),
    consumer_utilisation: z.number().optional().describe('1: consumers are never the bottleneck'),
    arguments: z.record(z.string(), z.unknown()),
    policy: z.string().optional(),
    policy_settings: z.record(z.string(), z.unknown()).optional(),
    delivery_limit: z.int().optional().describe('After so many deliveries a message is dropped or dead-lettered'),
    node: z.string().optional(),
    members: z.array(z.string()).optional(),
    offline: z.array(z.string()).optional().describe('Members that are down'),
    idle_since: z.string().optional(),
    bindings: z.int().describe('Besides the one to the default exchange'),
  }),
  async run({ queue: name, vhost: given }, rabbit, { signal }) {
    const vhost = vhostOf(rabbit, given);
    rabbit.queues.need(name);
    const [queue, bindings] = await named(rabbit, 'queue', { vhost, name, signal }, () =>
      Promise.all([readQueue(rabbit, vhost, name, signal), bindingsOf(rabbit, { vhost, queue: name }, signal)]),
    );
    const { message_stats: stats, members, online } = queue;
    const limit = deliveryLimitOf(queue);
    const offline = members && online ? members.filter((member) => !online.includes(member)) : [];
    const policySettings = shownArguments(queue.effective_policy_definition);
    return {
      name,
      vhost,
      type: queue.type ?? 'classic',
      ...known({
        state: queue.state,
        durable: queue.durable,
        auto_delete: queue.auto_delete,
        exclusive: queue.exclusive,
      }),
      ...known({ messages: queue.messages, ready: queue.messages_ready, unacked: queue.messages_unacknowledged }),
      ...known({ bytes: queue.message_bytes, memory: queue.memory }),
      rates: {
        publish: rateIn(stats?.publish_details),
        deliver: rateIn(stats?.deliver_get_details),
        ack: rateIn(stats?.ack_details),
        growth: rateIn(queue.messages_details),
      },
      consumers: queue.consumer_details.length,
      first_consumers: queue.consumer_details.slice(0, FEW).map((consumer) => ({
        tag: consumer.consumer_tag.slice(0, 100),
        ...known({ connection: consumer.channel_details?.connection_name, prefetch: consumer.prefetch_count }),
      })),
      ...known({ consumer_utilisation: queue.consumer_utilisation }),
      arguments: shownArguments(queue.arguments),
      ...known({ policy: queue.policy }),
      ...(Object.keys(policySettings).length > 0 && { policy_settings: policySettings }),
      ...known({ delivery_limit: limit, node: queue.leader ?? queue.node }),
      ...(members && members.length > 1 && { members }),
      ...(offline.length > 0 && { offline }),
      ...known({ idle_since: queue.idle_since }),
      bindings: bindings.filter(({ source }) => source !== '').length,
    };
  },
});
