import { z } from 'zod';
import { n8nTool } from '../../tool.ts';
import { cursorOutput, pageInput, pageOf } from '../page.ts';
import { existingProject } from './known-projects.ts';
import { projectInput, projectOutput } from './project-input.ts';

const NAME = 'n8n_list_project_members';

const memberOutput = z.object({
  id: z.string(),
  email: z.string(),
  name: z.string().optional(),
  role: z.string().optional(),
});

export const listProjectMembers = n8nTool({
  name: NAME,
  title: 'List project members',
  description: 'Lists the people of a project and their roles in it. n8n_set_project_members changes them.',
  effect: 'read',
  phrases:
    'members of a project; who is in the project; list project members; who may work in this project; which role does somebody have in a project; people of a team project; who has access to the project; project admins; is she a member of the project; show the team of a project; participants of a project; who can edit in this project',
  tags: ['projects', 'users'],
  input: { project: projectInput, ...pageInput },
  output: z.object({ project: projectOutput, members: z.array(memberOutput), total: z.number(), cursor: cursorOutput }),
  async run({ project: wanted, ...page }, { client }, { signal }) {
    const project = await existingProject(client, wanted, signal);
    const members = (await Array.fromAsync(client.projects.members(project.id, signal))).map((one) => {
      const name = [one.firstName, one.lastName].filter(Boolean).join(' ');
      return { id: one.id, email: one.email, ...(name !== '' && { name }), ...(one.role && { role: one.role }) };
    });
    const head = { project: { id: project.id, name: project.name }, total: members.length };
    const { items, ...rest } = pageOf(NAME, { instance: client.name, project: project.id }, members, page, head);
    return { ...head, members: items, ...rest };
  },
});
