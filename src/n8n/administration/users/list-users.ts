import { z } from 'zod';
import { n8nTool } from '../../tool.ts';
import { cursorOutput, pageInput, pageOf } from '../page.ts';
import { nameOf } from './existing-user.ts';

const NAME = 'n8n_list_users';

export const listUsers = n8nTool({
  name: NAME,
  title: 'List users',
  description: 'Lists the users of an n8n with id, e-mail address, name and role, and who has not signed up yet.',
  effect: 'read',
  phrases:
    'list users; who uses this n8n; which accounts are there in n8n; show all people; who has access to n8n; who is admin; who has not accepted the invitation; members of this instance; user ids; e-mail addresses of the users; pending invitations; how many users do we have; is he already registered; people with an n8n account; who owns this instance; which users have no second factor; find a user by mail; look up an account by address; does this person have an account; users registered here; is an address registered in n8n; check whether somebody is a user; user accounts of the instance',
  tags: ['users'],
  input: {
    text: z.string().min(1).max(254).optional().describe('Part of the name or e-mail address, ignoring case'),
    pending: z.boolean().optional().describe('Only people who have not signed up yet (true), or only others (false)'),
    ...pageInput,
  },
  output: z.object({
    users: z.array(
      z.object({
        id: z.string(),
        email: z.string(),
        name: z.string().optional(),
        role: z.string().optional(),
        pending: z.literal(true).optional().describe('Invited, has not signed up yet'),
        mfa: z.boolean().optional().describe('Uses a second factor'),
      }),
    ),
    total: z.number(),
    cursor: cursorOutput,
  }),
  async run({ text, pending, ...page }, { client }, { signal }) {
    const wanted = text?.toLowerCase() ?? '';
    const rows = (await Array.fromAsync(client.users.all(signal)))
      .filter(
        (user) =>
          `${nameOf(user) ?? ''}\n${user.email}`.toLowerCase().includes(wanted) &&
          (pending === undefined || (user.isPending ?? false) === pending),
      )
      .map((user) => {
        const name = nameOf(user);
        return {
          id: user.id,
          email: user.email,
          ...(name !== undefined && { name }),
          ...(user.role && { role: user.role }),
          ...(user.isPending && { pending: true as const }),
          ...(user.mfaEnabled !== undefined && { mfa: user.mfaEnabled }),
        };
      });
    const { items, ...rest } = pageOf(NAME, { instance: client.name, text, pending }, rows, page);
    return { users: items, total: rows.length, ...rest };
  },
});
