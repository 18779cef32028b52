import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { LONGEST_DESCRIPTION, nameOf, textOf } from '../texts.ts';
import { descriptionInput, newNameInput, ownersInput, ownersOf, projectInput, projectTool } from '../tool.ts';

export const projectUpdate = projectTool({
  name: 'project_update',
  title: 'Change a project',
  description: 'Renames a project, or replaces its description or owners. Its items stay.',
  effect: 'update',
  phrases:
    'rename a project; change the description of a project; give the project another name; set the owners of a project; edit a project; who is responsible for the project now',
  input: z.strictObject({
    name: projectInput,
    rename: newNameInput.optional().describe('The new name'),
    description: descriptionInput,
    owners: ownersInput,
  }),
  output: z.object({ name: z.string() }),
  async run({ name, rename, description, owners }, { open, refuse }) {
    refuse({ 'The name': rename, 'The description': description, 'The name of an owner': owners });
    if (rename === undefined && description === undefined && owners === undefined)
      throw new AppError('invalid_input', 'Nothing to change: give rename, description or owners.');
    const change = {
      ...(rename !== undefined && { name: nameOf(rename, 'The name of the project') }),
      ...(description !== undefined && { description: textOf(description, 'The description', LONGEST_DESCRIPTION) }),
      ...(owners !== undefined && { owners: ownersOf(owners) }),
    };
    const { project } = await (await open()).update(name, change);
    return { name: project };
  },
});
