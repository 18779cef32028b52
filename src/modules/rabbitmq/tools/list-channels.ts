import { z } from 'zod';
import { channel, type Channel, CHANNEL_COLUMNS } from '../api/connections.ts';
import { known } from '../api/lenient.ts';
import { fitted, pageOf, skipOf } from '../api/pages.ts';
import { nameFilter } from '../pattern.ts';
import { cursorInput, limitInput, moreOutput, patternInput, rabbitmqTool } from '../tool.ts';

const output = z.object({
  name: z.string(),
  connection: z.string().optional(),
  vhost: z.string().optional(),
  user: z.string().optional(),
  state: z.string().optional(),
  consumers: z.int().optional(),
  prefetch: z.int().optional().describe('0: no limit'),
  unacked: z.int().optional().describe('Delivered to it and not acknowledged'),
  unconfirmed: z.int().optional().describe('Published by it and not confirmed'),
});

export const listChannelsTool = rabbitmqTool({
  name: 'rabbitmq_list_channels',
  title: 'List channels',
  description: 'Lists the channels inside the connections, with consumers, prefetch and unacknowledged messages.',
  phrases: 'list channels; which channel holds unacknowledged messages; channel leak; prefetch of channels',
  effect: 'read',
  input: z.strictObject({ pattern: patternInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({ channels: z.array(output), ...moreOutput }),
  async run({ cursor, ...asked }, rabbit, { signal }) {
    const listing = { tool: 'rabbitmq_list_channels', asked, cursor };
    const page = await pageOf(rabbit, channel, {
      path: ['channels'],
      columns: CHANNEL_COLUMNS,
      filter: nameFilter(asked.pattern === undefined ? undefined : [asked.pattern]),
      skip: skipOf(listing),
      limit: asked.limit,
      signal,
    });
    const { items, ...rest } = fitted(listing, page, (one) =>
      rabbit.vhosts.has(one.vhost ?? '') ? shownChannel(one) : undefined,
    );
    return { channels: items, ...rest };
  },
});

const shownChannel = (one: Channel): z.input<typeof output> => ({
  name: one.name,
  ...known({ connection: one.connection_details?.name, vhost: one.vhost, user: one.user, state: one.state }),
  ...known({ consumers: one.consumer_count, prefetch: one.prefetch_count, unacked: one.messages_unacknowledged }),
  ...(one.confirm && known({ unconfirmed: one.messages_unconfirmed })),
});
