import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { readQueue } from '../api/queues.ts';
import type { RabbitMq } from '../connection.ts';
import { messagesIn } from '../messages-in.ts';
import { named } from '../missing.ts';
import { queueInput, rabbitmqTool, vhostInput, vhostOf } from '../tool.ts';

const input = z.strictObject({
  queue: queueInput,
  dry_run: z.boolean().default(false).describe('Only count'),
  vhost: vhostInput,
});

export const purgeQueueTool = rabbitmqTool({
  name: 'rabbitmq_purge_queue',
  title: 'Purge a queue',
  description: 'Deletes all ready messages of a queue. Those that consumers have and did not acknowledge stay.',
  phrases: 'purge a queue; empty a queue; clear all messages; throw away the backlog; delete the dead letters',
  effect: 'delete',
  input,
  output: z.object({
    queue: z.string(),
    purged: z.int().describe('Ready messages, as counted just before'),
    would_purge: z.int().optional().describe('With dry_run'),
    unacked: z.int().describe('Stay: consumers have them'),
    dry_run: z.boolean(),
  }),
  async preview(given, rabbit, { signal }) {
    const { name, vhost, messages_ready, messages_unacknowledged } = await found(given, rabbit, signal);
    if (given.dry_run) return undefined;
    const stay = messages_unacknowledged ? ` ${messages_unacknowledged} unacknowledged stay.` : '';
    return `Deletes all ready messages of the queue ${name} in the vhost ${vhost}: now ${messagesIn(messages_ready, 0)}.${stay} This cannot be undone.`;
  },
  async run(given, rabbit, { signal }) {
    const { name, vhost, messages_ready, messages_unacknowledged } = await found(given, rabbit, signal);
    if (!given.dry_run) await rabbit.send(['queues', vhost, name, 'contents'], { method: 'DELETE', signal });
    return {
      queue: name,
      purged: given.dry_run ? 0 : (messages_ready ?? 0),
      ...(given.dry_run && { would_purge: messages_ready ?? 0 }),
      unacked: messages_unacknowledged ?? 0,
      dry_run: given.dry_run,
    };
  },
});

async function found({ queue: name, vhost: given }: z.output<typeof input>, rabbit: RabbitMq, signal: AbortSignal) {
  const vhost = vhostOf(rabbit, given);
  rabbit.queues.need(name);
  const queue = await named(rabbit, 'queue', { vhost, name, signal }, () => readQueue(rabbit, vhost, name, signal));
  if (queue.type !== 'stream') return queue;
  throw new AppError(
    'unsupported',
    `${name} is a stream, which cannot be purged. Set its max-age or max-length-bytes.`,
  );
}
