import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import type { N8nClient } from '../../client/client.ts';
import type { User } from '../../client/users.ts';
import { n8nTool } from '../../tool.ts';
import { type Contents, contentsOf, inWords } from '../projects/contents.ts';
import { deleteWithWorkflows } from '../projects/delete-with-workflows.ts';
import { backupsOutput, keepWorkflows, shownBackups } from '../projects/keep-workflows.ts';
import { destinationProject } from '../projects/known-projects.ts';
import { transferWithLogin } from '../transfer-with-login.ts';
import { existingUser } from './existing-user.ts';
import { personalProject } from './personal-project.ts';
import { userInput } from './user-input.ts';

const empty: Contents = { workflows: [], credentials: [], tables: 0 };
const unknown: Contents = { workflows: undefined, credentials: undefined, tables: undefined };

export const deleteUser = n8nTool({
  name: 'n8n_delete_user',
  title: 'Delete user',
  description:
    'Deletes a user with the workflows and credentials in their personal project. Workflows are backed up first. With "transfer_to" another user or project gets everything; that needs n8n.NAME.login in the configuration.',
  effect: 'delete',
  phrases:
    'delete a user; remove somebody from n8n; close an n8n account; an employee left, remove the account; delete a user and hand over the workflows; withdraw an invitation; revoke all access of a person; kick a user out; get rid of an account; offboard a colleague; remove a pending user; erase a user of n8n',
  tags: ['users'],
  input: {
    user: userInput,
    transfer_to: z
      .string()
      .trim()
      .min(1)
      .max(255)
      .optional()
      .describe('Who gets the workflows and credentials: e-mail address of a user, or project id or name'),
  },
  output: z.object({
    deleted: z.object({ id: z.string(), email: z.string() }),
    transferred_to: z.object({ id: z.string(), name: z.string().optional() }).optional(),
    ...backupsOutput,
  }),
  async preview(input, { client }, { signal }) {
    const { user, target } = await wanted(input, client, signal);
    const contents = inWords(await ownedBy(client, user, signal));
    const what = `It deletes the user ${user.email} (${user.role ?? 'unknown role'}) of n8n (${client.name}).`;
    return target
      ? `${what} ${target.name ?? target.id} gets everything in the personal project: ${contents}.`
      : `${what} Everything in the personal project is deleted, too: ${contents}. A backup of each workflow is kept; credentials and data tables are lost. "transfer_to" keeps them.`;
  },
  async run(input, { client, backups }, { signal }, progress) {
    const { user, target } = await wanted(input, client, signal);
    const deleted = { id: user.id, email: user.email };
    if (target) {
      await transferWithLogin(client, `/users/${encodeURIComponent(user.id)}`, target.id);
      return { deleted, transferred_to: target };
    }
    const contents = await ownedBy(client, user, signal);
    const kept = await keepWorkflows(client, backups, contents, signal, progress);
    signal.throwIfAborted();
    await deleteWithWorkflows(client, contents, 'user:delete', () => client.users.delete(user.id));
    return { deleted, ...shownBackups(kept) };
  },
});

async function ownedBy(client: N8nClient, user: User, signal: AbortSignal): Promise<Contents> {
  const project = await personalProject(client, user, signal);
  if (project === 'empty') return empty;
  return project === 'unknown' ? unknown : await contentsOf(client, project.id, signal);
}

async function wanted(
  { user: given, transfer_to }: { user: string; transfer_to?: string | undefined },
  client: N8nClient,
  signal: AbortSignal,
) {
  const user = await existingUser(client, given, signal);
  if (user.role === 'global:owner')
    throw new AppError('invalid_input', `${user.email} owns this n8n. n8n does not delete its owner.`);
  if (transfer_to === undefined) return { user, target: undefined };
  const { id, name } = await destinationProject(client, transfer_to, signal);
  if (name?.toLowerCase().endsWith(`<${user.email.toLowerCase()}>`))
    throw new AppError('invalid_input', 'transfer_to is the project of the user to delete. Name another one.');
  return { user, target: { id, ...(name !== undefined && { name }) } };
}
