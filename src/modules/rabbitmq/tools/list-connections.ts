import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { connection, type Connection, CONNECTION_COLUMNS } from '../api/connections.ts';
import { known } from '../api/lenient.ts';
import { fitted, pageOf, skipOf } from '../api/pages.ts';
import { nameFilter } from '../pattern.ts';
import { cursorInput, limitInput, moreOutput, patternInput, rabbitmqTool } from '../tool.ts';

const output = z.object({
  name: z.string().describe('For rabbitmq_close_connection'),
  vhost: z.string().optional(),
  user: z.string().optional(),
  state: z.string().optional().describe('blocked, blocking or flow: the broker slows it down'),
  client: z.string().optional().describe('What it calls itself'),
  protocol: z.string().optional(),
  tls: z.boolean().optional(),
  channels: z.int().optional(),
  since: z.string().optional(),
  received: z.int().optional().describe('Bytes a second from it'),
  sent: z.int().optional().describe('Bytes a second to it'),
});

export const listConnectionsTool = rabbitmqTool({
  name: 'rabbitmq_list_connections',
  title: 'List connections',
  description: 'Lists the programs connected to the broker: user, vhost, state, traffic. Up to five seconds old.',
  phrases: 'who is connected to rabbitmq; list connections; which clients are blocked; connected programs',
  effect: 'read',
  input: z.strictObject({ pattern: patternInput, limit: limitInput, cursor: cursorInput }),
  output: z.object({ connections: z.array(output), ...moreOutput }),
  async run({ cursor, ...asked }, rabbit, { signal }) {
    const listing = { tool: 'rabbitmq_list_connections', asked, cursor };
    const page = await pageOf(rabbit, connection, {
      path: ['connections'],
      columns: CONNECTION_COLUMNS,
      filter: nameFilter(asked.pattern === undefined ? undefined : [asked.pattern]),
      skip: skipOf(listing),
      limit: asked.limit,
      signal,
    });
    const { items, ...rest } = fitted(listing, page, (one) =>
      rabbit.vhosts.has(one.vhost ?? '') ? shownConnection(one) : undefined,
    );
    return { connections: items, ...rest };
  },
});

function shownConnection(one: Connection): z.input<typeof output> {
  const { connection_name, product, version } = one.client_properties ?? {};
  const client = connection_name ?? [product, version].filter(Boolean).join(' ');
  const rate = (details: Connection['recv_oct_details']) => Math.round(details?.rate ?? 0);
  return {
    name: one.name,
    ...known({ vhost: one.vhost, user: one.user, state: one.state }),
    ...(client !== '' && { client: shortened(client, 100) }),
    ...known({ protocol: one.protocol, tls: one.ssl, channels: one.channels }),
    ...known({ since: one.connected_at ? new Date(one.connected_at).toISOString() : undefined }),
    ...(rate(one.recv_oct_details) > 0 && { received: rate(one.recv_oct_details) }),
    ...(rate(one.send_oct_details) > 0 && { sent: rate(one.send_oct_details) }),
  };
}
