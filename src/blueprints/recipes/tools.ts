import { listRecipes } from './tools/list-recipes.ts';
import { recent } from './tools/recent.ts';
import { remove } from './tools/delete.ts';
import { run } from './tools/run.ts';
import { save } from './tools/save.ts';
import { show } from './tools/show.ts';

/** The tools, in the order of the list. */
export const recipeTools = [recent, save, listRecipes, show, run, remove];
