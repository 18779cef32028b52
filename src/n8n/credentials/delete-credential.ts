import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { counted, quoted, someOf } from '../../kernel/some-of.ts';
import type { N8nClient } from '../client/client.ts';
import { n8nTool } from '../tool.ts';
import { namedWorkflow } from '../workflows/dependents.ts';
import { existingCredential } from './existing.ts';
import { credentialIdInput } from './inputs.ts';
import { isNotAllowed } from './known-credentials.ts';
import type { User } from './references.ts';
import { credentialSummary, credentialSummaryOf } from './summary.ts';
import { usersOf } from './usage.ts';

const MOST_NAMED = 20;

export const deleteCredential = n8nTool({
  name: 'n8n_delete_credential',
  title: 'Delete credential',
  description:
    'Deletes a credential for good: its values are lost. Refuses while workflows use it, and lists them, unless "force".',
  effect: 'delete',
  phrases:
    'delete a credential; remove an api key; erase a stored password; throw away a login; revoke and drop a secret; get rid of an old token; delete an account connection; remove stored credentials; this key is compromised, delete it; we no longer use this account, delete its login; wipe a secret from n8n; remove a connection for good; delete unused api keys; employee left, wipe his access from n8n; the account is closed, remove its login; kill an api key; burn this token; delete the connection to a service; purge a credential; strike an account from n8n; get rid of a login; remove secret; delete access; forget my password; discard a key',
  tags: ['credentials'],
  input: {
    id: credentialIdInput,
    force: z.boolean().optional().describe('Even if workflows use it; they will fail'),
  },
  output: z.object({
    deleted: credentialSummary,
    users: z.array(z.string()).optional().describe('Workflows that used it and now lack it'),
    note: z.string().optional(),
  }),
  async preview(input, { client }, { signal }) {
    const { credential, users } = await deletable(input, client, signal);
    const { id, name, type } = credential;
    const used =
      users.length > 0
        ? `${counted(users.length, 'workflow')} will fail without it: ${someOf(named(users))}.`
        : 'No workflow uses it.';
    return `It deletes the credential ${quoted(name)} (${id}, ${type}) for good: its values cannot be brought back. ${used}`;
  },
  async run(input, { client }, { signal }) {
    const { credential, users } = await deletable(input, client, signal);
    const { id } = input;
    signal.throwIfAborted();
    await client.credentials.delete(id);
    return {
      deleted: credentialSummaryOf(credential),
      ...(users.length > 0 && {
        users: named(users),
        note: `n8n_create_credential with "id": "${id}" recreates it for them, with new values.`,
      }),
    };
  },
});

/** The credential and its users. Throws if it may not be deleted now. */
async function deletable(
  { id, force = false }: { id: string; force?: boolean | undefined },
  client: N8nClient,
  signal: AbortSignal,
) {
  const credential = await existingCredential(client, id, signal);
  const users = await usersOf(client, id, signal).catch((error: unknown) => {
    if (!isNotAllowed(error) || force) return [];
    throw new AppError(
      'forbidden',
      `Cannot check whether workflows use "${credential.name}": the API key may not list workflows. Nothing was deleted. Repeat with "force": true to delete it anyway.`,
      { cause: error },
    );
  });
  if (users.length > 0 && !force) {
    throw new AppError(
      'conflict',
      `"${credential.name}" is used by ${users.length === 1 ? 'a workflow' : `${users.length} workflows`}: ${named(users).join(', ')}. Nothing was deleted. Give them another credential with n8n_edit_workflow (replace_credential), or repeat with "force": true.`,
      { data: { workflows: users.slice(0, MOST_NAMED).map((user) => user.id) } },
    );
  }
  return { credential, users };
}

function named(users: readonly User[]): string[] {
  const shown = users.slice(0, MOST_NAMED).map(namedWorkflow);
  return users.length > MOST_NAMED ? [...shown, `${users.length - MOST_NAMED} more`] : shown;
}
