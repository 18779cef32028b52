import { z } from 'zod';
import { findingView } from '../../tool.ts';
import { existingRecipe, recipeName, recipeTool } from '../tool.ts';

const MOST_TEXT = 2800;

export const show = recipeTool({
  name: 'recipe_show',
  title: 'Show a recipe',
  description: 'Shows one recipe: its steps and inputs as YAML, who saved it, and what is wrong with it now.',
  effect: 'read',
  phrases:
    'show a recipe; what does this recipe do; which inputs does the recipe need; steps of a recipe; yaml of a recipe',
  input: z.strictObject({
    name: recipeName,
    offset: z.int().min(0).optional().describe('Where in the text to begin'),
  }),
  output: z.object({
    name: z.string(),
    saved_by: z.string().optional(),
    saved_at: z.string().optional(),
    text: z.string(),
    next_offset: z.number().optional(),
    findings: z.array(findingView).optional(),
  }),
  examples: [{ title: 'One', arguments: { name: 'onboard-team' } }],
  async run({ name, offset = 0 }, deps) {
    const runtime = await deps.open();
    const known = await existingRecipe(runtime, name);
    const findings = await runtime.definitions.findingsOf(known);
    const text = known.text.slice(offset, offset + MOST_TEXT);
    const end = offset + text.length;
    return {
      name,
      ...(known.savedBy !== undefined && { saved_by: known.savedBy }),
      ...(known.savedAt !== undefined && { saved_at: new Date(known.savedAt).toISOString() }),
      text,
      ...(end < known.text.length && { next_offset: end }),
      ...(findings.length > 0 && { findings: findings.slice(0, 5) }),
    };
  },
});
