import { z } from 'zod';
import { authorOf, descriptionInput, newNameInput, ownersInput, ownersOf, projectTool } from '../tool.ts';
import { LONGEST_DESCRIPTION, nameOf, textOf } from '../texts.ts';

export const projectCreate = projectTool({
  name: 'project_create',
  title: 'Create a project',
  description:
    'Creates an empty project: a name for workflows, repositories, containers, databases and notes that belong together. project_add puts them into it.',
  effect: 'create',
  phrases:
    'create a project; start a new project; new project; group things that belong together; set up a project for a team; put everything of a product under one name; begin a workspace for the shop; open a project',
  input: z.strictObject({ name: newNameInput, description: descriptionInput, owners: ownersInput }),
  output: z.object({ name: z.string() }),
  examples: [{ title: 'A shop', arguments: { name: 'Web shop', description: 'Orders and invoices', owners: ['Ana'] } }],
  async run({ name: given, description = '', owners = [] }, { open, refuse }, { principal }) {
    refuse({ 'The name': given, 'The description': description, 'The name of an owner': owners });
    const name = nameOf(given, 'The name of the project');
    const projects = await open();
    await projects.create(
      { name, description: textOf(description, 'The description', LONGEST_DESCRIPTION), owners: ownersOf(owners) },
      authorOf(principal),
    );
    return { name };
  },
});
