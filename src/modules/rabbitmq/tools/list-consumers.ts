import { z } from 'zod';
import { known } from '../api/lenient.ts';
import { sliced } from '../api/pages.ts';
import { type Consumer, listConsumers } from '../api/queues.ts';
import { inVhost } from '../missing.ts';
import { cursorInput, limitInput, moreOutput, rabbitmqTool, vhostInput, vhostOf } from '../tool.ts';

const output = z.object({
  queue: z.string(),
  tag: z.string(),
  connection: z.string().optional(),
  user: z.string().optional(),
  prefetch: z.int().optional().describe('0: no limit'),
  acknowledges: z.boolean().optional().describe('Not: messages are gone once delivered'),
  exclusive: z.boolean().optional(),
  status: z.string().optional().describe('If not up'),
});

export const listConsumersTool = rabbitmqTool({
  name: 'rabbitmq_list_consumers',
  title: 'List consumers',
  description: 'Lists who consumes the queues of a vhost: connection, user, prefetch, and whether they acknowledge.',
  phrases: 'who consumes this queue; list consumers; which program reads from the queue; prefetch of the consumers',
  effect: 'read',
  input: z.strictObject({
    queue: z.string().min(1).max(255).optional().describe('Only of this queue'),
    vhost: vhostInput,
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({ consumers: z.array(output), ...moreOutput }),
  async run({ cursor, ...asked }, rabbit, { signal }) {
    const vhost = vhostOf(rabbit, asked.vhost);
    if (asked.queue !== undefined) rabbit.queues.need(asked.queue);
    const all = await inVhost(rabbit, vhost, signal, () => listConsumers(rabbit, vhost, signal));
    const seen = all.filter(({ queue }) =>
      asked.queue === undefined ? rabbit.queues.has(queue?.name ?? '') : queue?.name === asked.queue,
    );
    const { items, ...rest } = sliced({ tool: 'rabbitmq_list_consumers', asked, cursor }, seen, shownConsumer);
    return { consumers: items, ...rest };
  },
});

const shownConsumer = (consumer: Consumer): z.input<typeof output> => ({
  queue: consumer.queue?.name ?? '',
  tag: consumer.consumer_tag.slice(0, 100),
  ...known({
    connection: consumer.channel_details?.connection_name,
    user: consumer.channel_details?.user,
    prefetch: consumer.prefetch_count,
    acknowledges: consumer.ack_required,
  }),
  ...(consumer.exclusive && { exclusive: true }),
  ...(consumer.activity_status && consumer.activity_status !== 'up' && { status: consumer.activity_status }),
});
