import type { N8nClient } from '../client/client.ts';
import { isGenerated } from '../generated.ts';
import { type User, useOf } from './references.ts';

/** The workflows that use a credential, the live ones first. */
export async function usersOf(client: N8nClient, credential: string, signal?: AbortSignal): Promise<User[]> {
  const users: User[] = [];
  for await (const workflow of client.workflows.all({}, signal)) {
    // It follows the workflow it was made from, which is told of.
    if (isGenerated(workflow)) continue;
    const use = useOf(workflow, credential);
    if (use) users.push(use);
  }
  return users.sort((a, b) => Number(b.active) - Number(a.active) || (a.name < b.name ? -1 : 1));
}
