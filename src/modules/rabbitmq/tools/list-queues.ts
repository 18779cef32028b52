import { z } from 'zod';
import { globMatcher } from '../../../kernel/glob.ts';
import { fitted, skipOf } from '../api/pages.ts';
import { listQueues } from '../api/queues.ts';
import { inVhost } from '../missing.ts';
import { queueOutput, shownQueue } from '../shown-queue.ts';
import { cursorInput, limitInput, moreOutput, patternInput, rabbitmqTool, vhostInput, vhostOf } from '../tool.ts';

export const listQueuesTool = rabbitmqTool({
  name: 'rabbitmq_list_queues',
  title: 'List queues',
  description:
    'Lists the queues of a vhost with messages that are ready and unacknowledged, consumers, and rates. Sort by messages or unacked to find piles.',
  phrases:
    'list rabbitmq queues; which queues have messages; how many messages are waiting; longest queue; queue depth; queue backlog',
  effect: 'read',
  input: z.strictObject({
    vhost: vhostInput,
    pattern: patternInput,
    sort: z
      .enum(['name', 'messages', 'unacked'])
      .default('name')
      .describe('messages and unacked: most first, up to 5 s old, slow with very many queues'),
    limit: limitInput,
    cursor: cursorInput,
  }),
  output: z.object({ queues: z.array(queueOutput), ...moreOutput }),
  async run({ cursor, ...asked }, rabbit, { signal }) {
    const vhost = vhostOf(rabbit, asked.vhost);
    const listing = { tool: 'rabbitmq_list_queues', asked, cursor };
    const sort = asked.sort === 'unacked' ? 'messages_unacknowledged' : asked.sort;
    const page = await inVhost(rabbit, vhost, signal, () =>
      listQueues(rabbit, {
        vhost,
        pattern: asked.pattern,
        limit: asked.limit,
        skip: skipOf(listing),
        signal,
        ...(sort !== 'name' && { sort }),
      }),
    );
    const matches = asked.pattern === undefined ? () => true : globMatcher([asked.pattern]);
    const { items, ...rest } = fitted(listing, page, (queue) =>
      rabbit.queues.has(queue.name) && matches(queue.name) ? shownQueue(queue, vhost) : undefined,
    );
    return { queues: items, ...rest };
  },
});
