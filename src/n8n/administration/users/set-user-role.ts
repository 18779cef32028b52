import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { N8nClient } from '../../client/client.ts';
import { n8nTool } from '../../tool.ts';
import { existingUser } from './existing-user.ts';
import { roleInput, roleNamed, userInput } from './user-input.ts';

export const setUserRole = n8nTool({
  name: 'n8n_set_user_role',
  title: 'Set user role',
  description:
    'Changes the role of a user in the whole n8n, such as member or admin. For a role in one project, use n8n_set_project_members.',
  effect: 'update',
  confirms: true,
  phrases:
    'make somebody admin; change the role of a user; take admin rights away; promote a user to admin; demote an admin to member; set a user role; give instance admin rights; he should be a normal member; what a user may do in n8n; grant administrator rights; upgrade an account to admin; downgrade a user',
  tags: ['users'],
  input: { user: userInput, role: roleInput('member or admin') },
  output: z.object({ id: z.string(), email: z.string(), role: z.string(), was: z.string().optional() }),
  async preview(input, { client }, { signal }) {
    const { user, role } = await wanted(input, client, signal);
    if (user.role === role) return undefined;
    return `It changes the role of ${user.email} in n8n (${client.name}) from ${user.role ?? 'an unknown one'} to ${role}.`;
  },
  async run(input, { client }, { signal }) {
    const { user, role } = await wanted(input, client, signal);
    if (user.role !== role) {
      signal.throwIfAborted();
      await client.users.setRole(user.id, role);
    }
    return { id: user.id, email: user.email, role, ...(user.role && { was: user.role }) };
  },
});

async function wanted(input: { user: string; role: string }, client: N8nClient, signal: AbortSignal) {
  const user = await existingUser(client, input.user, signal);
  const role = roleNamed('global', input.role);
  if (role === 'global:owner')
    throw new AppError('invalid_input', 'An n8n has one owner, and the API cannot change who that is.');
  if (user.role === 'global:owner')
    throw new AppError('invalid_input', `${user.email} owns this n8n, and the API cannot change that.`);
  return { user, role };
}
