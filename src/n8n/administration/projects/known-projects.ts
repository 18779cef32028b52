import type { N8nClient } from '../../client/client.ts';
import { type Project, projectsShape } from '../../client/projects.ts';
import { chosen } from '../chosen.ts';
import { unlessRefused } from '../refused.ts';

const asNamed = { noun: 'project', list: 'n8n_list_projects' };

/** The project with this id or name, or the personal project of the user with this e-mail address. */
export async function existingProject(client: N8nClient, wanted: string, signal: AbortSignal): Promise<Project> {
  return projectIn(await Array.fromAsync(client.projects.all(signal)), wanted);
}

export const projectIn = (projects: readonly Project[], wanted: string): Project =>
  chosen(projects, wanted, { ...asNamed, also: (one) => isPersonalOf(one, wanted) });

/**
 * The same, also for an n8n whose licence does not list projects: with a login n8n lists them all the same, because
 * everybody has a personal one. Without a login, what was given can only be an id.
 */
export async function destinationProject(
  client: N8nClient,
  wanted: string,
  signal: AbortSignal,
): Promise<{ readonly id: string; readonly name?: string }> {
  const known = await knownProjects(client, signal);
  return known ? projectIn(known, wanted) : { id: wanted };
}

/** Undefined if neither the API key nor a login may list them. */
export async function knownProjects(client: N8nClient, signal: AbortSignal): Promise<Project[] | undefined> {
  const listed = await unlessRefused(Array.fromAsync(client.projects.all(signal)));
  if (listed || !client.session.possible) return listed;
  return projectsShape.parse(await client.session.ask('GET', '/projects', { signal }));
}

/** n8n calls a personal project `Ada Lovelace <ada@example.com>`. */
export const isPersonalOf = ({ type, name }: Project, email: string): boolean =>
  type === 'personal' && name.toLowerCase().endsWith(`<${email.toLowerCase()}>`);
