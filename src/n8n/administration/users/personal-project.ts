import type { N8nClient } from '../../client/client.ts';
import type { User } from '../../client/users.ts';
import { projectOf } from '../../workflows/project.ts';
import { isPersonalOf, knownProjects } from '../projects/known-projects.ts';
import { unlessRefused } from '../refused.ts';

const MOST_LOOKED_UP = 50;

/** `empty`: there is nothing in it. `unknown`: nobody may look. */
export type PersonalProject = { readonly id: string } | 'empty' | 'unknown';

/**
 * The project in which a user keeps workflows and credentials of their own. If nobody may list projects, it is looked for
 * in what they contain.
 */
export async function personalProject(client: N8nClient, user: User, signal: AbortSignal): Promise<PersonalProject> {
  const projects = await knownProjects(client, signal);
  const own = projects?.find(
    (one) => isPersonalOf(one, user.email) || (one.type === 'personal' && one.creatorId === user.id),
  );
  if (own) return { id: own.id };
  const credentials = await unlessRefused(Array.fromAsync(client.credentials.all(signal)));
  const shared = (credentials ?? []).flatMap((one) => (Array.isArray(one.shared) ? (one.shared as Shared[]) : []));
  const found = shared.find(({ name }) => name?.toLowerCase().endsWith(`<${user.email.toLowerCase()}>`));
  if (found?.id !== undefined) return { id: found.id };
  const owner = await ownerInWorkflows(client, user, signal);
  // Everybody has a personal project, so it is in a list of all projects, even if it is empty.
  return projects && owner === 'empty' ? 'unknown' : owner;
}

interface Shared {
  readonly id?: string;
  readonly name?: string;
}

/** A list has only the ids of projects, a single workflow the name, too. */
async function ownerInWorkflows(client: N8nClient, user: User, signal: AbortSignal): Promise<PersonalProject> {
  const workflows = await unlessRefused(Array.fromAsync(client.workflows.all({}, signal)));
  const one = new Map<string, string>();
  for (const workflow of workflows ?? []) {
    const project = projectOf(workflow);
    if (project) one.set(project.id, workflow.id);
  }
  let isKnown = workflows !== undefined && one.size <= MOST_LOOKED_UP;
  for (const [project, workflow] of [...one].slice(0, MOST_LOOKED_UP)) {
    const name = projectOf(await client.workflows.get(workflow, signal))?.name;
    if (name?.toLowerCase().endsWith(`<${user.email.toLowerCase()}>`)) return { id: project };
    if (name === undefined) isKnown = false;
  }
  return isKnown ? 'empty' : 'unknown';
}
