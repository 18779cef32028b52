import { createListedSource } from '../../kernel/listed-source.ts';
import { listing } from '../../kernel/listed-tool.ts';
import type { ToolSource } from '../../kernel/source.ts';
import type { RecipeDeps } from './tool.ts';
import * as listed from './listed.json' with { type: 'json' };

/** Saving what was done in a conversation, and doing it again. */
export const recipeSource = (deps: RecipeDeps): ToolSource =>
  createListedSource<RecipeDeps>({
    id: 'recipe',
    plural: 'recipes',
    exposure: 'compact',
    description: 'save the last tool calls and run them again with other values',
    guide: () => [
      'To make the last calls repeatable, save them: `recipe_call {tool: "save", params: {name: "…", last: 3, inputs: {team: "acme"}}}`; run them with other values: `recipe_call {tool: "run", params: {name: "…", inputs: {…}}}`.',
    ],
    listed: listing(listed),
    load: async () => (await import('./tools.ts')).recipeTools,
    deps,
  });
