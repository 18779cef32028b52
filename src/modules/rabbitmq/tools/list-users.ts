import { z } from 'zod';
import { shortened } from '../../shown.ts';
import { sliced } from '../api/pages.ts';
import { cursorInput, limitInput, moreOutput, rabbitmqTool } from '../tool.ts';

/** RabbitMQ before 3.9 wrote them as one text. */
const tags = z
  .union([z.array(z.string()), z.string().transform((text) => text.split(',').filter((tag) => tag !== ''))])
  .catch([]);

const user = z.object({ name: z.string(), tags });
const permission = z.object({
  user: z.string(),
  vhost: z.string(),
  configure: z.string(),
  write: z.string(),
  read: z.string(),
});

const output = z.object({
  name: z.string(),
  tags: z.array(z.string()).describe('administrator, monitoring, policymaker, management; none: only messages'),
  permissions: z.array(
    z.object({
      vhost: z.string(),
      configure: z.string().describe('Names that it may declare and delete, as a regex'),
      write: z.string(),
      read: z.string(),
    }),
  ),
});

const MOST_PERMISSIONS = 10;

export const listUsersTool = rabbitmqTool({
  name: 'rabbitmq_list_users',
  title: 'List users',
  description: 'Lists the users with tags and permissions per vhost, without passwords. Needs the tag administrator.',
  phrases: 'list rabbitmq users; who may access the broker; permissions of a user; which users are administrators',
  effect: 'read',
  input: z.strictObject({ limit: limitInput, cursor: cursorInput }),
  output: z.object({ users: z.array(output), ...moreOutput }),
  async run({ cursor, ...asked }, rabbit, { signal }) {
    const [users, permissions] = await Promise.all([
      rabbit.get(z.array(user), ['users'], { query: { columns: 'name,tags' }, signal }),
      rabbit.get(z.array(permission), ['permissions'], { signal }),
    ]);
    const of = Map.groupBy(
      permissions.filter(({ vhost }) => rabbit.vhosts.has(vhost)),
      (one) => one.user,
    );
    const { items, ...rest } = sliced({ tool: 'rabbitmq_list_users', asked, cursor }, users, (one) => ({
      name: one.name,
      tags: one.tags,
      permissions: (of.get(one.name) ?? []).slice(0, MOST_PERMISSIONS).map(({ vhost, configure, write, read }) => ({
        vhost,
        configure: shortened(configure, 100),
        write: shortened(write, 100),
        read: shortened(read, 100),
      })),
    }));
    return { users: items, ...rest };
  },
});
