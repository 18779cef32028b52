import { z } from 'zod';
import { readQueue } from '../api/queues.ts';
import type { RabbitMq } from '../connection.ts';
import { messagesIn } from '../messages-in.ts';
import { named } from '../missing.ts';
import { queueInput, rabbitmqTool, vhostInput, vhostOf } from '../tool.ts';

const input = z.strictObject({
  queue: queueInput,
  if_empty: z.boolean().default(false).describe('Only if it has no messages'),
  if_unused: z.boolean().default(false).describe('Only if nobody consumes it'),
  vhost: vhostInput,
});

export const deleteQueueTool = rabbitmqTool({
  name: 'rabbitmq_delete_queue',
  title: 'Delete a queue',
  description: 'Deletes a queue with its messages and bindings.',
  phrases: 'delete a queue; remove a queue; drop a rabbitmq queue; get rid of an unused queue',
  effect: 'delete',
  input,
  output: z.object({ queue: z.string(), vhost: z.string(), messages: z.int().describe('That went with it') }),
  async preview(given, rabbit, { signal }) {
    const { name, vhost, messages_ready, messages_unacknowledged, consumer_details } = await found(
      given,
      rabbit,
      signal,
    );
    const count = consumer_details.length;
    const users =
      count === 0 ? 'Nobody consumes it.' : `${count} consumer${count === 1 ? '' : 's'} of it will be stopped.`;
    return `Deletes the queue ${name} in the vhost ${vhost} with ${messagesIn(messages_ready, messages_unacknowledged)} and its bindings. ${users} This cannot be undone.`;
  },
  async run(given, rabbit, { signal }) {
    const { name, vhost, messages } = await found(given, rabbit, signal);
    await rabbit.send(['queues', vhost, name], {
      method: 'DELETE',
      query: { 'if-empty': given.if_empty || undefined, 'if-unused': given.if_unused || undefined },
      signal,
    });
    return { queue: name, vhost, messages: messages ?? 0 };
  },
});

async function found({ queue: name, vhost: given }: z.output<typeof input>, rabbit: RabbitMq, signal: AbortSignal) {
  const vhost = vhostOf(rabbit, given);
  rabbit.queues.need(name);
  return await named(rabbit, 'queue', { vhost, name, signal }, () => readQueue(rabbit, vhost, name, signal));
}
