import { z } from 'zod';
import { counted, quoted } from '../../kernel/some-of.ts';
import { projectInput, projectTool } from '../tool.ts';

export const projectDelete = projectTool({
  name: 'project_delete',
  title: 'Delete a project',
  description:
    'Deletes a project: only the grouping and its notes. The workflows, containers, databases and so on that it names stay as they are.',
  effect: 'delete',
  phrases:
    'delete a project; remove a project; the project is over; get rid of a project; drop the grouping; close a project for good',
  input: z.strictObject({ name: projectInput }),
  output: z.object({ name: z.string(), items: z.int().describe('Items that it had') }),
  async preview({ name }, { open }) {
    const project = await (await open()).get(name);
    const notes = project.items.filter(({ note }) => note !== undefined).length;
    return `It deletes the project ${quoted(project.name)} for good, with the list of its ${counted(project.items.length, 'item')}${notes > 0 ? ` and ${counted(notes, 'note')}` : ''}. Only the grouping is deleted: the workflows, containers, databases and so on stay as they are.`;
  },
  async run({ name }, { open }) {
    const projects = await open();
    const project = await projects.get(name);
    await projects.delete(name);
    return { name: project.name, items: project.items.length };
  },
});
