import { z } from 'zod';
import { AppError, toAppError } from '../../../kernel/errors.ts';
import { inQuotes, oneOf } from '../../../kernel/nearest-names.ts';
import { n8nTool } from '../../tool.ts';
import { fitted, moreOutput } from '../fitted.ts';
import { userIn } from '../users/existing-user.ts';
import { roleInput, roleNamed, userInput } from '../users/user-input.ts';
import { existingProject } from './known-projects.ts';
import { projectInput, projectOutput } from './project-input.ts';

const MOST = 100;

export const setProjectMembers = n8nTool({
  name: 'n8n_set_project_members',
  title: 'Set project members',
  description:
    'Adds people to a project, changes their roles, and removes people. Whoever is not mentioned stays as is.',
  effect: 'update',
  phrases:
    'add somebody to a project; remove a member from a project; change a role in a project; give a colleague access to a project; make her project admin; he should only view the project; invite a user into a team project; throw somebody out of the project; set the members of a project; let the team work in this project; revoke access to a project; promote a member to editor; assign people to a project; a colleague leaves the project; exclude somebody from a team project; remove people from a project; he is no longer on the project team; project membership; take a person off a project team; put a person on the project',
  tags: ['projects', 'users'],
  input: {
    project: projectInput,
    members: z
      .array(z.strictObject({ user: userInput, role: roleInput('editor, viewer or admin') }))
      .max(MOST)
      .optional()
      .describe('Who gets which role'),
    remove: z.array(userInput).max(MOST).optional().describe('Who leaves the project'),
  },
  output: z.object({
    project: projectOutput,
    set: z.array(z.object({ id: z.string(), email: z.string(), role: z.string(), was: z.string().optional() })),
    removed: z.array(z.object({ id: z.string(), email: z.string() })),
    failed: z.array(z.object({ email: z.string(), error: z.string() })).optional(),
    more: moreOutput,
  }),
  examples: [
    {
      title: 'Add an editor',
      arguments: { project: 'Marketing', members: [{ user: 'ada@example.com', role: 'editor' }] },
    },
  ],
  async run({ project: wanted, members = [], remove = [] }, { client }, { signal }) {
    if (members.length + remove.length === 0)
      throw new AppError('invalid_input', 'Name people in "members" or "remove".');
    const project = await existingProject(client, wanted, signal);
    const users = await Array.fromAsync(client.users.all(signal));
    const before = new Map(
      (await Array.fromAsync(client.projects.members(project.id, signal))).map(({ id, role }) => [id, role]),
    );
    const named = members.map(({ user, role }) => ({ ...userIn(users, user), role: roleNamed('project', role) }));
    const given = onceEach(named);
    const torn = named.find(({ id, role }) => given.some((one) => one.id === id && one.role !== role));
    if (torn) {
      throw new AppError('invalid_input', `"${torn.email}" is named twice with different roles. Nothing was changed.`);
    }
    const leaving = onceEach(remove.map((user) => userIn(users, user)));
    const both = leaving.filter(({ id }) => given.some((one) => one.id === id));
    if (both.length > 0) {
      throw new AppError(
        'invalid_input',
        `${oneOf(inQuotes(both.map(({ email }) => email)))} cannot both get a role and leave.`,
      );
    }
    const strangers = leaving.filter(({ id }) => !before.has(id));
    if (strangers.length > 0) {
      throw new AppError(
        'not_found',
        `${oneOf(inQuotes(strangers.map(({ email }) => email)))} is not in the project "${project.name}". Nothing was changed. n8n_list_project_members shows who is.`,
      );
    }
    signal.throwIfAborted();
    if (given.length > 0)
      await client.projects.addMembers(
        project.id,
        given.map(({ id, role }) => ({ userId: id, role })),
      );
    const removed: { id: string; email: string }[] = [];
    const failed: { email: string; error: string }[] = [];
    for (const { id, email } of leaving) {
      try {
        await client.projects.removeMember(project.id, id);
        removed.push({ id, email });
      } catch (thrown) {
        const error = toAppError(thrown);
        if (given.length + removed.length === 0 && leaving.length === 1) throw error;
        failed.push({ email, error: error.message });
      }
    }
    const set = given.map(({ id, email, role }) => {
      const was = before.get(id);
      return { id, email, role, ...(was && { was }) };
    });
    const head = { project: { id: project.id, name: project.name } };
    const { lists, ...more } = fitted({ failed, set, removed }, head);
    return {
      ...head,
      set: lists.set,
      removed: lists.removed,
      ...(lists.failed.length > 0 && { failed: lists.failed }),
      ...more,
    };
  },
});

const onceEach = <T extends { readonly id: string }>(people: readonly T[]): T[] => [
  ...new Map(people.map((one) => [one.id, one])).values(),
];
