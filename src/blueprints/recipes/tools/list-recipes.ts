import { z } from 'zod';
import { cursorFor, placeIn } from '../../../kernel/cursor.ts';
import { fittingItems } from '../../../kernel/reply-size.ts';
import { recipeTool } from '../tool.ts';

const NAME = 'recipe_list_recipes';

export const listRecipes = recipeTool({
  name: NAME,
  title: 'List recipes',
  description: 'Lists the saved recipes: name, what each does, its inputs, how many steps it has and who saved it.',
  effect: 'read',
  phrases:
    'list recipes; which recipes are there; saved macros; what can be repeated; my saved automations; show all recipes',
  input: z.strictObject({ cursor: z.string().optional().describe('From the last answer') }),
  output: z.object({
    recipes: z.array(
      z.object({
        name: z.string(),
        description: z.string().optional(),
        inputs: z.array(z.string()).optional().describe('A ? marks those with a default'),
        steps: z.number().optional(),
        saved_by: z.string().optional(),
        problems: z.number().optional(),
      }),
    ),
    cursor: z.string().optional(),
  }),
  examples: [{ title: 'All', arguments: {} }],
  async run({ cursor }, deps) {
    const { definitions } = await deps.open();
    const { skip } = placeIn(NAME, {}, cursor);
    const all = (await definitions.all()).filter(({ kind }) => kind === 'recipe');
    const shown = all.slice(skip).map(({ name, summary, savedBy, findings }) => ({
      name,
      ...(summary?.description !== undefined && { description: summary.description.slice(0, 300) }),
      ...(summary && { inputs: [...summary.inputs], steps: summary.steps }),
      ...(savedBy !== undefined && { saved_by: savedBy }),
      ...(findings.length > 0 && { problems: findings.length }),
    }));
    const fits = shown.length === 0 ? 0 : fittingItems(shown);
    const next = skip + fits;
    return { recipes: shown.slice(0, fits), ...(next < all.length && { cursor: cursorFor(NAME, {}, { skip: next }) }) };
  },
});
