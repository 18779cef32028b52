import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { didYouMean, nearestNames, shown } from '../../../kernel/nearest-names.ts';
import type { Role } from '../../client/users.ts';
import { n8nTool } from '../../tool.ts';
import { fitted, moreOutput } from '../fitted.ts';

const roleOutput = z.object({
  role: z.string().describe('Its name in other calls'),
  name: z.string(),
  description: z.string().optional(),
  custom: z.literal(true).optional(),
  licensed: z.boolean().optional().describe('Whether the licence has it'),
  users: z.number().optional().describe('How many users have it'),
  projects: z.number().optional().describe('In how many projects it is used'),
  scopes: z.array(z.string()).optional(),
});

export const listRoles = n8nTool({
  name: 'n8n_list_roles',
  title: 'List roles',
  description: 'Lists the roles for users and for members of projects. With "role", shows what that role may do.',
  effect: 'read',
  phrases:
    'list roles; which roles are there; what may an editor do; what is a project viewer allowed to do; permissions of a role; difference between admin and member; roles for projects; custom roles; which role do i need; scopes of a role; what rights does a member have; who uses which role',
  tags: ['users', 'projects'],
  input: {
    role: z
      .string()
      .trim()
      .min(1)
      .max(100)
      .optional()
      .describe('Show the scopes of this role: project:editor or Editor'),
  },
  output: z.object({ global: z.array(roleOutput), project: z.array(roleOutput), more: moreOutput }),
  async run({ role }, { client }, { signal }) {
    const { global, project } = await client.users.roles(signal);
    if (role === undefined) {
      const { lists, ...more } = fitted({ global: global.map(inShort), project: project.map(inShort) });
      return { ...lists, ...more };
    }
    const folded = role.toLowerCase();
    const isMeant = ({ slug, displayName }: Role) =>
      slug.toLowerCase() === folded || displayName.toLowerCase() === folded || slug.split(':')[1] === folded;
    const found = { global: global.filter(isMeant), project: project.filter(isMeant) };
    if (found.global.length + found.project.length === 0) {
      const near = nearestNames(
        role,
        [...global, ...project].map(({ slug }) => slug),
      );
      throw new AppError('not_found', `No role ${shown(role)}. ${didYouMean(near, 'Leave "role" out for all.')}`);
    }
    return { global: found.global.map(inFull), project: found.project.map(inFull) };
  },
});

function inShort(role: Role) {
  const { slug, displayName, description, systemRole, licensed, usedByUsers, usedByProjects } = role;
  return {
    role: slug,
    name: displayName,
    ...(description && description !== displayName && { description }),
    ...(systemRole === false && { custom: true as const }),
    ...(licensed !== undefined && { licensed }),
    ...(usedByUsers !== undefined && { users: usedByUsers }),
    ...(usedByProjects !== undefined && { projects: usedByProjects }),
  };
}

const inFull = (role: Role) => ({ ...inShort(role), scopes: grouped(role.scopes) });

/** `workflow: create, read`: the roles of owners have hundreds of scopes. */
function grouped(scopes: readonly string[]): string[] {
  const groups = new Map<string, string[]>();
  for (const scope of scopes) {
    const [thing = scope, verb = ''] = scope.split(':');
    groups.set(thing, [...(groups.get(thing) ?? []), verb]);
  }
  return [...groups].map(([thing, all]) => `${thing}: ${all.join(', ')}`);
}
