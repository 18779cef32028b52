import { z } from 'zod';
import { fittingItems } from '../../../kernel/reply-size.ts';
import type { RecentCall } from '../recent.ts';
import { recipeTool } from '../tool.ts';

const LONGEST = 300;

export const recent = recipeTool({
  name: 'recipe_recent',
  title: 'Show recent calls',
  description:
    'Lists the tool calls of this conversation that recipe_save can use, the last first. Secrets are masked. Nothing of them is stored.',
  effect: 'read',
  phrases:
    'what did i just do; my recent calls; which steps can be saved; show the last tool calls; history of this conversation; which calls can become a recipe',
  input: z.strictObject({}),
  output: z.object({
    calls: z.array(
      z.object({
        call: z.number().describe('Number for recipe_save'),
        tool: z.string(),
        arguments: z.string().optional().describe('JSON, shortened'),
        failed: z.string().optional(),
        note: z.string().optional(),
      }),
    ),
    more: z.number().optional().describe('Older calls that are not shown'),
  }),
  examples: [{ title: 'All', arguments: {} }],
  async run(_, { recent: calls, secrets }, context) {
    const [{ masked }, { knownSecrets }] = await Promise.all([
      import('../secret-values.ts'),
      import('../known-secrets.ts'),
    ]);
    const made = calls.of(context);
    const { areIn } = knownSecrets([], made, secrets);
    const all = made.map((call) => shownCall(call, (given) => masked(given, areIn))).toReversed();
    const fits = all.length === 0 ? 0 : fittingItems(all);
    return { calls: all.slice(0, fits), ...(fits < all.length && { more: all.length - fits }) };
  },
});

function shownCall(
  { number, tool, arguments: given, withheld, failed }: RecentCall,
  mask: (given: unknown) => unknown,
) {
  const names = withheld.map(({ name }) => name).join(', ');
  const text = given && JSON.stringify(mask(given));
  return {
    call: number,
    tool: tool.slice(0, 200),
    ...(text !== undefined && { arguments: text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text }),
    ...(failed !== undefined && { failed }),
    ...(given === undefined && { note: 'Its arguments were too large to be kept, so it cannot be saved.' }),
    ...(given && names !== '' && { note: `Not kept, they become inputs: ${names.slice(0, 200)}` }),
  };
}
