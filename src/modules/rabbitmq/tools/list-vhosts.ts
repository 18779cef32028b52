import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { known, maybe } from '../api/lenient.ts';
import { sliced } from '../api/pages.ts';
import { cursorInput, limitInput, moreOutput, rabbitmqTool } from '../tool.ts';

const vhost = z.object({
  name: z.string(),
  description: maybe(z.string()),
  default_queue_type: maybe(z.string()),
  messages: maybe(z.int()),
  messages_ready: maybe(z.int()),
  messages_unacknowledged: maybe(z.int()),
  cluster_state: maybe(z.record(z.string(), z.string())),
});

const output = z.object({
  name: z.string(),
  default: z.boolean().optional().describe('Used by calls that name none'),
  description: z.string().optional(),
  ready: z.int().optional(),
  unacked: z.int().optional(),
  down_on: z.array(z.string()).optional().describe('Nodes where it does not run'),
});

export const listVhostsTool = rabbitmqTool({
  name: 'rabbitmq_list_vhosts',
  title: 'List vhosts',
  description: 'Lists the vhosts that the user may see, with their messages.',
  phrases: 'list vhosts; which virtual hosts are there; messages per virtual host',
  effect: 'read',
  input: z.strictObject({ limit: limitInput, cursor: cursorInput }),
  output: z.object({ vhosts: z.array(output), ...moreOutput }),
  async run({ cursor, ...asked }, rabbit, { signal }) {
    const columns = 'name,description,messages,messages_ready,messages_unacknowledged,cluster_state';
    const all = await rabbit.get(z.array(vhost), ['vhosts'], { query: { columns }, signal });
    const seen = all.filter(({ name }) => rabbit.vhosts.has(name));
    const { items, ...rest } = sliced({ tool: 'rabbitmq_list_vhosts', asked, cursor }, seen, (one) => {
      const down = Object.entries(one.cluster_state ?? {}).flatMap(([node, is]) => (is === 'running' ? [] : [node]));
      return {
        name: one.name,
        ...(one.name === rabbit.vhost && { default: true }),
        ...(one.description && { description: shortened(one.description, 100) }),
        ...known({ ready: one.messages_ready, unacked: one.messages_unacknowledged }),
        ...(down.length > 0 && { down_on: down }),
      };
    });
    return { vhosts: items, ...rest };
  },
});
