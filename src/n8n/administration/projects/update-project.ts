import { n8nTool } from '../../tool.ts';
import { existingProject } from './known-projects.ts';
import { projectInput, projectNameInput, projectOutput } from './project-input.ts';
import { z } from 'zod';

export const updateProject = n8nTool({
  name: 'n8n_update_project',
  title: 'Rename project',
  description: 'Gives a project another name. Everything in it stays.',
  effect: 'update',
  phrases:
    'rename a project; change the name of a project; the project should be called differently; give a project another name; update a project; project has the wrong name; new name for a team project; correct a project name; call the project something else; a typo in the name of a project',
  tags: ['projects'],
  input: { project: projectInput, name: projectNameInput.describe('The new name') },
  output: projectOutput.extend({ was: z.string() }),
  async run({ project: wanted, name }, { client }, { signal }) {
    const project = await existingProject(client, wanted, signal);
    signal.throwIfAborted();
    await client.projects.rename(project.id, name);
    return { id: project.id, name, was: project.name };
  },
});
