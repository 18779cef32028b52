import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { existingRecipe, recipeName, recipeTool } from '../tool.ts';

export const remove = recipeTool({
  name: 'recipe_delete',
  title: 'Delete a recipe',
  description: 'Deletes a recipe. Its runs stay, and go on with the steps they began with.',
  effect: 'delete',
  phrases: 'delete a recipe; remove a recipe; forget a saved recipe; throw the macro away',
  input: z.strictObject({ name: recipeName }),
  output: z.object({ name: z.string(), deleted: z.literal(true) }),
  examples: [{ title: 'One', arguments: { name: 'onboard-team' } }],
  async preview({ name }, deps, { principal }) {
    const runtime = await deps.open();
    await existingRecipe(runtime, name);
    const { savedBy } = await runtime.definitions.deletable(name, principal);
    return `This deletes the recipe ${name}, which ${savedBy} saved.`;
  },
  async run({ name }, deps, { principal }) {
    const runtime = await deps.open();
    await existingRecipe(runtime, name);
    if (!(await runtime.definitions.delete(name, principal)))
      throw new AppError('conflict', `${name} was deleted or replaced by somebody else a moment ago.`);
    runtime.events.record({ type: 'blueprint.deleted', blueprint: name, principal: principal.id });
    return { name, deleted: true as const };
  },
});
