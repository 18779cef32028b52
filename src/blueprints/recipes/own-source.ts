import { createOwnSource } from '../../kernel/own-source.ts';
import type { ToolSource } from '../../kernel/source.ts';
import type { RecipeDeps } from './tool.ts';
import { listRecipes } from './tools/list-recipes.ts';
import { recent } from './tools/recent.ts';
import { remove } from './tools/delete.ts';
import { run } from './tools/run.ts';
import { save } from './tools/save.ts';
import { show } from './tools/show.ts';

export const recipeTools = [recent, save, listRecipes, show, run, remove];

/** Saving what was done in a conversation, and doing it again. */
export const recipeSource = (deps: RecipeDeps): ToolSource =>
  createOwnSource<RecipeDeps>({
    id: 'recipe',
    exposure: 'compact',
    description: 'save the last tool calls and run them again with other values',
    guide: () => [
      'To make the last calls repeatable, save them: `recipe_call {tool: "save", params: {name: "…", last: 3, inputs: {team: "acme"}}}`; run them with other values: `recipe_call {tool: "run", params: {name: "…", inputs: {…}}}`.',
    ],
    tools: recipeTools,
    deps,
  });
