import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { quoted } from '../../kernel/some-of.ts';
import { keyInput, keyOf, keyOutput, projectInput, projectTool, shownKey } from '../tool.ts';

export const projectRemoveItem = projectTool({
  name: 'project_remove_item',
  title: 'Remove from a project',
  description:
    'Removes one item from a project. What it stands for (the workflow, the container …) stays as it is. instance and source must be those it was added with.',
  effect: 'update',
  phrases:
    'remove a workflow from a project; take this out of the project; it does not belong to the project any more; no longer belongs to the project; no longer part of a project; detach a container from a project; delete a note of a project; unlink the repository from the project',
  input: z.strictObject({ project: projectInput, ...keyInput }),
  output: z.object({ project: z.string(), removed: z.object(keyOutput) }),
  async run({ project: name, ...given }, { open }) {
    const key = keyOf(given);
    const projects = await open();
    const { project, removed } = await projects.remove(name, key);
    if (removed) return { project, removed: shownKey(key) };
    throw new AppError(
      'not_found',
      `The project has no ${key.kind} ${quoted(key.name)} with this instance and source. project_show shows its items.`,
    );
  },
});
