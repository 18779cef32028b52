import { n8nTool } from '../../tool.ts';
import { projectNameInput, projectOutput } from './project-input.ts';

export const createProject = n8nTool({
  name: 'n8n_create_project',
  title: 'Create project',
  description:
    'Creates a team project. n8n_set_project_members adds people, n8n_move puts workflows and credentials into it.',
  effect: 'create',
  phrases:
    'create a project; new n8n project for a team; make a team project; set up a project; open a project; add a project to n8n; a space for the sales team; start a new project; we need a project for marketing; another project; separate project for a department; create a workspace for a team; found a project',
  tags: ['projects'],
  input: { name: projectNameInput.describe('Its name') },
  output: projectOutput,
  async run({ name }, { client }, { signal }) {
    signal.throwIfAborted();
    const project = await client.projects.create(name);
    return { id: project.id, name: project.name };
  },
});
