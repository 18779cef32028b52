import { z } from 'zod';
import { AppError } from '../../kernel/errors.ts';
import { toolsFor } from '../../kernel/tool.ts';
import type { Known } from '../library/known.ts';
import type { Runtime } from '../runtime.ts';
import type { RecentCalls } from './recent.ts';
import type { SecretKnowledge } from './secret-values.ts';

/** What the recipe tools may use. The runtime is loaded on the first call. */
export interface RecipeDeps {
  open(): Promise<Runtime>;
  readonly recent: RecentCalls;
  readonly secrets: SecretKnowledge;
}

export const recipeTool = toolsFor<RecipeDeps>({ category: 'recipe' });

export const recipeName = z.string().min(1).max(100).describe('Name of a recipe');

/** The recipe of this name. */
export async function existingRecipe({ definitions }: Runtime, name: string): Promise<Known> {
  const all = await definitions.all();
  const known = all.find((one) => one.name === name);
  if (known?.kind === 'recipe') return known;
  if (known)
    throw new AppError(
      'not_found',
      `${name} is a blueprint, not a recipe. blueprint_show and blueprint_deploy take it.`,
    );
  throw new AppError(
    'not_found',
    all.some(({ kind }) => kind === 'recipe')
      ? `There is no recipe ${JSON.stringify(name.slice(0, 60))}. recipe_list_recipes shows them.`
      : 'There are no recipes yet. recipe_save makes one of your last calls.',
  );
}
