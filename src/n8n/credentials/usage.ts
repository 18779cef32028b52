import type { N8nClient } from '../client/client.ts';
import type { Workflow } from '../client/shapes.ts';
import { isGenerated } from '../generated.ts';
import type { KnownCredentials } from './known-credentials.ts';
import { referencesIn, type User, useOf } from './references.ts';

/** The workflows that use a credential, the live ones first. */
export async function usersOf(client: N8nClient, credential: string, signal?: AbortSignal): Promise<User[]> {
  const users: User[] = [];
  for await (const workflow of client.workflows.all({}, signal)) {
    // Sluice generated it from another workflow, which is in the list itself.
    if (isGenerated(workflow)) continue;
    const use = useOf(workflow, credential);
    if (use) users.push(use);
  }
  return users.sort((a, b) => Number(b.active) - Number(a.active) || (a.name < b.name ? -1 : 1));
}

export interface UseCount {
  readonly id: string;
  readonly name: string;
  readonly type: string;
  readonly workflows: number;
  readonly live: number;
  /** Workflows refer to it, but it does not exist. */
  readonly missing?: boolean;
}

/** How many workflows use each credential: missing ones first, then unused ones. */
export function countUses({ credentials, source }: KnownCredentials, workflows: readonly Workflow[]): UseCount[] {
  const counts = new Map(
    credentials.map(({ id, name, type }) => [id, { id, name, type, workflows: 0, live: 0, missing: false }]),
  );
  for (const workflow of workflows) {
    if (isGenerated(workflow)) continue;
    const used = new Map(
      referencesIn(workflow).flatMap((one) => (one.id === undefined ? [] : [[one.id, one] as const])),
    );
    for (const [id, { name, type }] of used) {
      const count = counts.get(id) ?? { id, name, type, workflows: 0, live: 0, missing: source !== 'workflows' };
      counts.set(id, count);
      count.workflows++;
      if (workflow.active) count.live++;
    }
  }
  return [...counts.values()]
    .sort((a, b) => Number(b.missing) - Number(a.missing) || a.workflows - b.workflows || (a.name < b.name ? -1 : 1))
    .map(({ missing, ...count }) => ({ ...count, ...(missing && { missing }) }));
}
