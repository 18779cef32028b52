import { z } from 'zod';
import { inVhost } from '../missing.ts';
import { needDeadLetterReach } from '../reach.ts';
import { argumentsInput, queueInput, rabbitmqTool, vhostInput, vhostOf } from '../tool.ts';

export const declareQueueTool = rabbitmqTool({
  name: 'rabbitmq_declare_queue',
  title: 'Declare a queue',
  description:
    'Creates a queue, or does nothing if it is there with the same properties. Quorum queues and streams are replicated and durable.',
  phrases:
    'create a queue; declare a queue; new rabbitmq queue; queue with a dead letter exchange; make a quorum queue',
  effect: 'create',
  input: z.strictObject({
    queue: queueInput,
    type: z.enum(['classic', 'quorum', 'stream']).optional().describe('Default: that of the vhost, mostly classic'),
    durable: z.boolean().default(true).describe('Survives a restart of the broker'),
    auto_delete: z.boolean().default(false).describe('Goes with its last consumer'),
    arguments: argumentsInput
      .default({})
      .describe('E.g. {"x-message-ttl": 60000, "x-max-length": 1000, "x-dead-letter-exchange": "dlx"}'),
    vhost: vhostInput,
  }),
  output: z.object({ queue: z.string(), vhost: z.string(), created: z.boolean().describe('Not: it was there') }),
  async run({ queue, type, durable, auto_delete, arguments: args, vhost: given }, rabbit, { signal }) {
    const vhost = vhostOf(rabbit, given);
    rabbit.queues.need(queue);
    needDeadLetterReach(rabbit, args);
    const { status } = await inVhost(rabbit, vhost, signal, () =>
      rabbit.send(['queues', vhost, queue], {
        method: 'PUT',
        body: { durable, auto_delete, arguments: { ...args, ...(type !== undefined && { 'x-queue-type': type }) } },
        signal,
      }),
    );
    return { queue, vhost, created: status === 201 };
  },
});
