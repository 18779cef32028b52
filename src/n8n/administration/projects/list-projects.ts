import { z } from 'zod';
import { n8nTool } from '../../tool.ts';
import { cursorOutput, pageInput, pageOf } from '../page.ts';

const NAME = 'n8n_list_projects';

export const listProjects = n8nTool({
  name: NAME,
  title: 'List projects',
  description:
    'Lists the projects of an n8n with id, name and type. A team project holds workflows and credentials of a team; everybody has a personal one.',
  effect: 'read',
  phrases:
    'list projects; which projects are there in n8n; show all n8n projects; team projects; names and ids of the projects; what teams have a project; personal projects; id of a project; which project could i put this in; overview of projects; how are workflows split between teams; spaces of the teams; enumerate projects; do we have a project for marketing; find a project by name; all workspaces in n8n',
  tags: ['projects'],
  input: {
    name: z.string().min(1).max(255).optional().describe('Part of the name, ignoring case'),
    type: z.enum(['team', 'personal']).optional().describe('Default: both'),
    ...pageInput,
  },
  output: z.object({
    projects: z.array(z.object({ id: z.string(), name: z.string(), type: z.string(), created: z.string().optional() })),
    total: z.number(),
    cursor: cursorOutput,
  }),
  async run({ name, type, ...page }, { client }, { signal }) {
    const wanted = name?.toLowerCase() ?? '';
    const rows = (await Array.fromAsync(client.projects.all(signal)))
      .filter((one) => one.name.toLowerCase().includes(wanted) && (type === undefined || one.type === type))
      .map((one) => ({
        id: one.id,
        name: one.name,
        type: one.type,
        ...(one.createdAt !== undefined && { created: one.createdAt }),
      }));
    const { items, ...rest } = pageOf(NAME, { instance: client.name, name, type }, rows, page);
    return { projects: items, total: rows.length, ...rest };
  },
});
