import { z } from 'zod';
import { AppError } from '../../../kernel/errors.ts';
import { findingView } from '../../tool.ts';
import { chosenCalls, wantedInputs } from '../chosen.ts';
import { MOST_CALLS } from '../recent.ts';
import { recipeTool } from '../tool.ts';

const MOST_TEXT = 2400;
const MOST_REPLACED = 20;
const LONGEST_REPLACED = 160;

export const save = recipeTool({
  name: 'recipe_save',
  title: 'Save a recipe',
  description:
    'Saves your last tool calls as a recipe that can be run again with other values. "inputs" names the values to ask for: { "team": "acme" } makes every "acme" the input team. Secrets always become inputs and are never stored. Values from results of earlier calls become references to them.',
  effect: 'update',
  phrases:
    'make a recipe of what we just did; record a macro of the last calls; turn this conversation into an automation; repeat these steps later with other values; save the recipe',
  guidance: 'recipe_recent shows the calls. Choose "last" so that reads which only explored are left out.',
  recorded: ['name', 'last', 'replace'],
  input: z.strictObject({
    name: z
      .string()
      .regex(/^[a-z][a-z0-9-]{0,62}$/, 'must be lower-case letters, digits and hyphens, a letter first, at most 63')
      .describe('For example onboard-team'),
    last: z
      .union([z.int().min(1).max(MOST_CALLS), z.array(z.int().min(1)).min(1).max(MOST_CALLS)])
      .describe('How many of your last successful calls, or their numbers from recipe_recent: [3, 5, 6]'),
    inputs: z
      .union([z.record(z.string(), z.unknown()), z.array(z.string().min(1).max(63)).max(50)])
      .optional()
      .describe('Values to ask for at each run: { "team": "acme" }. Or names of arguments: ["team"]'),
    description: z.string().max(2000).optional().describe('What it does, for whoever looks for it'),
    replace: z.boolean().optional().describe('Replace a recipe of this name'),
  }),
  output: z.object({
    name: z.string(),
    text: z.string().describe('The recipe in YAML, shortened if it is long'),
    inputs: z.array(z.string()).describe('"secret" marks those that are never stored'),
    replaced: z.array(z.string()).describe('What became an input or a reference'),
    findings: z.array(findingView).optional(),
  }),
  examples: [
    { title: 'The last three calls', arguments: { name: 'onboard-team', last: 3, inputs: { team: 'acme' } } },
    { title: 'Some calls', arguments: { name: 'nightly-report', last: [2, 4] } },
  ],
  async run({ name, last, inputs, description, replace = false }, deps, context) {
    const conversation = deps.recent.of(context);
    const calls = chosenCalls(conversation, last);
    const [runtime, { compose }] = await Promise.all([deps.open(), import('../compose.ts')]);
    const { definitions, events, tool } = runtime;
    const known = (await definitions.all()).find((one) => one.name === name);
    if (known?.kind === 'blueprint')
      throw new AppError('conflict', `${name} is the name of a blueprint. Choose another name for the recipe.`);
    if (known && !replace)
      throw new AppError(
        'conflict',
        `There is a recipe ${name} already. Choose another name, or replace it: replace: true.`,
      );
    const wanted = wantedInputs(inputs, calls);
    const made = compose({ name, description, calls, conversation, inputs: wanted }, { ...deps.secrets, tool });
    const saved = await definitions.save(made.text, context.principal, 'recipe', !replace);
    events.record({ type: 'blueprint.saved', blueprint: name, kind: 'recipe', principal: context.principal.id });
    const findings = await definitions.findingsOf(saved);
    const more = made.replaced.length - MOST_REPLACED;
    return {
      name,
      text: made.text.length > MOST_TEXT ? `${made.text.slice(0, MOST_TEXT)}…` : made.text,
      inputs: made.inputs.map((input) => (input.secret ? `${input.name} (secret)` : input.name)),
      replaced: [
        ...made.replaced.slice(0, MOST_REPLACED).map((line) => shortened(line)),
        ...(more > 0 ? [`… and ${more} more`] : []),
      ],
      ...(findings.length > 0 && { findings: findings.slice(0, 5) }),
    };
  },
});

const shortened = (line: string): string =>
  line.length > LONGEST_REPLACED ? `${line.slice(0, LONGEST_REPLACED)}…` : line;
